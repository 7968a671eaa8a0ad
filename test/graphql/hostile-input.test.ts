/**
 * Every argument of every root field and every field of its filters, with all that a careless or hostile caller may put
 * there. The fields of a filter that several arguments share are tried once. A new argument is in here by being in the
 * schema.
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
import { EDGES, HOSTILE, WRONG_CHECKSUM } from '../support/hostile.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { ask, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

type Place = { name: string; type: GraphQLInputType; within: (value: unknown) => unknown }

/** Fields of filters that are in some place already, as `Type.field`. */
const placed = new Set<string>()

/** The argument itself and every field of it that holds a plain value; `AND` and `OR` hold the same fields again. */
function places(name: string, type: GraphQLInputType, within: Place['within'], depth = 0): Place[] {
  if (isNonNullType(type)) return places(name, type.ofType, within, depth)
  if (isListType(type)) return places(name, type.ofType, (value) => within([value]), depth)
  if (isLeafType(type)) return [{ name, type, within }]
  if (!isInputObjectType(type) || depth > 2) return []
  return Object.values(type.getFields()).flatMap((field) => {
    const own = `${type.name}.${field.name}`
    if (getNamedType(field.type) === type || placed.has(own)) return []
    placed.add(own)
    const withinField = (value: unknown) => within({ [field.name]: value })
    return places(`${name}.${field.name}`, field.type, withinField, depth + 1)
  })
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

/** Whether the scalar itself refuses the value. */
function isRefusedByScalar(type: GraphQLInputType, value: unknown): boolean {
  if (!isScalarType(type)) return false
  try {
    type.parseValue(value)
    return false
  } catch {
    return true
  }
}

/** Operators and types of which a field has been given every value. */
const tried = new Set<string>()

/** All values for the first field of a type under an operator, the edges for others like it. */
function valuesFor({ name, type }: Place): readonly unknown[] {
  const kind = `${type} ${/_[a-z]+$/.exec(name)?.[0] ?? ''}`
  const isFirst = !tried.has(kind)
  tried.add(kind)
  return isFirst ? [...HOSTILE, WRONG_CHECKSUM] : EDGES
}

const CODES = ['VALIDATION_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'QUERY_TOO_COMPLEX', 'AS_OF_NOT_FINAL']

const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ args }) => args.length > 0)

describe.each(fields.map((field) => [field.name, field] as const))('every argument of %s', (_, field) => {
  it('is answered or refused with a code, and refused where its type does not allow the value', async () => {
    const query = document(field)
    const required = Object.fromEntries(
      field.args.filter(isRequiredArgument).map((arg) => [arg.name, fitting(arg)]),
    )
    for (const arg of field.args) {
      for (const place of places(arg.name, arg.type, (value) => value)) {
        const { name, type, within } = place
        const tries = valuesFor(place).map(async (value) => {
          const { errors = [] } = await ask(query, { ...required, [arg.name]: within(value) })
          const where = `${field.name} ${name} = ${JSON.stringify(value)?.slice(0, 80)}`
          for (const { extensions } of errors) expect(CODES, where).toContain(extensions.code)
          if (value !== null && isRefusedByScalar(type, value)) expect(errors, where).not.toEqual([])
        })
        await Promise.all(tries)
      }
    }
  })
})
