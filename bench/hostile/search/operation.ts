/** A random operation over the schema as a tree of its fields. */
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
} from 'graphql'
import { type Args, argumentsOf, chance, type Draw, pick } from './arguments.ts'

/** One field. The operation itself is one that selects the root fields. */
export type Selected = {
  name: string
  args: Args
  /** Type of the objects whose fields are selected, for an interface one of its types. Undefined for a scalar. */
  type: string | undefined
  fields: Selected[]
}

export const ROOT = 'Query'
/** Most objects around a field of a tree that is drawn. Changes nest deeper. */
const DEPTH = 4
const FIELDS_MAX = 10

export function drawOperation(draw: Draw): Selected {
  return { name: '', args: {}, type: ROOT, fields: [drawField(draw, ROOT, DEPTH)] }
}

/** Draws a field of the type with its selection. @param depth of objects below it */
export function drawField(draw: Draw, type: string, depth: number): Selected {
  const leaves = leavesOf(draw.schema, type)
  const objects = fieldsOf(draw.schema, type).filter((field) => !isLeaf(field))
  const isNested = objects.length > 0 && (isPage(type) ? chance(draw, 0.8) : depth > 0 && chance(draw, 0.3))
  const field = pick(draw, type === ROOT || isNested ? objects : leaves)
  return complete(draw, field, isPage(type) ? depth : depth - 1)
}

function complete(draw: Draw, field: GraphQLField<unknown, unknown>, depth: number): Selected {
  const args = argumentsOf(draw, field.args)
  const type = objectOf(draw, field)
  if (type === undefined) return { name: field.name, args, type, fields: [] }
  const count = isPage(type) ? 1 : 1 + Math.floor(draw.random() ** 2 * FIELDS_MAX)
  const fields = Array.from({ length: count }, () => drawField(draw, type, depth))
  return { name: field.name, args, type, fields }
}

/** A page and its edges have no depth of their own: without rows, they are of no use. */
function isPage(type: string): boolean {
  return /(?:Connection|Edge)$/.test(type)
}

function objectOf(draw: Draw, { type }: GraphQLField<unknown, unknown>): string | undefined {
  const named = getNamedType(type)
  if (isAbstractType(named)) return pick(draw, draw.schema.getPossibleTypes(named)).name
  return isLeafType(named) ? undefined : named.name
}

export function fieldsOf(schema: GraphQLSchema, type: string): GraphQLField<unknown, unknown>[] {
  const named = schema.getType(type)
  return isObjectType(named) ? Object.values(named.getFields()) : []
}

/** The fields of a type that have no selection. An object without one, such as an edge's, has them all. */
export function leavesOf(schema: GraphQLSchema, type: string): GraphQLField<unknown, unknown>[] {
  const all = fieldsOf(schema, type)
  const leaves = all.filter(isLeaf)
  return leaves.length > 0 ? leaves : all
}

function isLeaf({ type }: GraphQLField<unknown, unknown>): boolean {
  return isLeafType(getNamedType(type))
}

/** Every field of the operation that selects others, the operation included. */
export function objectsIn(selected: Selected): Selected[] {
  return selected.type === undefined ? [] : [selected, ...selected.fields.flatMap(objectsIn)]
}
