/**
 * Every argument of every root field, down to the last field of its filters, with all that a careless or hostile caller may put
 * there. A new argument is in here by being in the schema.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { schema } from '../../api/graphql/schema.ts'
import { HOSTILE, WRONG_CHECKSUM } from '../support/hostile.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { ask, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

type Place = { told: string; type: GraphQLInputType; within: (value: unknown) => unknown }

/** The argument itself and every field of it that holds a plain value; `AND` and `OR` hold the same fields again. */
function places(told: string, type: GraphQLInputType, within: Place['within'], depth = 0): Place[] {
  if (isNonNullType(type)) return places(told, type.ofType, within, depth)
  if (isListType(type)) return places(told, type.ofType, (value) => within([value]), depth)
  if (isLeafType(type)) return [{ told, type, within }]
  if (!isInputObjectType(type) || depth > 2) return []
  return Object.values(type.getFields()).flatMap(({ name, type: part }) =>
    getNamedType(part) === type
      ? []
      : places(`${told}.${name}`, part, (value) => within({ [name]: value }), depth + 1),
  )
}

/** A value that fits a required argument beside the one that is tried. */
function fitting({ type }: GraphQLArgument): unknown {
  const { vaults, claimIds } = sharedWorld()
  return { Address: vaults[0], Hash: claimIds[0], ID: 'Q2xhaW06MA', Int: 1 }[getNamedType(type).name]
}

function document({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const variables = args.map((arg) => `$${arg.name}: ${String(arg.type).replace(/!$/, '')}`)
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`)
  return `query (${variables.join(', ')}) { ${name}(${passed.join(', ')}) ${selection(getNamedType(type))} }`
}

/** Enough of a type for its rows to be read. */
function selection(type: GraphQLNamedType): string {
  if (!isObjectType(type)) return isLeafType(type) ? '' : '{ __typename }'
  const leaves = Object.values(type.getFields()).filter(
    (field) => isLeafType(getNamedType(field.type)) && field.args.length === 0,
  )
  const nodes = 'nodes' in type.getFields() ? ['nodes { __typename }'] : []
  return `{ ${['__typename', ...leaves.map(({ name }) => name), ...nodes].join(' ')} }`
}

/** What no text of this scalar may be, whatever else it is: the scalar itself says so. */
function isRefusedByScalar(type: GraphQLInputType, value: unknown): boolean {
  if (!isScalarType(type)) return false
  try {
    type.parseValue(value)
    return false
  } catch {
    return true
  }
}

const CODES = ['VALIDATION_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'QUERY_TOO_COMPLEX']

const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ args }) => args.length > 0)

describe.each(fields.map((field) => [field.name, field] as const))('every argument of %s', (_, field) => {
  it('is answered or refused with a code, and refused where its type does not allow the value', async () => {
    const query = document(field)
    const required = Object.fromEntries(
      field.args.filter(isRequiredArgument).map((arg) => [arg.name, fitting(arg)]),
    )
    for (const arg of field.args) {
      for (const { told, type, within } of places(arg.name, arg.type, (value) => value)) {
        const tries = [...HOSTILE, WRONG_CHECKSUM].map(async (value) => {
          const { errors = [] } = await ask(query, { ...required, [arg.name]: within(value) })
          const where = `${field.name} ${told} = ${JSON.stringify(value)?.slice(0, 80)}`
          for (const { extensions } of errors) expect(CODES, where).toContain(extensions.code)
          if (value !== null && isRefusedByScalar(type, value)) expect(errors, where).not.toEqual([])
        })
        await Promise.all(tries)
      }
    }
  })
})
