/** Values that the statement does not have, as holes in its answer. */
import {
  executeSync,
  type FieldNode,
  type GraphQLField,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql'
import type { FinalizedThrough } from '../../../projection/session/state.ts'
import { type Json, NULL } from '../../../projection/sql/json.ts'
import { type Given, type Hole, selectedIn, type Walk } from './walk.ts'

type Field = GraphQLField<unknown, unknown>

/** Notes a hole at the present field. @param needs what determines its value beside the arguments. Default: nothing */
export function toHole(
  walk: Walk,
  { type }: Field,
  nodes: readonly FieldNode[],
  fill: Hole['fill'],
  { needs = NULL, args = {} }: { needs?: Json | undefined; args?: object } = {},
): Json {
  walk.notes.needsBlock = true
  walk.notes.holes.push({
    path: walk.path(),
    args,
    past: walk.past,
    fill: async (found, outside, through) => {
      const values = await fill(found, outside, through)
      return values.map((value) => complete(walk, type, value, { nodes, through }))
    },
  })
  return needs
}

/** Notes the value of a field of an object that was found outside of Postgres. */
export function toGiven(
  walk: Walk,
  field: Field,
  nodes: readonly FieldNode[],
  given: object | undefined,
): Json {
  if (!given) throw new Error(`the field ${field.name} is not declared for rows`)
  return toHole(walk, field, nodes, async (_, __, through) => [givenValue(field, given, through)])
}

/** Notes the answer of an introspection field, which depends on no block. */
export function toIntrospection(walk: Walk, nodes: readonly FieldNode[]): Json {
  walk.notes.holes.push({
    path: walk.path(),
    args: {},
    past: undefined,
    fill: async () => [introspect(walk, nodes)],
  })
  return NULL
}

/** @throws Error where the schema has no answer */
function introspect({ schema, fragments, operation, sent }: Given, nodes: readonly FieldNode[]): unknown {
  const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const
  const document = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet }, ...Object.values(fragments)],
  } as const
  const { data, errors } = executeSync({ schema, document, variableValues: sent })
  if (errors?.[0]) throw errors[0]
  return Object.values(data ?? {})[0]
}

type Of = { readonly nodes: readonly FieldNode[]; readonly through: FinalizedThrough }

/** Returns the value as the selection shows it. @throws Error where the type does not allow the value */
function complete(walk: Given, type: GraphQLOutputType, value: unknown, of: Of): unknown {
  if (isNonNullType(type)) {
    const completed = complete(walk, type.ofType, value, of)
    if (completed === null) throw new Error(`there is no value of the type ${type}`)
    return completed
  }
  if (value === null || value === undefined) return null
  if (isListType(type)) {
    if (!Array.isArray(value)) throw new Error(`a value of the type ${type} is no list`)
    return value.map((item) => complete(walk, type.ofType, item, of))
  }
  if (isLeafType(type)) return type.serialize(value)
  if (!isObjectType(type) || typeof value !== 'object') throw new Error(`no value of the type ${type}`)
  const fields = [...selectedIn(walk, type, of.nodes)].map(([name, nodes]): [string, unknown] => {
    const fieldName = nodes[0]?.name.value ?? ''
    const field = type.getFields()[fieldName]
    if (!field) return [name, type.name]
    return [name, complete(walk, field.type, givenValue(field, value, of.through), { ...of, nodes })]
  })
  return Object.fromEntries(fields)
}

/** Returns the value of a field of such an object: as it is declared, or the property that is exposed. */
function givenValue({ name, extensions }: Field, object: object, through: FinalizedThrough): unknown {
  const { read, pothosExposedField: property } = extensions
  // The declaration was typed by its object.
  if (read?.kind === 'given') return Reflect.apply(read.value, undefined, [object, through])
  if (typeof property !== 'string') throw new Error(`the field ${name} is declared for rows`)
  return Reflect.get(object, property)
}
