/**
 * Shapes: requests of one document that differ only in addresses, hashes and positions in lists have one shape. Values
 * that depend on the shape alone are computed once.
 */
import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql'
import { coerceVariables, variablesOf } from './coerce.ts'
import { type Template, toTemplate, writeKey } from './template.ts'

/** An operation with its variables, which was validated. */
export type Asked = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>

export type Shape = {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** As they were sent. */
  readonly sent: Readonly<Record<string, unknown>>
  /** As values of their types. */
  readonly variables: Readonly<Record<string, unknown>>
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
