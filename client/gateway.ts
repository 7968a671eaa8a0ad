/** The gateway as a frontend uses it: one object for one wallet. */
import type { Eip1193Provider } from './eip1193.ts'
import { type FollowOptions, followTransaction, type Transaction } from './follow.ts'
import type { components } from './generated/api.ts'
import { type Ask, createAsk } from './graphql.ts'
import {
  type Plan,
  type PreparedRoute,
  type RunOptions,
  runPlan,
  runRoute,
  signTypedData,
  type TypedData,
} from './plan.ts'
import { createRest, type Rest } from './rest.ts'
import { createSessions, defaultStorage, type Session, type SessionStorage } from './session.ts'
import { logOut, signIn } from './sign-in.ts'
import { createSend, type Send, withSession } from './transport.ts'

export type GatewayOptions = {
  /** Origin of the gateway, such as `https://gateway.example`; `/api/v1` is appended. */
  url: string
  /** `window.ethereum`, or any other EIP-1193 provider. It signs; this client has no access to a key. */
  wallet: Eip1193Provider
  /** The site that wallets sign in at; in a browser the page's own origin, else the gateway's. */
  site?: string
  /** Storage of the session. Default: `sessionStorage`, or memory where there is none. */
  storage?: SessionStorage
  fetch?: Send
  now?: () => number
}

export type Gateway = Rest & {
  /** Runs a typed GraphQL document. */
  ask: Ask
  /** Signs in with the wallet; the user is prompted once to connect and once to sign. */
  signIn: (options?: { statement?: string }) => Promise<Session>
  /** The session of the connected wallet; undefined when there is none. */
  session: () => Promise<Session | undefined>
  /** Deletes the session here. Its token stays valid until it expires: `logout` ends it. */
  signOut: () => void
  /**
   * Ends the session at the gateway and deletes it here; without a session it does nothing. When the gateway does not answer, the session is
   * deleted too, and the error is thrown: the token may still be valid.
   */
  logout: () => Promise<void>
  /** The session at the gateway: wallet, chain, start and expiry. */
  me: () => Promise<components['schemas']['Session']>
  /** Calls `listener` when a session begins or ends. @returns a function that removes the listener */
  onSession: (listener: (session: Session | undefined) => void) => () => void
  /** Sends the answer of a `/prepare` endpoint: approvals first, then the transaction. Resolves when reads show it. */
  run: (plan: Plan, options?: RunOptions) => Promise<Transaction>
  /** Signs the answer of `prepare-execution` and sends it to the router. Resolves when reads show it. */
  runRoute: (prepared: PreparedRoute, options?: RunOptions) => Promise<Transaction>
  /** Has the connected wallet sign typed data, such as an attestation. */
  sign: (typedData: TypedData) => Promise<`0x${string}`>
  /** Waits until a transaction is `PROJECTED`, or has the status `options.until`. */
  follow: (hash: string, options?: FollowOptions) => Promise<Transaction>
  /** Stops listening to the wallet. */
  close: () => void
}

export function createGateway(options: GatewayOptions): Gateway {
  const { wallet: provider, now = Date.now, storage = defaultStorage() } = options
  const { origin } = new URL(options.url)
  const site = options.site ?? pageOrigin() ?? origin
  const key = `claim-financing-session ${origin}`
  const sessions = createSessions({ provider, storage, key, now })
  const bareSend = createSend(options.fetch ?? ((request) => globalThis.fetch(request)))
  const bare = createRest(origin, bareSend)
  const send = withSession(bareSend, sessions)
  const rest = createRest(origin, send)
  const hands = { rest, provider }
  return {
    ...rest,
    ask: createAsk(origin, send),
    async signIn(wishes = {}) {
      const session = await signIn(bare, provider, { ...wishes, site, now })
      sessions.keep(session)
      return session
    },
    session: sessions.current,
    signOut: () => sessions.drop(),
    async logout() {
      const session = await sessions.current()
      if (session) await logOut(bare, session.token).finally(() => sessions.drop(session.token))
    },
    me: () => rest.get('/api/v1/auth/me'),
    onSession: sessions.onChange,
    run: (plan, wishes) => runPlan(hands, plan, wishes),
    runRoute: (prepared, wishes) => runRoute(hands, prepared, wishes),
    sign: (typedData) => signTypedData(provider, typedData),
    follow: (hash, wishes) => followTransaction(rest, hash, wishes),
    close: sessions.close,
  }
}

declare const location: { origin: string } | undefined

function pageOrigin(): string | undefined {
  return typeof location === 'undefined' ? undefined : location.origin
}
