import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { send } from './answer-headers.ts'
import type { AnswerHeaders, AppEnv } from './env.ts'
import { type Finish, noHandler } from './steps.ts'

/** Headers of ours that a 304 keeps: it represents the whole answer, also for a browser of another origin. */
const RETAINED_HEADERS = [
  ...RETAINED_304_HEADERS,
  'access-control-allow-origin',
  'access-control-expose-headers',
  // A browser takes these from the 304, and would apply the policy of answers that are no page.
  'content-security-policy',
  'x-finalized-through',
  'x-request-id',
]

/**
 * `ETag` on every good answer to a read, and 304 to an `If-None-Match` that names it. A read is what names the finalized block it
 * was read at; the tag is a hash of the whole body, that block included, so it can never be stale. An answer that may not be stored has none:
 * no client could send it back, and a body that is streamed cannot be hashed before its end. Pages have a tag too: they name their scripts by content.
 * A handler that knows its tag sets it, or sends it by `sendTagged`.
 */
export const conditional = (): Finish => {
  const tag = etag({ retainedHeaders: RETAINED_HEADERS, generateDigest: (body) => sha256(body) })
  const add: Finish = async (c) => void (await tag(c, noHandler))
  return (c) => {
    if (c.res === c.get('sent')) return
    const { headers } = c.res
    const isStored = headers.get('Cache-Control') !== 'no-store'
    const isPage = headers.get('Content-Type')?.startsWith('text/html')
    const hasState = headers.has('X-Finalized-Through') || headers.has('ETag')
    if ((hasState || isPage) && isStored) return add(c)
  }
}

/** Sends an answer that has a tag, or 304 to an `If-None-Match` that names it. */
export function sendTagged(
  c: Context<AppEnv>,
  body: string | Uint8Array<ArrayBuffer>,
  own: Readonly<AnswerHeaders>,
): Response {
  if (!isNamed(own.ETag, c.req.header('If-None-Match'))) return send(c, body, 200, own)
  // Without the header that describes the body.
  const { 'Content-Type': _, ...headers } = own
  return send(c, null, 304, headers)
}

/** Whether a value of `If-None-Match` names the tag; weakly, as `hono/etag` compares them (RFC 9110, section 13.1.2). */
function isNamed(tag: string | undefined, ifNoneMatch: string | undefined): boolean {
  if (tag === undefined || ifNoneMatch === undefined) return false
  return ifNoneMatch === '*' || (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((named) => named === tag)
}

/** The tag of a body that is text. */
export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('hex')}"`
}

function sha256(body: Uint8Array): ArrayBuffer {
  return new Uint8Array(createHash('sha256').update(body).digest()).buffer
}
