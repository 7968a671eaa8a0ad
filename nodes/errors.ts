import { BaseError, HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem'

const DETAIL_CHARACTERS_MAX = 300

/**
 * Returns the failure with the node's position in RPC_URLS. It contains neither the node's URL, which may hold a key,
 * nor the headers of the answer: viem waits for the duration of a `Retry-After` header, without a limit.
 */
export function withoutUrl(error: unknown, { name, url }: { name: string; url: string }, method: string) {
  const body = { method }
  const clean = (text: unknown) => redact(String(text ?? 'no reason'), url).slice(0, DETAIL_CHARACTERS_MAX)
  const answer = find(error, RpcRequestError)
  if (answer) {
    const { code, data, details } = answer
    return new RpcRequestError({ body, url: name, error: { code, data, message: clean(details) } })
  }
  const large = find(error, ResponseBodyTooLargeError)
  if (large) return new AnswerTooLarge({ body, url: name, error: tooLarge(large) })
  if (find(error, TimeoutError)) return new TimeoutError({ body, url: name })
  const failure = find(error, HttpRequestError)
  const details = clean(reasonOf(error))
  return new HttpRequestError({
    body,
    url: name,
    details,
    ...(failure?.status && { status: failure.status }),
  })
}

/** An answer of a node that is beyond the limit, and is not read. */
class AnswerTooLarge extends RpcRequestError {}

/**
 * An answer beyond the limit is that of a node which limits its answers (EIP-1474: "limit exceeded"). Ponder splits a
 * range of blocks where a message has these words.
 */
function tooLarge({ maxSize }: ResponseBodyTooLargeError) {
  return { code: -32_005, message: `backend response too large: more than ${maxSize} bytes` }
}

/** The JSON-RPC error that a node answered with; undefined for any other failure. */
export function answeredError(error: unknown): RpcRequestError | undefined {
  return find(error, RpcRequestError)
}

/** Whether a node's answer was beyond the limit. A retry gives the same. */
export function isTooLarge(error: unknown): boolean {
  return find(error, AnswerTooLarge) !== undefined
}

/** Whether a node did not answer within its time. */
export function isTimeout(error: unknown): boolean {
  return find(error, TimeoutError) !== undefined
}

/** Status of an HTTP response without a JSON-RPC answer. */
export function httpStatus(error: unknown): number | undefined {
  return find(error, HttpRequestError)?.status
}

function find<T extends BaseError>(
  error: unknown,
  kind: abstract new (...args: never[]) => T,
): T | undefined {
  if (!(error instanceof BaseError)) return undefined
  const found = error.walk((cause) => cause instanceof kind)
  return found instanceof kind ? found : undefined
}

/** The innermost reason: the message of Node's `fetch` is only "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error.cause !== undefined) return reasonOf(error.cause)
  return error instanceof BaseError ? error.details : error.message
}

function redact(text: string, url: string): string {
  return secretsOf(url).reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
}

/** The longest first, so that no part of a longer secret remains. */
function secretsOf(url: string): string[] {
  const { href, host, pathname, search, searchParams, username, password } = new URL(url)
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password, search.slice(1)]
  return [url, href, host, ...parts.flatMap((part) => [part, decodePercent(part)])]
    .filter((part) => part.length >= SECRET_CHARACTERS_MIN)
    .sort((a, b) => b.length - a.length)
}

/** The text without percent-encoding; unchanged where a `%` is no part of an encoding. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Shorter parts of a URL ("v2", "rpc") are not keys, and occur in any text. */
const SECRET_CHARACTERS_MIN = 5
