/** The gateway as a frontend uses it: one object for one wallet. */
import type { Gateway } from './calls.ts'
import { bearerToken, cookie, withSession } from './credentials.ts'
import { type Eip1193Provider, noWallet } from './eip1193.ts'
import { followTransaction } from './follow.ts'
import { createAsk } from './graphql.ts'
import { createLive } from './live.ts'
import { pageOrigin } from './page.ts'
import { runPlan, signPrepared } from './plan.ts'
import { createRest } from './rest.ts'
import { createRouteMemory, resumeRoute, runKept } from './resume.ts'
import {
  createSessions,
  defaultStorage,
  memoryStorage,
  type Session,
  type SessionStorage,
} from './session.ts'
import { createMessage, logOut, restore, signIn, verify } from './sign-in.ts'
import { createSubscribe, IDLE_MS } from './subscribe.ts'
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

/** Returns the calls of a gateway, for one wallet or for a visitor without one. */
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
