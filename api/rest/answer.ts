/** Answers of reads: one state of the projection, with its finalized block. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { wholeNumber } from '../domain/integer.ts'
import { formatTime, time } from '../domain/time.ts'
import { describedAs } from '../middleware/answer-headers.ts'
import { sendTagged, tagOf } from '../middleware/conditional.ts'
import type { AppEnv } from '../middleware/env.ts'
import { type FinalizedThrough, readOpened, type Snapshot } from '../projection/snapshot.ts'

/** For schemas that have a name of their own: OpenAPI would have `.nullable()` of them be null and not null at once. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()])
}

export const finalizedThrough = z
  .object({ blockNumber: wholeNumber, timestamp: time })
  .openapi('FinalizedThrough', { description: 'The finalized block of all reads of the answer.' })

export function presentFinalizedThrough(through: FinalizedThrough) {
  return { blockNumber: Number(through.blockNumber), timestamp: formatTime(through.timestamp) }
}

/** Writes the answer of a read, with its finalized block and revalidation by ETag; it is kept where the route is `isKept`. */
export function answer<Body extends object>(c: Context<AppEnv>, through: FinalizedThrough, body: Body) {
  const complete = { ...body, finalizedThrough: presentFinalizedThrough(through) }
  const text = JSON.stringify(complete)
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache',
    ETag: tagOf(text),
    'X-Finalized-Through': through.blockNumber.toString(),
  }
  const [keep, seen] = [c.get('keep'), c.get('seen')]
  if (keep && seen && !c.get('dependsOnMore')) keep({ text, headers }, seen)
  return describedAs(sendTagged(c, text, headers), complete)
}

/**
 * Reads one state of the projection, at the caller's `X-Min-Block` or later.
 *
 * @throws as `readSnapshot`; CodedError `PROJECTION_BEHIND`
 */
export function readProjection<T>(c: Context<AppEnv>, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return readOpened(c.get('openSnapshot'), read)
}

export function okJson<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { 200: { description, content: { 'application/json': { schema } } } }
}
