/**
 * Shapes: requests of one document that differ only in addresses, hashes and positions in lists have one shape. Values
 * that depend on the shape alone are computed once.
 */
import { randomBytes } from 'node:crypto'
import {
  type ConstValueNode,
  coerceInputValue,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLInputType,
  type GraphQLSchema,
  getOperationAST,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql'
import { validationFailed } from '../../errors.ts'
import { isValue, mapCursor } from '../../projection/sql/cursor.ts'
import type { Reading } from '../../projection/sql/statement.ts'
import { AS_OF_TYPE } from '../kit/as-of.ts'

type Variables = Readonly<Record<string, unknown>>

/** An operation with its variables, which was validated. */
export type Asked = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>

export type Shape = {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** As they were sent. */
  readonly sent: Variables
  /** As values of their types. */
  readonly variables: Variables
  readonly template: Template
  /** Equal for requests of the document that have one shape. */
  readonly key: string
}

/**
 * @returns undefined where the document has no such operation
 * @throws CodedError `VALIDATION_FAILED` for a variable that does not fit its type
 */
export function toShape({ schema, document, operationName, variableValues }: Asked): Shape | undefined {
  const operation = getOperationAST(document, operationName)
  if (!operation) return undefined
  const sent = variableValues ?? {}
  const declared = variablesOf(schema, operation)
  const variables = coerceVariables(declared, sent)
  const template = toTemplate(declared, variables)
  const key = writeKey([operationName, template.variables])
  return { schema, document, operation, sent, variables, template, key }
}

type DeclaredVariable = {
  readonly name: string
  readonly type: GraphQLInputType
  readonly defaultValue: ConstValueNode | undefined
}

function variablesOf(schema: GraphQLSchema, operation: OperationDefinitionNode): readonly DeclaredVariable[] {
  return (operation.variableDefinitions ?? []).flatMap(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node)
    return isInputType(type) ? [{ name: variable.name.value, type, defaultValue }] : []
  })
}

/**
 * Checks a value against its type without the cost of GraphQL's own reports, each of which prints the whole value.
 *
 * @param path of the value, for the error
 * @returns the value of the type
 * @throws CodedError `VALIDATION_FAILED` at the first fault
 */
export function coerceInput(value: unknown, type: GraphQLInputType, path: string): unknown {
  return coerceInputValue(value, type, (at, _, error) => {
    throw validationFailed([{ path: [path, ...at].join('.'), message: error.message }])
  })
}

/**
 * Returns the variables of an operation as values of their types, with defaults.
 *
 * @throws CodedError `VALIDATION_FAILED` at the first fault
 */
function coerceVariables(
  declared: readonly DeclaredVariable[],
  variables: Variables,
): Record<string, unknown> {
  const coerced: Record<string, unknown> = Object.create(null)
  for (const { name, type, defaultValue } of declared) {
    if (Object.hasOwn(variables, name)) coerced[name] = coerceInput(variables[name], type, name)
    else if (defaultValue) coerced[name] = valueFromAST(defaultValue, type)
    else if (isNonNullType(type)) coerced[name] = coerceInput(undefined, type, name)
  }
  return coerced
}

/** Shapes of a document of which a value is kept, and what a shape may have. */
const KEPT_MAX = 4
const KEPT_KEY_MAX = 500
const KEPT_DOCUMENT_MAX = 4000

type Found<T> = { readonly value: T; readonly isKept: boolean }

/**
 * Memoizes `find` per shape, for as long as the document is kept. @param find depends on nothing but what requests of
 * one shape share
 */
export function keptByShape<T>(find: (shape: Shape) => Found<T>): (shape: Shape) => T {
  const kept = new WeakMap<DocumentNode, Map<string, Found<T>>>()
  return (shape) => {
    const { document, key } = shape
    const known = kept.get(document) ?? new Map<string, Found<T>>()
    const found = known.get(key) ?? find(shape)
    const isSmall = key.length <= KEPT_KEY_MAX && lengthOf(document) <= KEPT_DOCUMENT_MAX
    if (found.isKept && isSmall && known.size < KEPT_MAX) kept.set(document, known.set(key, found))
    return found.value
  }
}

function lengthOf({ loc }: DocumentNode): number {
  return loc ? loc.end - loc.start : Number.POSITIVE_INFINITY
}

/**
 * Variables without their addresses, hashes and positions in lists, so that one statement is written for all requests
 * that differ in those alone.
 */
type Template = {
  /**
   * With a placeholder for each address, hash, and key of a cursor, and with one block for all blocks of the past.
   * Requests of one shape have the same.
   */
  readonly variables: Variables
  /** The values by their placeholders. */
  readonly values: ReadonlyMap<unknown, string>
}

/** Stands for any block of the past, which is no part of a plan. */
const ANY_BLOCK = { time: 0n }

function isValidAsOf(value: object): boolean {
  return Object.values(value).filter((part) => typeof part === 'bigint').length === 1
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
function toTemplate(declared: readonly DeclaredVariable[], variables: Variables): Template {
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
      if (type.name === AS_OF_TYPE) return isValidAsOf(value) ? ANY_BLOCK : value
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
function writeKey(variables: unknown): string {
  return JSON.stringify(variables, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Whether each placeholder is a parameter of its own. */
export function isBindable({ text, values }: Reading, template: Template): boolean {
  return !holdsMark(text) && values.every((value) => template.values.has(value) || !hasPlaceholder(value))
}

/** Whether a value has a placeholder anywhere. */
export function hasPlaceholder(value: unknown): boolean {
  return holdsMark(writeKey([value]))
}

function holdsMark(written: string): boolean {
  return written.includes(MARK) || written.includes(DECIMAL_MARK)
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
