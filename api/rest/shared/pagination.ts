/** Pages of lists. */
import { z } from '@hono/zod-openapi'
import { CURSOR_LENGTH_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../../domain/limits.ts'
import { finalizedThrough } from './answer.ts'
import { asOfParameters } from './as-of.ts'

/** A page as the selection `nodes` and `PAGE_INFO` has it. */
export type SelectedPage<Node> = {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

export const PAGE_INFO = 'pageInfo { hasNextPage endCursor }'

export function presentPage<Node, Item>(
  { nodes, pageInfo }: SelectedPage<Node>,
  present: (node: Node) => Item,
): { items: Item[]; nextCursor: string | null } {
  return { items: nodes.map(present), nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null }
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

export const pageQuery = z.strictObject({ limit: limitInput, cursor: cursorInput, ...asOfParameters })

export const nextCursor = z
  .string()
  .regex(CURSOR)
  .max(CURSOR_LENGTH_MAX)
  .nullable()
  .openapi({ description: 'Cursor of the next page; null on the last page.' })

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item).max(PAGE_LIMIT_MAX), nextCursor, finalizedThrough })
}
