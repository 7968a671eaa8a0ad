/** The price of introspection is the number of fields that GraphQL really answers. */
import { execute, getIntrospectionQuery, getOperationAST, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import {
  INTROSPECTION_COST_MAX,
  introspectionCost,
} from '../../api/graphql/operation/measure/introspection-cost.ts'
import { fieldsOf, fragmentsOf } from '../../api/graphql/operation/selections.ts'
import { schema } from '../../api/graphql/schema.ts'

function price(query: string, variables: Record<string, unknown> = {}, maximum = Number.POSITIVE_INFINITY) {
  const document = parse(query)
  const fragments = fragmentsOf(document)
  const selectionSet = getOperationAST(document)?.selectionSet
  if (!selectionSet) throw new Error('the query has no operation')
  return introspectionCost(fieldsOf(selectionSet, fragments), fragments, variables, maximum)
}

async function answeredFields(query: string, variableValues: Record<string, unknown> = {}): Promise<number> {
  const { data, errors } = await execute({ schema, document: parse(query), variableValues })
  expect(errors).toBeUndefined()
  return countFields(Object.values(data ?? {}))
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce<number>((sum, part) => sum + countFields(part), own)
}

describe('the price of introspection', () => {
  it.each<[string, string, Record<string, unknown>?]>([
    ['the standard query', getIntrospectionQuery()],
    [
      'one type',
      '{ __type(name: "ClaimFilter") { name inputFields { name type { name ofType { name } } } } }',
    ],
    [
      'a type named by a variable',
      'query ($name: String!) { __type(name: $name) { kind fields { name } } }',
      { name: 'Vault' },
    ],
    ['a type that there is not', '{ __type(name: "Nothing") { name fields { name } } }'],
    [
      'everything that introspection leads to',
      `{ __schema { description queryType { ...t } mutationType { ...t } subscriptionType { ...t }
         types { ...t fields { args { name type { name } } type { ofType { name } } } interfaces { name } possibleTypes { name } }
         directives { name args { name defaultValue type { kind } } } } }
       fragment t on __Type { kind name ... on __Type { enumValues { name } inputFields { type { name } } } }`,
    ],
    [
      'a type beside rows',
      '{ a: __type(name: "Claim") { fields { name } } ... { b: __schema { types { name } } } __typename }',
    ],
  ])('is the number of fields that are answered: %s', async (_, query, variables) => {
    expect(price(query, variables)).toBe(await answeredFields(query, variables))
  })

  it('allows the standard query once, with all its options', () => {
    const standard = price(getIntrospectionQuery({ descriptions: true }))
    expect(standard).toBeLessThanOrEqual(INTROSPECTION_COST_MAX)
    expect(2 * standard).toBeGreaterThan(INTROSPECTION_COST_MAX)
  })

  it('is counted no further than one beyond the limit', () => {
    const doubling = (i: number) =>
      `fragment f${i} on __Type { a: ofType { ...f${i + 1} } b: fields { type { ...f${i + 1} } } }`
    const query = `{ __schema { types { ...f0 } } } ${Array.from({ length: 50 }, (_, i) => doubling(i)).join(' ')} fragment f50 on __Type { name }`
    expect(price(query, {}, 1000)).toBe(1001)
  })
})
