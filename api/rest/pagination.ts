/** Pages of lists. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { CURSOR_LENGTH_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../domain/limits.ts'
import type { AppEnv } from '../middleware/env.ts'
import type { Page } from '../projection/page.ts'
import type { FinalizedThrough, Snapshot } from '../projection/snapshot.ts'
import { finalizedThrough, readProjection } from './answer.ts'

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

/** Base64url. */
const CURSOR = /^[\w-]+$/

export const cursorInput = z
  .string({ error: once })
  .max(CURSOR_LENGTH_MAX, 'must be the nextCursor of an earlier page')
  .optional()
  .openapi({
    pattern: CURSOR.source,
    description: '`nextCursor` of the previous page. Default: the first page.',
  })

export const pageQuery = z.strictObject({ limit: limitInput, cursor: cursorInput })

export const nextCursor = z
  .string()
  .regex(CURSOR)
  .max(CURSOR_LENGTH_MAX)
  .nullable()
  .openapi({ description: 'Cursor of the next page; null on the last page.' })

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item).max(PAGE_LIMIT_MAX), nextCursor, finalizedThrough })
}
