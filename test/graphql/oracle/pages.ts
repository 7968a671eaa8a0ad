/** Pages of lists, with their cursors. */
import { PAGE_LIMIT_DEFAULT } from '../../../api/domain/limits.ts'
import { compare, type Row } from './rows.ts'

export type Args = { readonly [argument: string]: unknown }

/** A total order: its name, and columns of which no two rows have equal values. */
export type Order = {
  readonly name: string
  readonly columns: readonly string[]
  readonly isAscending: boolean
}

/** A connection over rows in any order. */
export function pageOf(rows: readonly Row[], order: Order, { first, last, after, before }: Args) {
  const { name, columns } = order
  const sign = order.isAscending ? 1 : -1
  const isBeyond = (row: Row, cursor: unknown, side: number) =>
    typeof cursor !== 'string' || side * sign * compareKeys(columns, row, keyOf(row, order, cursor)) > 0
  const rest = [...rows]
    .sort((a, b) => sign * compareKeys(columns, a, b))
    .filter((row) => isBeyond(row, after, 1) && isBeyond(row, before, -1))
  const isFromEnd = typeof last === 'number'
  const size = Number(first ?? last ?? PAGE_LIMIT_DEFAULT)
  const nodes = isFromEnd ? rest.slice(-size) : rest.slice(0, size)
  const edges = nodes.map((node) => ({
    node,
    cursor: encode([name, ...columns.map((column) => String(node[column]))]),
  }))
  const hasMore = rest.length > size
  return {
    nodes,
    edges,
    totalCount: rows.length,
    pageInfo: {
      hasNextPage: isFromEnd ? typeof before === 'string' : hasMore,
      hasPreviousPage: isFromEnd ? hasMore : typeof after === 'string',
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

function compareKeys(columns: readonly string[], a: Row, b: Row): number {
  for (const column of columns) {
    const sign = compare(a[column] ?? null, b[column] ?? null)
    if (sign !== 0) return sign
  }
  return 0
}

function encode(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** The key in a cursor, with values of the types that the row has. */
function keyOf(row: Row, { name, columns }: Order, cursor: string): Row {
  const [order, ...texts]: string[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  if (order !== name || texts.length !== columns.length) throw new Error('the cursor is one of another list')
  return Object.fromEntries(columns.map((column, i) => [column, typed(row[column] ?? null, texts[i] ?? '')]))
}

function typed(example: Row[string], text: string): Row[string] {
  switch (typeof example) {
    case 'bigint':
      return BigInt(text)
    case 'number':
      return Number(text)
    case 'boolean':
      return text === 'true'
    default:
      return text
  }
}
