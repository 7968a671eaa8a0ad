/** No relation of any type is read row by row: whatever the schema offers, few statements answer it. A new field is in here by itself. */
import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { sharedWorld } from '../support/world.ts'
import { byResolvers, createClient } from './client.ts'
import { asked, connectionsOf, objectType, relationsOf, rowType, selected } from './walk.ts'

const { ask, takeStatements, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const rootLists = connectionsOf(objectType('Query'))

/** Statements that an operation reads rows with. */
async function countReads(query: string): Promise<number> {
  takeStatements()
  const { errors } = await ask(byResolvers(query))
  expect(errors, query).toBeUndefined()
  return takeStatements().filter((text) => text.includes('projection') && !text.includes('_ponder_')).length
}

/** A query that comes to rows of a type by each way there is from the top. */
function waysTo(type: GraphQLObjectType): ((inner: string, first: number) => string)[] {
  return rootLists.flatMap((list) => {
    const row = rowType(getNamedType(list.type))
    if (row === type) {
      return [(inner, first) => `{ ${asked(list, { first: String(first) })} { nodes { ${inner} } } }`]
    }
    return relationsOf(row)
      .filter((field) => getNamedType(field.type) === type)
      .slice(0, 1)
      .map((field) => (inner: string, first: number) => {
        return `{ ${asked(list, { first: String(first) })} { nodes { ${asked(field)} { ${inner} } } } }`
      })
  })
}

const reachable = new Set(
  rootLists
    .map((list) => rowType(getNamedType(list.type)))
    .flatMap((row) => [row, ...relationsOf(row).map((field) => getNamedType(field.type))])
    .filter(isObjectType)
    .filter((type) => relationsOf(type).length > 0 && !type.name.endsWith('Connection')),
)

describe.each([...reachable].map((type): [string, GraphQLObjectType] => [type.name, type]))(
  '%s',
  (_, type) => {
    const [way] = waysTo(type)

    it('has relations that many rows read in as many statements as one', async () => {
      if (!way) throw new Error('nothing leads here')
      for (const field of relationsOf(type)) {
        const few = await countReads(way(selected(field, 2), 1))
        const many = await countReads(way(selected(field, 2), 25))
        // The row's own list, the relation, its count, and the planner's estimate of a count that no rollup answers; one more where a
        // relation leads here, and one for the legs of executions where that is the claim or the vault of an entry of activity.
        expect(many, `${type.name}.${field.name}`).toBeLessThanOrEqual(6)
        expect(few).toBeLessThanOrEqual(many)
      }
    })

    it('has all of them at once in at most three statements for each relation', async () => {
      if (!way) throw new Error('nothing leads here')
      const fields = relationsOf(type)
      const all = fields.map((field) => selected(field, 2)).join(' ')
      expect(await countReads(way(all, 10))).toBeLessThanOrEqual(2 + 3 * fields.length)
    })
  },
)
