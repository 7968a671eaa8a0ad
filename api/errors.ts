/**
 * Every error that a response can have. This catalogue is the only place that defines a code, its status and its title. REST writes
 * them as problem+json (RFC 9457), GraphQL as `extensions.code`. Codes are stable (specification, section 7).
 */

export const catalogue = {
  VALIDATION_FAILED: { status: 400, title: 'The request is not valid' },
  GRAPHQL_PARSE_FAILED: { status: 400, title: 'The GraphQL document cannot be parsed' },
  GRAPHQL_VALIDATION_FAILED: { status: 400, title: 'The GraphQL document does not fit the schema' },
  QUERY_TOO_COMPLEX: { status: 400, title: 'The query exceeds a cost limit' },
  AGGREGATE_TOO_WIDE: { status: 400, title: 'The aggregate would read too many rows' },
  UNAUTHENTICATED: { status: 401, title: 'A valid token is required' },
  SIWE_MESSAGE_INVALID: { status: 401, title: 'The sign-in message does not follow EIP-4361' },
  SIWE_DOMAIN_MISMATCH: { status: 401, title: 'The sign-in message is for another site' },
  SIWE_URI_MISMATCH: { status: 401, title: 'The sign-in message is for another URI' },
  SIWE_CHAIN_MISMATCH: { status: 401, title: 'The sign-in message is for another chain' },
  SIWE_MESSAGE_EXPIRED: { status: 401, title: 'The sign-in message has expired' },
  SIWE_MESSAGE_NOT_YET_VALID: { status: 401, title: 'The sign-in message is not valid yet' },
  SIWE_SIGNATURE_INVALID: { status: 401, title: 'The wallet did not sign this message' },
  NONCE_INVALID: { status: 401, title: 'The nonce was not issued by this gateway' },
  NONCE_EXPIRED: { status: 401, title: 'The nonce has expired' },
  NONCE_USED: { status: 401, title: 'The nonce was used before' },
  ISSUER_MISMATCH: { status: 403, title: 'The issuer is another wallet' },
  CURATOR_REQUIRED: { status: 403, title: 'Only the curator of the vault may do this' },
  NOT_FOUND: { status: 404, title: 'Unknown path' },
  CLAIM_NOT_FOUND: { status: 404, title: 'No such claim' },
  EXECUTION_NOT_FOUND: { status: 404, title: 'No such execution' },
  ROUTE_INTENT_NOT_FOUND: { status: 404, title: 'The wallet has no such route' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The path does not support this method' },
  ROUTE_INTENT_UNAVAILABLE: { status: 409, title: 'The route was already prepared or has failed' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The request body is not JSON' },
  MIXED_TOKENS: { status: 422, title: 'The claims have different tokens' },
  ROUTE_INTENT_EXPIRED: { status: 422, title: 'The route has expired' },
  ROUTER_PAUSED: { status: 422, title: 'The router is paused' },
  LEG_NOT_FINANCEABLE: { status: 422, title: 'A claim cannot be financed' },
  ISSUER_INACTIVE: { status: 422, title: 'The issuer of a claim is not active' },
  VAULT_INACTIVE: { status: 422, title: 'A vault is not active' },
  TOKEN_MISMATCH: { status: 422, title: 'A vault and its claim have different tokens' },
  MANDATE_REJECTED: { status: 422, title: 'A vault does not accept its claim' },
  TARGET_NO_LONGER_MET: { status: 422, title: 'The advance or the face is outside the requested limits' },
  INSUFFICIENT_LIQUIDITY: { status: 422, title: 'A vault has too little available liquidity' },
  ROUTE_DEADLINE_TOO_SOON: { status: 422, title: 'Too little time is left to sign and submit' },
  CLAIM_NOT_MATURED: { status: 422, title: 'The claim is not due yet' },
  CLAIM_NOT_SETTLEABLE: { status: 422, title: 'The claim is settled or revoked' },
  CLAIM_NOT_REVOCABLE: { status: 422, title: 'The claim is settled or revoked already' },
  ALLOCATION_NOT_OUTSTANDING: {
    status: 422,
    title: 'The slice is not to be paid any more, or does not exist',
  },
  IMPAIRMENT_TOO_EARLY: { status: 422, title: 'The grace period has not passed' },
  CARRYING_VALUE_NOT_LOWER: { status: 422, title: 'The slice is carried at this value or less' },
  NO_CREDIT: { status: 422, title: 'The router holds no credit of the wallet in this token' },
  ATTESTATION_EXPIRED: { status: 422, title: 'The attestation can no longer be registered' },
  ATTESTATION_CANCELLED: { status: 422, title: 'The issuer cancelled the attestation' },
  CLAIM_ALREADY_REGISTERED: { status: 422, title: 'The claim is registered already' },
  BENEFICIARY_INVALID: { status: 422, title: 'The beneficiary cannot own a claim' },
  TOKEN_NOT_LISTED: { status: 422, title: 'The token is not listed' },
  FACE_VALUE_TOO_LARGE: { status: 422, title: 'The face value exceeds the maximum of the registry' },
  DUE_DATE_NOT_IN_FUTURE: { status: 422, title: 'The due date has passed' },
  ATTESTATION_SIGNATURE_INVALID: { status: 422, title: 'The issuer did not sign this attestation' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  TOO_MANY_SIGN_INS: { status: 429, title: 'The client has too many concurrent sign-ins' },
  TOO_MANY_READS: { status: 429, title: 'The client has too many concurrent reads' },
  TOO_MANY_EXPORTS: { status: 429, title: 'The client has too many concurrent exports' },
  TOO_MANY_SUBSCRIPTIONS: { status: 429, title: 'The client has too many subscriptions' },
  INTERNAL: { status: 500, title: 'The service failed' },
  NOT_READY: { status: 503, title: 'The first index is not complete yet' },
  PROJECTION_BEHIND: { status: 503, title: 'The projection is behind the required block' },
  PROJECTION_DIFFERS: { status: 503, title: 'The projection differs from the chain' },
  SIGN_INS_BUSY: { status: 503, title: 'Too many concurrent sign-ins with contract wallets' },
  READS_BUSY: { status: 503, title: 'All connections for reads are in use' },
  EXPORTS_BUSY: { status: 503, title: 'The limit of concurrent exports is reached' },
  SUBSCRIPTIONS_EXHAUSTED: { status: 503, title: 'The limit of subscriptions is reached' },
  DATABASE_UNAVAILABLE: { status: 503, title: 'The database does not answer' },
  OPTIMIZER_BUSY: { status: 503, title: 'Too many concurrent optimizations' },
  OPTIMIZER_EXHAUSTED: { status: 503, title: 'Neither a route nor a proof that there is none was found' },
  CHAIN_BEHIND: { status: 503, title: 'The last finalized block is not recent enough' },
  CHAIN_UNAVAILABLE: { status: 503, title: 'The chain does not answer' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof catalogue

/** Why a consumed route no longer holds; its intent becomes `FAILED` (interface specification, section 7). */
export const revalidationCodes = [
  'ROUTER_PAUSED',
  'LEG_NOT_FINANCEABLE',
  'ISSUER_INACTIVE',
  'VAULT_INACTIVE',
  'TOKEN_MISMATCH',
  'MANDATE_REJECTED',
  'TARGET_NO_LONGER_MET',
  'INSUFFICIENT_LIQUIDITY',
  'ROUTE_DEADLINE_TOO_SOON',
] as const satisfies readonly ErrorCode[]
export type ErrorStatus = (typeof catalogue)[ErrorCode]['status']

/** One thing wrong with a request: where (`limit`, `legs.0.vault`) and what to do about it. */
export type FieldError = { path: string; message: string }

/** Members that problem details (RFC 9457) and GraphQL errors have themselves. */
export const RESERVED_MEMBERS = [
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'code',
  'requestId',
  'errors',
  'retryAfter',
] as const
const RESERVED_NAMES: ReadonlySet<string> = new Set(RESERVED_MEMBERS)
type ReservedMember = (typeof RESERVED_MEMBERS)[number]

/** Machine-readable facts beside the detail; JSON scalars only. No fact has the name of a member that it would be hidden by. */
export type Facts = Readonly<Record<string, string | number | boolean | null>> & {
  readonly [Member in ReservedMember]?: never
}

type CodedErrorOptions = {
  facts?: Facts
  /** Seconds after which another try makes sense. */
  retryAfter?: number
  errors?: readonly FieldError[]
  cause?: unknown
}

/** An expected error: the caller gets its code, detail and facts. Any other thrown value is a bug and is masked. */
export class CodedError extends Error {
  override readonly name = 'CodedError'
  readonly code: ErrorCode
  readonly facts: Facts
  readonly retryAfter: number | undefined
  readonly errors: readonly FieldError[] | undefined

  /** @param detail for a developer: what is wrong, the value given, what to do */
  constructor(code: ErrorCode, detail: string, options: CodedErrorOptions = {}) {
    super(detail, { cause: options.cause })
    this.code = code
    // The type refuses a literal with a reserved name; a record of any names is caught here.
    this.facts = Object.fromEntries(
      Object.entries(options.facts ?? {}).filter(([name]) => !RESERVED_NAMES.has(name)),
    )
    this.retryAfter = options.retryAfter
    this.errors = options.errors
  }

  get status(): ErrorStatus {
    return catalogue[this.code].status
  }
}

/** Faults that one answer names: a request can have thousands of them. */
const FIELD_ERRORS_MAX = 20
/** Characters of a text that may quote the request. */
const QUOTE_LENGTH_MAX = 500

/** A text that may quote the request, shortened to a bounded length. */
export function shorten(text: string): string {
  return text.length > QUOTE_LENGTH_MAX ? `${text.slice(0, QUOTE_LENGTH_MAX)}…` : text
}

/** A 400 that names the fields at fault, the first 20 of them; the detail repeats them in one text. */
export function validationFailed(faults: readonly FieldError[]): CodedError {
  const errors = faults
    .slice(0, FIELD_ERRORS_MAX)
    .map(({ path, message }) => ({ path: shorten(path), message: shorten(message) }))
  const named = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message))
  const omitted = faults.length - errors.length
  const detail = [...named, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join('; ')
  return new CodedError('VALIDATION_FAILED', detail, { errors })
}

/** Retry-After during an outage of the database or the chain, seconds. */
const RETRY_AFTER_OUTAGE_SECONDS = 2

/** The error that a response has for any thrown value: a coded error as it is, a lost database as a 503, all else as a masked 500. */
export function toCodedError(thrown: unknown): CodedError {
  if (thrown instanceof CodedError) return thrown
  if (isDatabaseUnavailable(thrown)) {
    return new CodedError('DATABASE_UNAVAILABLE', 'The database does not answer. Try again shortly.', {
      retryAfter: RETRY_AFTER_OUTAGE_SECONDS,
      cause: thrown,
    })
  }
  return new CodedError('INTERNAL', 'The request failed on our side. Report the requestId if it persists.', {
    cause: thrown,
  })
}

/** For a read of the chain that no node answered. */
export function chainUnavailable(detail: string, cause?: unknown): CodedError {
  return new CodedError('CHAIN_UNAVAILABLE', detail, { retryAfter: RETRY_AFTER_OUTAGE_SECONDS, cause })
}

/** @param blockNumber of the finalized block that was read */
export function claimNotFound(claimId: string, blockNumber: bigint): CodedError {
  return new CodedError(
    'CLAIM_NOT_FOUND',
    `No claim ${claimId} is registered at finalized block ${blockNumber}. A registration appears once its block is final.`,
    { facts: { claimId, blockNumber: Number(blockNumber) } },
  )
}

/** URL of a code in the API reference: Scalar derives the anchor of a heading from its words in lowercase. */
export function problemType(code: ErrorCode): string {
  return `/docs#description/${code.toLowerCase().replaceAll('_', '-')}`
}

export type Problem = {
  type: string
  title: string
  status: ErrorStatus
  detail: string
  code: ErrorCode
  requestId: string
  errors?: readonly FieldError[]
}

/** RFC 9457 problem details, with the error's facts as extension members. */
export function toProblem(error: CodedError, requestId: string): Problem & Record<string, unknown> {
  return {
    ...error.facts,
    type: problemType(error.code),
    title: catalogue[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.errors && { errors: error.errors }),
  }
}

export type GraphqlErrorExtensions = {
  code: ErrorCode
  requestId: string
  retryAfter?: number
  errors?: readonly FieldError[]
}

/** The same error as GraphQL's `extensions`. */
export function toGraphqlExtensions(
  error: CodedError,
  requestId: string,
): GraphqlErrorExtensions & Record<string, unknown> {
  return {
    ...error.facts,
    code: error.code,
    requestId,
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    ...(error.errors && { errors: error.errors }),
  }
}

/** SQLSTATE classes and codes, and socket errors, that mean that Postgres is unavailable. */
const UNAVAILABLE_CODES = new Set([
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '53300', // too_many_connections
  '57014', // query_canceled: the statement timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The pg driver gives these no code. */
const UNAVAILABLE_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  if (UNAVAILABLE_CODES.has(code) || code.startsWith('08')) return true
  if (UNAVAILABLE_MESSAGE.test(thrown.message)) return true
  return thrown instanceof AggregateError && thrown.errors.some(isDatabaseUnavailable)
}
