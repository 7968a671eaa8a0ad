/** Answers of reads: one state of the projection, with its finalized block. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { wholeNumber } from '../../domain/integer.ts'
import { formatTime, time } from '../../domain/time.ts'
import type { AppEnv } from '../../http/env.ts'
import { readOpened, type Snapshot } from '../../projection/session/snapshot.ts'
import type { FinalizedThrough } from '../../projection/session/state.ts'

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

/** Describes a read with an `ETag`. */
export function okRead<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { ...okJson(description, schema), 304: { description: NOT_MODIFIED } }
}

const NOT_MODIFIED = 'The answer that `If-None-Match` names has not changed.'
