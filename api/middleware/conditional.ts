import { createHash } from 'node:crypto'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'

/** Headers of ours that a 304 keeps: it stands for the whole answer, also to a browser of another origin. */
const RETAINED_HEADERS = [
  ...RETAINED_304_HEADERS,
  'access-control-allow-origin',
  'access-control-expose-headers',
  'x-finalized-through',
  'x-request-id',
]

/**
 * `ETag` on every good answer to a read, and 304 to an `If-None-Match` that names it. The tag is a hash of the body, and the body of
 * every read names the finalized block it was read at: so it can never be stale.
 */
export const conditional = () =>
  etag({ retainedHeaders: RETAINED_HEADERS, generateDigest: (body) => sha256(body) })

function sha256(body: Uint8Array): ArrayBuffer {
  return new Uint8Array(createHash('sha256').update(body).digest()).buffer
}
