/**
 * No relation of any type is read row by row: one statement answers all that the schema offers. A new field is in here
 * by itself.
 */
import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'
import { asked, connectionsOf, objectType, relationsOf, rowType, selected } from './walk.ts'

const { ask, takeStatements, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const rootLists = connectionsOf(objectType('Query'))

/** Groups have a minimum, for which the planner's estimate comes first, in a snapshot of its own. */
const readsMax = ({ name }: GraphQLObjectType): number => (name.endsWith('Group') ? 2 : 1)

/** Statements that an operation reads rows with. */
async function countReads(query: string): Promise<number> {
  takeStatements()
  const { errors } = await ask(query)
  expect(errors, query).toBeUndefined()
  return takeStatements().filter((text) => text.includes('projection') && !text.startsWith('explain')).length
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

    it('has relations that one statement reads for many rows', async () => {
      if (!way) throw new Error('nothing leads here')
      for (const field of relationsOf(type))
        expect(
          await countReads(way(selected(field, 2), 25)),
          `${type.name}.${field.name}`,
        ).toBeLessThanOrEqual(readsMax(type))
    })

    it('has all of them at once in one statement', async () => {
      if (!way) throw new Error('nothing leads here')
      const all = relationsOf(type).map((field) => selected(field, 2))
      expect(await countReads(way(all.join(' '), 5))).toBeLessThanOrEqual(readsMax(type))
    })
  },
)
