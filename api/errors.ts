/**
 * The errors that responses have: the exception that carries one, and its forms in REST (problem+json, RFC 9457) and
 * GraphQL (`extensions`).
 */
import { catalogue, type ErrorCode } from './error-catalogue/index.ts'

export { catalogue, type ErrorCode } from './error-catalogue/index.ts'

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(catalogue, value)
}

/** Reason why a consumed route does not hold; its intent becomes `FAILED` (interface specification, section 7). */
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

/**
 * Machine-readable facts beside the detail; JSON scalars only. No fact has the name of a member that it would be hidden
 * by.
 */
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

/** Faults that one answer names: a request can have thousands of them. */
export const FIELD_ERRORS_MAX = 20
/** Characters of a text that may quote the request. */
const QUOTE_LENGTH_MAX = 500

/** Characters of a shortened text, with its ellipsis. */
export const QUOTED_LENGTH = QUOTE_LENGTH_MAX + 1

/**
 * Characters of the text of an error. The longest text names 20 fields, each with a path and a message of
 * `QUOTED_LENGTH` characters, and is not cut.
 */
export const DETAIL_LENGTH_MAX = 20_480

/** An expected error: the caller gets its code, detail and facts. Any other thrown value is a bug and is masked. */
export class CodedError extends Error {
  override readonly name = 'CodedError'
  readonly code: ErrorCode
  readonly facts: Facts
  readonly retryAfter: number | undefined
  readonly errors: readonly FieldError[] | undefined

  /** @param detail for a developer: what is wrong, the value given, what to do */
  constructor(code: ErrorCode, detail: string, options: CodedErrorOptions = {}) {
    super(detail.slice(0, DETAIL_LENGTH_MAX), { cause: options.cause })
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

/** Shortens a text that may quote the request to a bounded length. */
export function shorten(text: string): string {
  return text.length > QUOTE_LENGTH_MAX ? `${text.slice(0, QUOTE_LENGTH_MAX)}…` : text
}

/** Makes a 400 that names the fields at fault, the first 20 of them; the detail repeats them in one text. */
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
const RETRY_AFTER_STOP_SECONDS = 1

/**
 * Returns the error that a response has for any thrown value: a coded error as it is, a lost database as a 503, all
 * else as a masked 500.
 */
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

/** For what cannot go on because the process stops. Another gateway answers at once, a restarted one shortly. */
export function shuttingDown(detail: string): CodedError {
  return new CodedError('SHUTTING_DOWN', detail, { retryAfter: RETRY_AFTER_STOP_SECONDS })
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

/** Path of the page that explains a code, served in every mode. */
export function problemType(code: ErrorCode): string {
  return `${ERRORS_PATH}/${code}`
}

/** All codes, by status. */
export const errorCodes: readonly ErrorCode[] = Object.keys(catalogue)
  .filter((name): name is ErrorCode => name in catalogue)
  .toSorted((a, b) => catalogue[a].status - catalogue[b].status)

/** The error playbook. */
export const ERRORS_PATH = '/docs/errors'

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

/** Presents an error as `extensions` of GraphQL. */
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

/**
 * Classes of SQLSTATE that mean that Postgres is unavailable: a lost connection; too few connections, too little disk
 * or memory.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '53'])

/** Codes of SQLSTATE and of sockets that mean the same. */
const UNAVAILABLE_CODES = new Set([
  '25006', // read_only_sql_transaction: a primary that became a standby, or that its operator protects
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '57014', // query_canceled: the statement timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '58030', // io_error
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The pg driver gives these no code. */
const UNAVAILABLE_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/** Whether Postgres did not answer, or not in time. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  if (UNAVAILABLE_CODES.has(code) || isUnavailableState(code)) return true
  if (UNAVAILABLE_MESSAGE.test(thrown.message)) return true
  return thrown instanceof AggregateError && thrown.errors.some(isDatabaseUnavailable)
}

/** SQLSTATEs of a statement or transaction whose time is up, and of a statement that was cancelled. */
const OUT_OF_TIME: readonly unknown[] = ['57014', '25P03', '25P04']

/** Whether Postgres ended the statement itself. At another server it would take as long. */
export function isOutOfTime(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && OUT_OF_TIME.includes(thrown.code)
}

function isUnavailableState(code: string): boolean {
  return SQLSTATE.test(code) && UNAVAILABLE_CLASSES.has(code.slice(0, 2))
}

const SQLSTATE = /^[0-9A-Z]{5}$/
