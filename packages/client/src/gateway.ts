/** The gateway as a frontend uses it: one object for one wallet. */
import { bearerToken, cookie, withSession } from './credentials.ts'
import { type Eip1193Provider, noWallet } from './eip1193.ts'
import { type FollowOptions, followTransaction, type Transaction } from './follow.ts'
import type { components } from './generated/api.ts'
import { type Ask, createAsk } from './graphql.ts'
import { createLive, type Live } from './live.ts'
import { pageOrigin } from './page.ts'
import {
  type Plan,
  type PreparedRoute,
  type RunOptions,
  runPlan,
  type Signable,
  signPrepared,
} from './plan.ts'
import { createRest, type Rest } from './rest.ts'
import { createRouteMemory, type InterruptedRoute, type Resumed, resumeRoute, runKept } from './resume.ts'
import type { Address, Hash } from './scalars.ts'
import {
  createSessions,
  defaultStorage,
  memoryStorage,
  type Session,
  type SessionStorage,
} from './session.ts'
import { createMessage, logOut, restore, signIn, verify } from './sign-in.ts'
import { createSubscribe, IDLE_MS, type Subscribe } from './subscribe.ts'
import { createSend, type Send, toFetch } from './transport.ts'
import type { Deployment } from './verify/deployment.ts'
import { createVerifier } from './verify/verifier.ts'

export type GatewayOptions = {
  /** Origin of the gateway, such as `https://gateway.example`; `/api/v1` is appended. */
  url: string
  /**
   * `injectedWallet()`, or any other EIP-1193 provider. It signs; this client has no access to a key. Default: none,
   * for a visitor that reads.
   */
  wallet?: Eip1193Provider | undefined
  /**
   * Chain and contracts that the wallet may be asked for: `deployments[chainId]`, or the manifest of another
   * deployment. The wallet is asked to switch to the chain before it signs in, and every prepared answer is verified.
   * Default: none, for reads; endpoints that prepare something for a wallet are then refused.
   */
  deployment?: Deployment | undefined
  /** The site that wallets sign in at; in a browser the page's own origin, else the gateway's. */
  site?: string
  /**
   * Keeps the session in a cookie that no script can read, if the gateway has `SESSION_COOKIES`: true in a browser; on
   * the server of the site, the header `Cookie` of its visitor, together with `site`. Default: a token in `storage`.
   */
  cookie?: true | string | undefined
  /**
   * Storage of the session; tabs share that of `localStorage`. Default: `sessionStorage`, a session for each tab, or
   * memory where there is none.
   */
  storage?: SessionStorage
  /** Milliseconds without a byte after which a subscription counts as lost. Default: 30,000. */
  idleMs?: number
  fetch?: Send
  now?: () => number
  /** Adds jitter to the delays between connections of `live`. Default: `Math.random`. */
  random?: () => number
}

export type Gateway = Rest & {
  /** Origin of the gateway. */
  origin: string
  /** Origin of the site that wallets sign in at. */
  site: string
  /** Runs a typed GraphQL document. */
  ask: Ask
  /** Runs a typed GraphQL subscription: `for await (const { claim } of gateway.subscribe(document, variables))`. */
  subscribe: Subscribe
  /** As `subscribe`, with a new connection when one ends or falls silent. */
  live: Live
  /**
   * `fetch` with the token of the session, for urql, Apollo or any other library. Other origins do not get the token.
   */
  fetch: typeof fetch
  /** Signs in with the wallet; the user is prompted once to connect and once to sign. */
  signIn: (options?: { statement?: string }) => Promise<Session>
  /**
   * The message (EIP-4361) to sign in with, for libraries that ask the wallet themselves; `verify` takes it with its
   * signature.
   */
  signInMessage: (facts: { address: Address; chainId: number; nonce: string; statement?: string }) => string
  /**
   * Signs in with a message (EIP-4361) that another library made and the wallet signed, as RainbowKit and AppKit do.
   */
  verify: (signed: { message: string; signature: `0x${string}` }) => Promise<Session>
  /** The session of the connected wallet; undefined when there is none. */
  session: () => Promise<Session | undefined>
  /** Deletes the session here. Its token stays valid until it expires: `logout` ends it. */
  signOut: () => void
  /**
   * Ends the session at the gateway and deletes it here; without a session it does nothing. When the gateway does not
   * answer, the session is deleted too, and the error is thrown: the token may still be valid.
   */
  logout: () => Promise<void>
  /** The session at the gateway: wallet, chain, start and expiry. */
  me: () => Promise<components['schemas']['Session']>
  /** Calls `listener` when a session begins or ends. @returns a function that removes the listener */
  onSession: (listener: (session: Session | undefined) => void) => () => void
  /**
   * Sends the answer of a `/prepare` endpoint, which `post` returned and verified: approvals first, then the
   * transaction. Resolves when reads show it.
   */
  run: (plan: Plan, options?: RunOptions) => Promise<Transaction>
  /** Signs the answer of `prepare-execution` and sends it to the router. Resolves when reads show it. */
  runRoute: (prepared: PreparedRoute, options?: RunOptions) => Promise<Transaction>
  /** The route that `runRoute` began here and whose outcome is not known, for example because its page was closed. */
  interruptedRoute: () => InterruptedRoute | undefined
  /**
   * Continues that route. Resolves when reads show it, or with the error that prevents it; without a route, with
   * undefined.
   */
  resumeRoute: (options?: RunOptions) => Promise<Resumed | undefined>
  /** Forgets that route. Its transaction, if it was sent, is executed all the same. */
  forgetRoute: () => void
  /** Has the connected wallet sign the typed data of a prepared answer, such as an attestation. */
  sign: (prepared: Signable) => Promise<`0x${string}`>
  /** Waits until a transaction is `PROJECTED`, or has the status `options.until`. */
  follow: (hash: Hash, options?: FollowOptions) => Promise<Transaction>
  /** Stops listening to the wallet, and to other tabs. */
  close: () => void
}

export function createGateway(options: GatewayOptions): Gateway {
  const { wallet: provider = noWallet, now = Date.now, deployment } = options
  // A visitor has no session, and must not end that of a wallet that connects later.
  const storage = options.wallet ? (options.storage ?? defaultStorage()) : memoryStorage()
  const { origin } = new URL(options.url)
  const site = options.site ?? pageOrigin() ?? origin
  const { sessions, send, bare, bareSend, logout, settled, inCookie } = createIdentity({
    ...options,
    origin,
    site,
    now,
    storage,
    hasOwnStorage: options.storage !== undefined,
  })
  const verifier = createVerifier({ deployment, provider, now })
  const rest = createRest(origin, send, verifier.begin)
  const ask = createAsk(origin, send)
  const subscribe = createSubscribe(origin, send, options.idleMs ?? IDLE_MS)
  const deps = { rest, subscribe, provider, verifier }
  const memory = createRouteMemory(storage, `claim-financing-route ${origin}`)
  const begin = (session: Session) => {
    sessions.keep(session)
    return session
  }
  return {
    ...rest,
    origin,
    site,
    ask,
    subscribe,
    live: createLive(subscribe, options.random ?? Math.random),
    fetch: toFetch(origin, send, bareSend),
    async signIn(signInOptions = {}) {
      await settled()
      const { chainId } = deployment ?? {}
      return begin(await signIn(bare, provider, { chainId, ...signInOptions, site, inCookie, now }))
    },
    signInMessage: (facts) => createMessage({ ...facts, site, now }),
    async verify(signed) {
      await settled()
      return begin(await verify(bare, { ...signed, inCookie, now }))
    },
    session: sessions.current,
    signOut: sessions.leave,
    logout,
    me: () => rest.get('/api/v1/auth/me'),
    onSession: sessions.onChange,
    run: (plan, runOptions) => runPlan(deps, plan, runOptions),
    runRoute: (prepared, runOptions) => runKept(deps, memory, prepared, runOptions),
    interruptedRoute: memory.read,
    resumeRoute: (runOptions) => resumeRoute({ ...deps, now }, memory, runOptions),
    forgetRoute: memory.forget,
    sign: (prepared) => signPrepared(deps, prepared),
    follow: (hash, followOptions) => followTransaction(deps, hash, followOptions),
    close: sessions.close,
  }
}

type IdentityOptions = Pick<GatewayOptions, 'wallet' | 'cookie' | 'fetch'> & {
  origin: string
  site: string
  storage: SessionStorage
  /** Whether the caller has chosen the storage, which may be one that tabs share. */
  hasOwnStorage: boolean
  now: () => number
}

/** How requests leave: as the signed-in wallet (`send`), without a session (`bare`), to other origins (`bareSend`). */
function createIdentity({ wallet, origin, site, now, storage, hasOwnStorage, ...options }: IdentityOptions) {
  const credentials = options.cookie === undefined ? bearerToken : cookie(options.cookie, site)
  const { inCookie, headersOf } = credentials
  const bareSend = createSend(options.fetch ?? ((request) => globalThis.fetch(request)))
  const bare = createRest(origin, credentials.withCookie(bareSend))
  const end = (session: Session) => logOut(bare, headersOf(session, 'POST'))
  let ending: Promise<void> | undefined
  const isVisitor = !wallet && typeof options.cookie !== 'string'
  const sessions = createSessions({
    // The server of a site knows no wallet but that of the cookie.
    provider: wallet ?? (isVisitor ? noWallet : undefined),
    storage: inCookie ? memoryStorage() : storage,
    key: `claim-financing-session ${origin}`,
    now,
    isShared: !isVisitor && (inCookie || hasOwnStorage),
    ...(inCookie && !isVisitor && { restore: () => restore(bare, now) }),
    ...(inCookie && {
      end: (session: Session) => {
        ending = end(session).catch(() => {})
      },
    }),
  })
  return {
    sessions,
    send: withSession(bareSend, sessions, credentials),
    bare,
    bareSend,
    inCookie,
    /** Resolves when no logout is under way, whose answer would delete the cookie of a sign-in. */
    settled: async () => ending,
    /** Ends the session at the gateway, whatever wallet is connected. */
    async logout() {
      const stored = sessions.stored()
      try {
        const session = inCookie ? await restore(bare, now) : stored
        if (session) await end(session)
      } finally {
        sessions.end(stored?.token)
      }
    },
  }
}
