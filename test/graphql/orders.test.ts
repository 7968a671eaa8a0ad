/**
 * Every order of every list in both directions, read page by page from both ends. A new list or order is tested by
 * itself.
 */
import { type GraphQLField, getNamedType, isEnumType } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'
import { asked, connectionsOf, objectType, ordersOf, rowType } from './walk.ts'

const { ask, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

/** Rows of one page. */
const PAGE = 43
const LARGEST_PAGE = 200

type List = GraphQLField<unknown, unknown>
type Edge = { cursor: string; node: Record<string, unknown> }

const lists = connectionsOf(objectType('Query')).flatMap((list) =>
  ordersOf(list).map((order) => ({ name: list.name, list, order })),
)

/** All rows, in pages of some size from one end. */
async function walk(
  list: List,
  args: Record<string, string>,
  selection: string,
  fromEnd: boolean,
  size: number,
) {
  const edges: Edge[] = []
  for (let place = {}; ; ) {
    const page = { ...args, ...place, [fromEnd ? 'last' : 'first']: String(size) }
    const query = `{ page: ${asked(list, page)} { pageInfo { hasNextPage hasPreviousPage } edges { cursor node { ${selection} } } } }`
    const { data, errors } = await ask(query)
    expect(errors, query).toBeUndefined()
    const { pageInfo, edges: own }: { pageInfo: Record<string, boolean>; edges: Edge[] } = data.page
    edges.splice(fromEnd ? 0 : edges.length, 0, ...own)
    const edge = fromEnd ? own.at(0) : own.at(-1)
    if (!pageInfo[fromEnd ? 'hasPreviousPage' : 'hasNextPage'] || !edge) return edges
    expect(own).toHaveLength(size)
    place = { [fromEnd ? 'before' : 'after']: JSON.stringify(edge.cursor) }
  }
}

/** The field that an order is by, where rows have one of its name. */
function orderedField(list: List, order: string): string | undefined {
  const field = rowType(getNamedType(list.type)).getFields()[order]
  const type = field && getNamedType(field.type)
  if (!field || !type || field.args.length > 0 || !('parseValue' in type)) return undefined
  return isEnumType(type) ? undefined : order
}

/** Numbers by their value, null as 0; times and addresses of one width by their text. */
function compare(one: unknown, other: unknown): number {
  const [a, b] = [one ?? 0, other ?? 0].map((value) => {
    if (typeof value === 'number') return value
    return /^\d+$/.test(String(value)) ? BigInt(String(value)) : String(value)
  })
  return a === b || a === undefined || b === undefined ? 0 : a < b ? -1 : 1
}

describe.each(lists)('$name by $order', ({ list, order }) => {
  const field = orderedField(list, order)
  const selection = field ?? '__typename'

  it('has the same rows in the same order from either end, and the reverse in the other direction', async () => {
    const args = (orderDirection: string) => ({ orderBy: order, orderDirection, ...groupsOf(list) })
    const ascending = await walk(list, args('asc'), selection, false, LARGEST_PAGE)
    expect(ascending.length).toBeGreaterThan(2)
    const cursors = ascending.map(({ cursor }) => cursor)
    expect(new Set(cursors).size).toBe(cursors.length)
    const size = ascending.length > 2 * PAGE ? PAGE : Math.max(2, ascending.length >> 1)
    for (const fromEnd of [false, true]) {
      expect(await walk(list, args('asc'), selection, fromEnd, size)).toEqual(ascending)
      expect(await walk(list, args('desc'), selection, fromEnd, size)).toEqual([...ascending].reverse())
    }
    const values = ascending.flatMap(({ node }) => (field ? [node[field]] : []))
    expect(values).toEqual([...values].sort(compare))
  })
})

/** Aggregates have as many groups as there are values of what they are grouped by. */
function groupsOf({ args }: List): Record<string, string> {
  const type = args.find(({ name }) => name === 'groupBy')?.type
  const named = type && getNamedType(type)
  if (!isEnumType(named)) return {}
  const keys = named.getValues().map(({ name }) => name)
  const some = keys.filter((key) => !/Week|Month/.test(key)).slice(0, 3)
  return { groupBy: `[${some.join(', ')}]` }
}
