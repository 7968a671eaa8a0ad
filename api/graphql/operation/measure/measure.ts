/**
 * Limits of one operation. The document and its variables are bounded before they are processed; then cost, depth and
 * breadth bound what the operation would read. Cost: each field costs 20, and each of its values 1: as many as the rows
 * of every list around it.
 */
import { complexityFromQuery } from '@pothos/plugin-complexity'
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { pointsOfTime } from '../../../projection/session/plan-cost.ts'
import { fieldsOf, fragmentsOf, responseName } from '../selections.ts'
import { keptByShape, type Shape } from '../shape.ts'
import { documentRules, tooComplex } from './document-rules.ts'
import { INTROSPECTION_COST_MAX, introspectionCost } from './introspection-cost.ts'

/** The introspection query of GraphiQL has some 300 tokens; our longest example a fifth of this. */
export const TOKENS_MAX = 2000
/** Lines of a document. */
const LINES_MAX = 2000
/**
 * Lines up to which errors state their location: each error scans the lines before it, and an operation can have
 * thousands of errors.
 */
const LOCATED_LINES_MAX = 200
/** Errors that validation reports: each searches the schema for similar names. */
export const VALIDATION_ERRORS_MAX = 5
/** Parsed documents that are kept for the next request with the same text; one of `TOKENS_MAX` takes 1 MB. */
export const DOCUMENTS_KEPT = 50
/** Introspection has a bound of its own; the deepest useful chain of relations is about half of this. */
export const DEPTH_MAX = 14
export const BREADTH_MAX = 400
/** 200 claims with every field and allocation cost about half of this. */
export const COST_MAX = 20_000
/** Points that each operation costs besides, for the work that any request takes. */
export const OPERATION_POINTS = 300
/** Cost of a field of the document beside that of its values: it takes part in each step before the read. */
const FIELD_COST = 20
/** Fields of introspection that cost 1: the whole schema costs about half of `COST_MAX`. */
const INTROSPECTION_FIELDS_PER_POINT = 2
/**
 * Cost of an operation for which others may wait: Postgres answers one of 200 claims with eight fields in half a
 * millisecond.
 */
const SHORT_COST_MAX = 3_000
/** Maximum cost of a subscription: it is executed again at each block, outside the limits on requests. */
export const SUBSCRIPTION_COST_MAX = 8_000
/** Fields at the top of one operation: each is a statement of its own or more. */
export const ROOT_FIELDS_MAX = 12

/** @throws GraphQLError for a document that is no GraphQL; CodedError for one that is too large */
export function parseWithin(text: string): DocumentNode {
  const lines = linesOf(text)
  if (lines > LINES_MAX) throw tooComplex('lines', lines, LINES_MAX)
  return parse(text, { maxTokens: TOKENS_MAX, noLocation: lines > LOCATED_LINES_MAX })
}

function linesOf(text: string): number {
  return text.split(/\r\n|[\n\r]/, LINES_MAX + 1).length
}

/** Validates within bounds: the document's own rules first, then all others. */
export function validateWithin(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const errors = validate(schema, document, documentRules, { maxErrors: 1 })
  if (errors.length > 0) return errors.slice(0, 1)
  return validate(schema, document, specifiedRules, { maxErrors: VALIDATION_ERRORS_MAX - 1 })
}

/** `fields`: those of the document, each as often as it is selected. */
export type Cost = { cost: number; maximum: number; fields: number }

/** Bytes of an answer for a point, about those of one value. */
const BYTES_PER_POINT = 32
/** Bytes of a request for a point: to check a value takes longer than to write one. */
const SENT_BYTES_PER_POINT = 16

/** Returns the points of a request for its length. */
export function pointsOfRequest(sent: string): number {
  return Math.ceil(sent.length / SENT_BYTES_PER_POINT)
}

/** Returns the points that an operation has taken, after its cost has bounded them. */
export function pointsOf({ fields }: Cost, text: string, tookMs: number): number {
  return FIELD_COST * fields + Math.ceil(text.length / BYTES_PER_POINT) + pointsOfTime(tookMs)
}

export function isShort({ cost }: Cost): boolean {
  return cost <= SHORT_COST_MAX
}

/**
 * Cost of an operation. No address, hash or position in a list has an effect on it.
 *
 * @throws CodedError `QUERY_TOO_COMPLEX` beyond a bound
 */
export const measure = keptByShape((shape): { value: Cost; isKept: boolean } => ({
  value: measureNew(shape),
  isKept: true,
}))

function measureNew({ schema, document, operation, sent, variables }: Shape): Cost {
  const maximum = operation.operation === OperationTypeNode.SUBSCRIPTION ? SUBSCRIPTION_COST_MAX : COST_MAX
  const fragments = fragmentsOf(document)
  const rootFields = fieldsOf(operation.selectionSet, fragments)
  const only: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments.values()] }
  const { complexity, depth, breadth } = complexityFromQuery(only, { schema, variables: sent })
  const introspection = introspectionCost(rootFields, fragments, variables, INTROSPECTION_COST_MAX)
  const cost = complexity + FIELD_COST * breadth + Math.ceil(introspection / INTROSPECTION_FIELDS_PER_POINT)
  const bounds = [
    ['depth', depth, DEPTH_MAX],
    ['breadth', breadth, BREADTH_MAX],
    ['root fields', new Set(rootFields.map(responseName)).size, ROOT_FIELDS_MAX],
    ['introspection', introspection, INTROSPECTION_COST_MAX],
    ['cost', cost, maximum],
  ] as const
  for (const [measure, value, limit] of bounds) {
    if (value > limit) throw tooComplex(measure, value, limit)
  }
  return { cost, maximum, fields: breadth }
}
