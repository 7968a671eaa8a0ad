/** Values that were found outside of Postgres, as the selection shows them. */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { FinalizedThrough } from '../../../projection/session/snapshot.ts'
import { type Given, selectedIn } from '../plan/walk.ts'

type Of = { readonly nodes: readonly FieldNode[]; readonly through: FinalizedThrough }

/** @throws Error where the type does not allow the value */
export function complete(walk: Given, type: GraphQLOutputType, value: unknown, of: Of): unknown {
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
export function givenValue(
  { name, extensions }: GraphQLField<unknown, unknown>,
  object: object,
  through: FinalizedThrough,
): unknown {
  const { read, pothosExposedField: property } = extensions
  // The declaration was typed by its object.
  if (read?.kind === 'given') return Reflect.apply(read.value, undefined, [object, through])
  if (typeof property !== 'string') throw new Error(`the field ${name} is declared for rows`)
  return Reflect.get(object, property)
}
