/** Shared parts of reads: the finalized block, pages, problems. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { CURSOR_LENGTH_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../domain/limits.ts'
import { formatTime, time } from '../domain/time.ts'
import { catalogue, type ErrorCode } from '../errors.ts'
import type { AppEnv } from '../middleware/env.ts'
import type { Page } from '../projection/page.ts'
import { type FinalizedThrough, readOpened, type Snapshot } from '../projection/snapshot.ts'

/** For schemas that have a name of their own: OpenAPI would have `.nullable()` of them be null and not null at once. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()])
}

export const finalizedThrough = z
  .object({ blockNumber: z.int().nonnegative(), timestamp: time })
  .openapi('FinalizedThrough', { description: 'The finalized block of all reads of the answer.' })

export function presentFinalizedThrough(through: FinalizedThrough) {
  return { blockNumber: Number(through.blockNumber), timestamp: formatTime(through.timestamp) }
}

/** Writes the answer of a read, with its finalized block and revalidation by ETag. */
export function answer<Body extends object>(c: Context, through: FinalizedThrough, body: Body) {
  return c.json({ ...body, finalizedThrough: presentFinalizedThrough(through) }, 200, {
    'X-Finalized-Through': through.blockNumber.toString(),
    'Cache-Control': 'no-cache',
  })
}

/**
 * Reads one state of the projection, at the caller's `X-Min-Block` or later.
 *
 * @throws as `readSnapshot`; CodedError `PROJECTION_BEHIND`
 */
export function readProjection<T>(c: Context<AppEnv>, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return readOpened(c.var.openSnapshot, read)
}

/** One page of a list from one snapshot; `read` and `present` see the block that the answer names. */
export async function readPageAnswer<Row, Item>(
  c: Context<AppEnv>,
  read: (snapshot: Snapshot) => Promise<Page<Row>>,
  present: (row: Row, through: FinalizedThrough) => Item,
): Promise<{ through: FinalizedThrough; body: { items: Item[]; nextCursor: string | null } }> {
  return readProjection(c, async (snapshot) => {
    const { items, nextCursor } = await read(snapshot)
    const through = snapshot.finalizedThrough
    return { through, body: { items: items.map((row) => present(row, through)), nextCursor } }
  })
}

const once = 'must be given once'
const LIMIT_WANTED = `must be a whole number from 1 to ${PAGE_LIMIT_MAX}`

export const limitInput = z
  .string({ error: once })
  .regex(/^[0-9]{1,9}$/, LIMIT_WANTED)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= PAGE_LIMIT_MAX, LIMIT_WANTED)
  .default(PAGE_LIMIT_DEFAULT)
  .openapi({ type: 'integer', minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT })

export const cursorInput = z
  .string({ error: once })
  .max(CURSOR_LENGTH_MAX, 'must be the nextCursor of an earlier page')
  .optional()
  .openapi({ description: '`nextCursor` of the previous page. Default: the first page.' })

/** Query of a read without parameters. An unknown parameter is refused, so that a misspelt one is noticed. */
export const noQuery = z.strictObject({})
export const pageQuery = z.strictObject({ limit: limitInput, cursor: cursorInput })

export const nextCursor = z
  .string()
  .nullable()
  .openapi({ description: 'Cursor of the next page; null on the last page.' })

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor, finalizedThrough })
}

const fieldError = z.object({ path: z.string(), message: z.string() })

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(catalogue)),
    requestId: z.string(),
    errors: z.array(fieldError).optional(),
  })
  .openapi('Problem', { description: 'Problem details (RFC 9457); `code` is stable.' })

/** OpenAPI entries of the errors a route can answer with, by status, from the catalogue. */
export function problems(...codes: readonly ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => catalogue[code].status))]
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes
          .filter((code) => catalogue[code].status === status)
          .map((code) => `\`${code}\`: ${catalogue[code].title}.`)
          .join('\n\n'),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  )
}

/** The errors any read can meet. */
export const readProblems = [
  'VALIDATION_FAILED',
  'INTERNAL',
  'NOT_READY',
  'PROJECTION_BEHIND',
  'DATABASE_UNAVAILABLE',
  'TOO_MANY_READS',
  'READS_BUSY',
] as const satisfies readonly ErrorCode[]

/** The errors any route that requires a token can meet. */
export const tokenProblems = [
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'INTERNAL',
  'DATABASE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]

export function okJson<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { 200: { description, content: { 'application/json': { schema } } } }
}
