/** Variables without their addresses and hashes, so that one statement is written for all requests that differ in those alone. */
import { randomBytes } from 'node:crypto'
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import type { Reading } from '../../projection/statement.ts'

type Variables = Readonly<Record<string, unknown>>

export type Template = {
  /** With a placeholder for each address and hash. Requests of one shape have the same. */
  readonly variables: Variables
  /** The values by their placeholders. */
  readonly values: ReadonlyMap<unknown, string>
}

const HEX_DIGITS: { readonly [scalar: string]: number | undefined } = { Address: 40, Hash: 64 }
const MARK_DIGITS = 24
/**
 * What all placeholders contain. No client can guess it, so no literal, cursor or id of a request contains it, however it is encoded. No answer depends
 * on it.
 */
const MARK = randomBytes(MARK_DIGITS / 2).toString('hex')

/** @param variables coerced: addresses and hashes are lowercase */
export function toTemplate(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Variables,
): Template {
  const values = new Map<unknown, string>()
  const abstract = (type: GraphQLInputType, value: unknown): unknown => {
    if (isNonNullType(type)) return abstract(type.ofType, value)
    if (isListType(type))
      return Array.isArray(value) ? value.map((item) => abstract(type.ofType, item)) : value
    if (isInputObjectType(type)) {
      if (!isRecord(value)) return value
      const fields = type.getFields()
      return mapValues(value, (name, one) => {
        const field = fields[name]
        return field ? abstract(field.type, one) : one
      })
    }
    const digits = HEX_DIGITS[type.name]
    if (digits === undefined || typeof value !== 'string') return value
    const placeholder = `0x${MARK}${values.size.toString(16).padStart(digits - MARK_DIGITS, '0')}`
    values.set(placeholder, value)
    return placeholder
  }
  const types = new Map(
    definitions.map(({ variable, type }) => [variable.name.value, typeFromAST(schema, type)]),
  )
  const abstracted = mapValues(variables, (name, value) => {
    const type = types.get(name)
    return type && isInputType(type) ? abstract(type, value) : value
  })
  return { variables: abstracted, values }
}

/** Equal for equal variables only, since their types are those of the document. */
export function writeKey(variables: unknown): string {
  return JSON.stringify(variables, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Whether each placeholder is a parameter of its own. */
export function isBindable({ text, values }: Reading, template: Template): boolean {
  const holds = (value: unknown) => writeKey([value]).includes(MARK)
  return !text.includes(MARK) && values.every((value) => template.values.has(value) || !holds(value))
}

/** The statement of a request. */
export function bind(reading: Reading, { values }: Template): Reading {
  return { ...reading, values: reading.values.map((value) => values.get(value) ?? value) }
}

function mapValues(record: Variables, toValue: (name: string, value: unknown) => unknown): Variables {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toValue(name, value)]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
