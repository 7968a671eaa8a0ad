import { createHash } from 'node:crypto'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { defineMiddleware } from './define-middleware.ts'

/**
 * A 304 represents the whole answer. A browser would apply the policy of answers that are no page to a page that it has
 * stored.
 */
const RETAINED_HEADERS = [...RETAINED_304_HEADERS, 'content-security-policy', 'x-finalized-through']

/**
 * `ETag` on every good answer to a read, and 304 to an `If-None-Match` that names it. A read is what names the
 * finalized block it was read at; the tag is a hash of the whole body, that block included, so it can never be stale.
 * An answer that may not be stored has none: no client could send it back, and a body that is streamed cannot be hashed
 * before its end. Pages have a tag too: they name their scripts by content. A handler that knows its tag sets it.
 *
 * @example
 * startChain().use(cacheControl()).use(conditional())
 */
export const conditional = () => {
  const tag = etag({ retainedHeaders: RETAINED_HEADERS })
  return defineMiddleware(async (c, next) => {
    await next()
    if (mayBeTagged(c.res.headers)) await tag(c, async () => {})
  })
}

function mayBeTagged(headers: Headers): boolean {
  if (headers.get('Cache-Control') === 'no-store') return false
  const isPage = headers.get('Content-Type')?.startsWith('text/html') === true
  return isPage || headers.has('X-Finalized-Through') || headers.has('ETag')
}

/** Computes the tag of a body that is text. */
export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('hex')}"`
}

/** The part of a URL after its host. */
export const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2))
