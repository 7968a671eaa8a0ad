/** Every call of a gateway. docs/reference/ has a page for each. */
import type { FollowOptions, Transaction } from './follow.ts'
import type { components } from './generated/api.ts'
import type { Given, TypedDocument } from './graphql.ts'
import type { LiveOptions } from './live.ts'
import type { Plan, PreparedRoute, RunOptions, Signable } from './plan.ts'
import type { Rest } from './rest.ts'
import type { InterruptedRoute, Resumed } from './resume.ts'
import type { Address, Hash } from './scalars.ts'
import type { Session } from './session.ts'

/** One gateway, as one wallet or one visitor uses it. `createGateway` makes it. */
export type Gateway = Rest & {
  /** Origin of the gateway. */
  origin: string
  /** Origin of the site that wallets sign in at. */
  site: string
  /**
   * Sends a `GET` request to an endpoint of the OpenAPI document, and returns the typed answer. An export is read with
   * `parseAs: 'text'`, `'blob'` or `'stream'`.
   *
   * @example
   * const page = await gateway.get('/api/v1/vaults', { params: { query: { limit: 50 } } })
   *
   * @throws GatewayError with the code of the gateway, or `UNREACHABLE`
   */
  get: Rest['get']
  /**
   * Sends a `POST` request to an endpoint of the OpenAPI document, and returns the typed answer. The answer of a
   * `/prepare` endpoint is compared with the request and the deployment before it is returned.
   *
   * @example
   * const plan = await gateway.post('/api/v1/settlements/{claimId}/prepare', { params: { path: { claimId } } })
   *
   * @throws GatewayError with the code of the gateway, `UNREACHABLE` or `ANSWER_MISMATCH`
   */
  post: Rest['post']
  /**
   * Runs a typed GraphQL document.
   *
   * @example
   * const { claim } = await gateway.ask(graphql('query ($id: Hash!) { claim(claimId: $id) { state } }'), { id })
   *
   * @throws GatewayError with the code of the first error: a partial answer is an error
   */
  ask: <Result, Variables extends object>(
    document: TypedDocument<Result, Variables>,
    ...given: Given<Variables>
  ) => Promise<Result>
  /**
   * Runs a typed GraphQL subscription until its connection ends.
   *
   * @example
   * for await (const { finalizedBlock } of gateway.subscribe(document, {})) show(finalizedBlock)
   *
   * @throws GatewayError with the code of an error; `UNREACHABLE` when the connection ends; the reason of the signal
   */
  subscribe: <Result, Variables extends object>(
    document: TypedDocument<Result, Variables>,
    ...given: Given<Variables>
  ) => AsyncGenerator<Result, void>
  /**
   * Runs a typed GraphQL subscription as `subscribe` does, with a new connection when one ends or falls silent. The
   * first answer of each connection is the present state.
   *
   * @throws GatewayError that is not `retryable`; the reason of the signal
   */
  live: <Result, Variables extends object>(
    document: TypedDocument<Result, Variables>,
    ...given: Given<Variables, LiveOptions>
  ) => AsyncGenerator<Result, void>
  /**
   * `fetch` with the token of the session, for urql, Apollo or any other library. Other origins do not get the token.
   */
  fetch: typeof fetch
  /**
   * Signs in with the wallet. The user is prompted once to connect and once to sign.
   *
   * @throws GatewayError `NO_WALLET`, `WRONG_CHAIN`, `USER_REJECTED`, and the gateway's refusals
   */
  signIn: (options?: { statement?: string }) => Promise<Session>
  /**
   * Returns the message (EIP-4361) to sign in with, for libraries that ask the wallet themselves. `verify` takes it
   * with its signature.
   */
  signInMessage: (facts: { address: Address; chainId: number; nonce: string; statement?: string }) => string
  /**
   * Signs in with a message (EIP-4361) that another library made and the wallet signed, as RainbowKit and AppKit do.
   *
   * @throws GatewayError the gateway's refusals
   */
  verify: (signed: { message: string; signature: `0x${string}` }) => Promise<Session>
  /** Returns the session of the connected wallet; undefined when there is none. */
  session: () => Promise<Session | undefined>
  /** Deletes the session here. Its token stays valid until it expires: `logout` ends it. */
  signOut: () => void
  /**
   * Ends the session at the gateway and deletes it here; without a session it does nothing. When the gateway does not
   * answer, the session is deleted too, and the error is thrown: the token may still be valid.
   */
  logout: () => Promise<void>
  /**
   * Returns the session at the gateway: wallet, chain, start and expiry.
   *
   * @throws GatewayError `UNAUTHENTICATED` without a session
   */
  me: () => Promise<components['schemas']['Session']>
  /** Calls `listener` when a session begins or ends. @returns a function that removes the listener */
  onSession: (listener: (session: Session | undefined) => void) => () => void
  /**
   * Sends the answer of a `/prepare` endpoint, which `post` returned and verified: approvals first, then the
   * transaction. A permit that the answer offers is signed instead of the approvals, unless the wallet sends all as one
   * batch. Resolves when reads show it.
   *
   * @throws GatewayError `NOT_VERIFIABLE`, `ANSWER_MISMATCH`, `WRONG_WALLET`, `WRONG_CHAIN`, `USER_REJECTED`, and the
   *   codes of `follow`
   */
  run: (plan: Plan, options?: RunOptions) => Promise<Transaction>
  /**
   * Signs the answer of `prepare-execution` and sends it to the router. Resolves when reads show it. The route is kept
   * until then: `resumeRoute` continues it after a reload.
   *
   * @throws GatewayError the codes of `run`, and `ROUTE_ENDED`
   */
  runRoute: (prepared: PreparedRoute, options?: RunOptions) => Promise<Transaction>
  /**
   * Returns the route that `runRoute` began here and whose outcome is not known, for example because its page was
   * closed.
   */
  interruptedRoute: () => InterruptedRoute | undefined
  /**
   * Continues that route. Resolves when reads show it, or with the error that prevents it; without a route, with
   * undefined.
   *
   * @throws the reason of `options.signal`
   */
  resumeRoute: (options?: RunOptions) => Promise<Resumed | undefined>
  /** Forgets that route. Its transaction, if it was sent, is executed all the same. */
  forgetRoute: () => void
  /**
   * Has the connected wallet sign the typed data of a prepared answer, such as an attestation.
   *
   * @throws GatewayError `NOT_VERIFIABLE`, `ANSWER_MISMATCH`, `WRONG_WALLET`, `WRONG_CHAIN`, `USER_REJECTED`
   */
  sign: (prepared: Signable) => Promise<`0x${string}`>
  /**
   * Waits until a transaction is `PROJECTED`, or has the status `options.until`. Requires no session.
   *
   * @throws GatewayError `TRANSACTION_REVERTED`, `ROUTE_ENDED`, `TIMEOUT`, and the gateway's refusals; the reason of
   *   `options.signal`
   */
  follow: (hash: Hash, options?: FollowOptions) => Promise<Transaction>
  /** Stops listening to the wallet, and to other tabs. */
  close: () => void
}
