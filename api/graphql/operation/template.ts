/**
 * Variables without their addresses, hashes and positions in lists, so that one statement is written for all requests
 * that differ in those alone.
 */
import { randomBytes } from 'node:crypto'
import { type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql'
import type { Reading } from '../../projection/session/statement.ts'
import { isValue, mapCursor } from '../../projection/sql/cursor.ts'
import type { DeclaredVariable } from './coerce.ts'

type Variables = Readonly<Record<string, unknown>>

export type Template = {
  /** With a placeholder for each address, hash, and key of a cursor. Requests of one shape have the same. */
  readonly variables: Variables
  /** The values by their placeholders. */
  readonly values: ReadonlyMap<unknown, string>
}

const HEX_DIGITS: { readonly [scalar: string]: number | undefined } = { Address: 40, Hash: 64 }
const MARK_DIGITS = 24
const HEX_KEY_LENGTH = 66
/**
 * Digits that all placeholders contain. No client can guess them, so no literal, cursor or id of a request contains
 * them, however it is encoded. No answer depends on them.
 */
const MARK = randomBytes(MARK_DIGITS / 2).toString('hex')
/** The mark of placeholders in decimal digits. */
const DECIMAL_MARK = `1${BigInt(`0x${MARK}`)}`
const DECIMAL_DIGITS = 40

/** @param variables coerced: addresses and hashes are lowercase */
export function toTemplate(declared: readonly DeclaredVariable[], variables: Variables): Template {
  const values = new Map<unknown, string>()
  const place = (value: string, mark: string, digits: number, radix: number) => {
    const placeholder = `${mark}${values.size.toString(radix).padStart(digits - mark.length, '0')}`
    values.set(placeholder, value)
    return placeholder
  }
  // Only what is valid in a cursor, because the placeholder is validated in its place.
  const abstractKey = (value: string) => {
    if (isValue('hex', value)) return place(value, `0x${MARK}`, HEX_KEY_LENGTH, 16)
    // A count has no room for a placeholder.
    const isLong = isValue('integer', value) && !isValue('count', value)
    return isLong ? place(value, DECIMAL_MARK, DECIMAL_DIGITS, 10) : value
  }
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
    if (typeof value !== 'string') return value
    // All arguments of this type are cursors.
    if (type.name === 'String') return mapCursor(value, abstractKey) ?? value
    const digits = HEX_DIGITS[type.name]
    if (digits === undefined) return value
    return place(value, `0x${MARK}`, 2 + digits, 16)
  }
  const abstracted: Record<string, unknown> = Object.create(null)
  for (const { name, type } of declared)
    if (name in variables) abstracted[name] = abstract(type, variables[name])
  return { variables: abstracted, values }
}

/** Equal for equal variables only, since their types are those of the document. */
export function writeKey(variables: unknown): string {
  return JSON.stringify(variables, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Whether each placeholder is a parameter of its own. */
export function isBindable({ text, values }: Reading, template: Template): boolean {
  const holdsMark = (written: string) => written.includes(MARK) || written.includes(DECIMAL_MARK)
  return (
    !holdsMark(text) && values.every((value) => template.values.has(value) || !holdsMark(writeKey([value])))
  )
}

/** Makes the statement of a request. */
export function bind(reading: Reading, { values }: Template): Reading {
  return { ...reading, values: reading.values.map((value) => values.get(value) ?? value) }
}

function mapValues(record: Variables, toValue: (name: string, value: unknown) => unknown): Variables {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toValue(name, value)]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
