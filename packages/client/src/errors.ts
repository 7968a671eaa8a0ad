/** All failures as one error class, distinguished by `code`. */
import type { components } from './generated/api.ts'

type Problem = components['schemas']['Problem']

/** Codes of the gateway (docs/errors.md lists them). */
export type GatewayCode = Problem['code']

/** Codes of the client itself. */
export type ClientCode =
  /** The gateway, or a proxy in front of it, gave no answer of the API. */
  | 'UNREACHABLE'
  /** There is no wallet, no account of it is connected, or its answer is invalid. */
  | 'NO_WALLET'
  /** The user declined a prompt of the wallet. */
  | 'USER_REJECTED'
  /** The wallet failed; `cause` has its error. */
  | 'WALLET_FAILED'
  /** The prepared transaction is for another account than the connected one. */
  | 'WRONG_WALLET'
  /** The wallet is on another chain than the one required, and did not switch. */
  | 'WRONG_CHAIN'
  /**
   * The answer of the gateway is not what was requested, or not of the deployment; `facts.field` names the field.
   * Nothing was signed or sent.
   */
  | 'ANSWER_MISMATCH'
  /** There is nothing to verify the answer against: no `deployment`, or no request of this gateway. */
  | 'NOT_VERIFIABLE'
  /**
   * Nobody can execute the route any more; `facts.status` is `EXPIRED`, `SUPERSEDED` or `CANCELLED`. Nothing was paid.
   */
  | 'ROUTE_ENDED'
  /** The transaction was mined and failed; `revert` has the error. */
  | 'TRANSACTION_REVERTED'
  /** The transaction did not reach the requested status before the timeout. It still may. */
  | 'TIMEOUT'

/**
 * Conditions that pass, as the error playbook of the gateway (`/docs/errors`) has them; and a timeout of the client.
 */
const PASSING: ReadonlySet<GatewayCode | ClientCode> = new Set([
  'ROUTER_PAUSED',
  'CLAIM_NOT_MATURED',
  'NOTICE_NOT_OVER',
  'RATE_LIMITED',
  'TOO_MANY_SIGN_INS',
  'TOO_MANY_READS',
  'ANSWERS_UNREAD',
  'TOO_MANY_EXPORTS',
  'TOO_MANY_SUBSCRIPTIONS',
  'INTERNAL',
  'SHUTTING_DOWN',
  'NOT_READY',
  'PROJECTION_BEHIND',
  'PROJECTION_DIFFERS',
  'SIGN_INS_BUSY',
  'READS_BUSY',
  'EXPORTS_BUSY',
  'SUBSCRIPTIONS_EXHAUSTED',
  'DATABASE_UNAVAILABLE',
  'OPTIMIZER_BUSY',
  'OPTIMIZER_EXHAUSTED',
  'CHAIN_BEHIND',
  'CHAIN_UNAVAILABLE',
  'TIMEOUT',
])

export type Revert = components['schemas']['Revert']

/** Further facts of an error, such as `intentStatus` of a `ROUTE_INTENT_UNAVAILABLE`. */
export type ErrorFacts = Readonly<Record<string, unknown>>

type GatewayErrorFacts = {
  code: GatewayCode | ClientCode
  message: string
  status?: number
  requestId?: string
  retryAfter?: number
  errors?: readonly { path: string; message: string }[]
  revert?: Revert | null | undefined
  facts?: ErrorFacts
  cause?: unknown
}

export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: GatewayCode | ClientCode
  /** Status of the HTTP answer, when there was one. */
  readonly status: number | undefined
  /** Identifies the request in a report to the gateway's operator. */
  readonly requestId: string | undefined
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined
  /** Every field at fault, of a `VALIDATION_FAILED`. */
  readonly errors: readonly { path: string; message: string }[]
  /** The revert of a `TRANSACTION_REVERTED`, or that a wallet expects (`WALLET_FAILED`). */
  readonly revert: Revert | undefined

  /** Members of the answer that are specific to the code, by name. */
  readonly facts: ErrorFacts

  constructor(facts: GatewayErrorFacts) {
    super(facts.message, { cause: facts.cause })
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.retryAfter = facts.retryAfter
    this.errors = facts.errors ?? []
    this.revert = facts.revert ?? undefined
    this.facts = facts.facts ?? {}
  }

  /**
   * Whether the same call may succeed later without any change; `retryAfter` is the wait where the gateway states one.
   */
  get retryable(): boolean {
    const isOutage = this.code === 'UNREACHABLE' && (this.status ?? 503) >= 500
    return this.retryAfter !== undefined || isOutage || PASSING.has(this.code)
  }
}

/** @throws GatewayError for an answer that is cut off or not JSON; any other error as it is */
export function refuseBroken(cause: unknown): never {
  if (!(cause instanceof SyntaxError || cause instanceof TypeError)) throw cause
  throw new GatewayError({ code: 'UNREACHABLE', message: 'The answer is cut off or not JSON.', cause })
}

/** The error of an answer that is not successful. */
export async function toGatewayError(response: Response): Promise<GatewayError> {
  return toErrorOf(response, await response.json().catch(() => undefined))
}

/** As `toGatewayError`, of an answer whose body was read. */
export function toErrorOf(response: Response, body: unknown): GatewayError {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const common = { status: response.status, ...(Number.isFinite(retryAfter) && { retryAfter }) }
  if (!isProblem(body)) {
    const message = `${response.url} answered ${response.status} without a problem of the gateway.`
    return new GatewayError({ code: 'UNREACHABLE', message, ...common })
  }
  const { code, detail: message, requestId, errors = [], type: _, title: __, status: ___, ...facts } = body
  return new GatewayError({ code, message, requestId, errors, facts, ...common })
}

/** The first of the errors of a GraphQL answer. */
export function toGraphqlError(errors: unknown, status: number): GatewayError {
  const [first] = Array.isArray(errors) ? errors : []
  if (!isGraphqlError(first)) {
    return new GatewayError({
      code: 'UNREACHABLE',
      message: 'The GraphQL answer has nameless errors.',
      status,
    })
  }
  const { message, extensions } = first
  const { code, requestId, retryAfter, errors: fields, ...facts } = extensions
  return new GatewayError({
    code,
    message,
    status,
    facts,
    ...(requestId !== undefined && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(fields && { errors: fields }),
  })
}

type GraphqlError = {
  message: string
  extensions: Pick<GatewayErrorFacts, 'code' | 'requestId' | 'retryAfter' | 'errors'>
}

function isGraphqlError(error: unknown): error is GraphqlError {
  return typeof error === 'object' && error !== null && 'message' in error && 'extensions' in error
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body
}
