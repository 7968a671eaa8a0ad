/** Random arguments: pages of all sizes, filters of one condition to the most, values that exist and others. */
import {
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
} from 'graphql'
import type { Random } from '../../../api/domain/random.ts'
import type { ScalarSamples } from '../../../test/fuzz/graphql-input.ts'

export type Draw = { random: Random; schema: GraphQLSchema; samples: ScalarSamples }
export type Args = Record<string, unknown>

const PAGES = [1, 2, 5, 20, 50, 100, 200]
/** Values of a list, and members of `AND` and `OR`. */
const LENGTHS = [1, 2, 5, 20, 45, 90, 200]
/** Other lists, such as groupings, have few members. */
const DIMENSIONS_MAX = 4

export function pick<T>(draw: Draw, from: readonly T[]): T {
  const one = from[Math.floor(draw.random() * from.length)]
  if (one === undefined) throw new Error('there is nothing to pick from')
  return one
}

export function chance(draw: Draw, probability: number): boolean {
  return draw.random() < probability
}

/** A page has one direction, and cursors are those of an earlier answer. */
export function isPaging(name: string): boolean {
  return ['first', 'last', 'after', 'before'].includes(name)
}

export function argumentsOf(draw: Draw, args: readonly GraphQLArgument[]): Args {
  const isPage = args.some(({ name }) => name === 'first')
  const page = isPage ? { [chance(draw, 0.1) ? 'last' : 'first']: pick(draw, PAGES) } : {}
  const chosen = args.filter((arg) => !isPaging(arg.name) && (isRequiredArgument(arg) || chance(draw, 0.5)))
  return { ...page, ...Object.fromEntries(chosen.map(({ name, type }) => [name, valueFor(draw, type)])) }
}

function valueFor(draw: Draw, type: GraphQLInputType, depth = 0): unknown {
  if (isNonNullType(type)) return valueFor(draw, type.ofType, depth)
  if (isListType(type)) {
    const isShort = isEnumType(getNamedType(type)) && depth === 0
    const length = isShort ? Math.floor(draw.random() * (DIMENSIONS_MAX + 1)) : pick(draw, LENGTHS)
    return distinct(Array.from({ length }, () => valueFor(draw, type.ofType, depth)))
  }
  if (isEnumType(type)) return pick(draw, type.getValues()).name
  if (isInputObjectType(type)) return filterOf(draw, type, depth)
  return pick(draw, draw.samples[type.name] ?? draw.samples.String ?? [])
}

function distinct(values: unknown[]): unknown[] {
  return [...new Set(values)]
}

/** One to three conditions, or many that are joined by `AND` or `OR`. */
export function filterOf(draw: Draw, type: GraphQLInputObjectType, depth = 0): Args {
  const [joins, own] = [['AND', 'OR'], Object.values(type.getFields())]
  if (depth < 2 && chance(draw, 0.25)) {
    const members = Array.from({ length: pick(draw, LENGTHS) }, () => filterOf(draw, type, depth + 1))
    return { [pick(draw, joins)]: members }
  }
  const fields = own.filter(({ name }) => !joins.includes(name))
  const count = depth > 0 || chance(draw, 0.6) ? 1 : 3
  const chosen = Array.from({ length: count }, () => pick(draw, fields))
  return Object.fromEntries(chosen.map((field) => [field.name, valueFor(draw, field.type, depth + 1)]))
}
