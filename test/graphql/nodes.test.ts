/** Whatever a list shows is found again by its global id, alone and together. */
import { getNamedType, isInterfaceType, isObjectType } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { schema } from '../../api/graphql/schema.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'
import { asked, connectionsOf, objectType, rowType } from './walk.ts'

const { ask, takeStatements, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

type Node = { __typename: string; id: string }

/** The lists of the query whose rows are nodes. */
const lists = connectionsOf(objectType('Query')).filter((list) => {
  const row = rowType(getNamedType(list.type))
  return row.getInterfaces().some(({ name }) => name === 'Node')
})

async function rowsOf(list: (typeof lists)[number]): Promise<Node[]> {
  const { data } = await ask(`{ ${asked(list, { first: '3' })} { nodes { __typename id } } }`)
  return data[list.name].nodes
}

const nodes = (ids: string[]) => ask('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids })

describe('global ids', () => {
  it('are of every type that has a table', async () => {
    const node = schema.getType('Node')
    if (!isInterfaceType(node)) throw new Error('there is no interface Node')
    const listed = lists.map((list) => rowType(getNamedType(list.type)).name)
    const others = schema
      .getPossibleTypes(node)
      .filter((type) => isObjectType(type) && !listed.includes(type.name))
    expect(others.map(({ name }) => name).sort()).toEqual(['Account', 'Router'])
  })

  it.each(lists.map((list) => [list.name, list] as const))('find the rows of %s again', async (_, list) => {
    const rows = await rowsOf(list)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      const { data } = await ask('query ($id: ID!) { node(id: $id) { __typename id } }', { id: row.id })
      expect(data.node).toEqual(row)
    }
    const reversed = rows.toReversed()
    expect((await nodes(reversed.map(({ id }) => id))).data.nodes).toEqual(reversed)
  })

  it('of all types at once are found in their order, by one statement', async () => {
    const rows = (await Promise.all(lists.map(rowsOf))).flat()
    takeStatements()
    const { data } = await nodes(rows.map(({ id }) => id))
    expect(data.nodes).toEqual(rows)
    expect(takeStatements()).toHaveLength(1)
  })

  it('of nothing are null, whatever stands in them', async () => {
    const unknown = [
      'Claim:0xab',
      'Allocation:0xab',
      'Allocation:0xab-x',
      'Allocation:0xab-1-2',
      'VaultDay:-',
      'Activity:7',
      `Account:0x${'aB'.repeat(20)}`,
      `Account:0X${'ab'.repeat(20)}`,
      `Account:0x${'ab'.repeat(19)}a`,
      `Account:0x${'ab'.repeat(20)}a`,
      `Account:${'ab'.repeat(21)}`,
    ]
    const { data, errors } = await nodes(unknown.map((text) => btoa(text)))
    expect(errors).toBeUndefined()
    expect(data.nodes).toEqual(unknown.map(() => null))
    for (const text of unknown) {
      const alone = await ask('query ($id: ID!) { node(id: $id) { id } }', { id: btoa(text) })
      expect([text, alone]).toMatchObject([text, { data: { node: null } }])
    }
  })

  it('of accounts are those of all addresses in lower case', async () => {
    const rows = ['ab', '00'].map((byte) => {
      const address = `0x${byte.repeat(20)}`
      return { id: btoa(`Account:${address}`), address }
    })
    const query =
      'query ($ids: [ID!]!, $id: ID!) { nodes(ids: $ids) { id ... on Account { address } } node(id: $id) { id ... on Account { address } } }'
    const { data } = await ask(query, { ids: rows.map(({ id }) => id), id: rows[0]?.id })
    expect(data).toEqual({ nodes: rows, node: rows[0] })
  })

  it('are refused beyond 200 at once', async () => {
    const { errors = [] } = await nodes(Array.from({ length: 201 }, () => btoa('Claim:0xab')))
    expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ path: 'ids' }] } }])
  })
})
