/** Arguments that are refused. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getArgumentValues,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { CLAIM_TYPE_MAX, PAGE_LIMIT_MAX } from '../../../api/domain/limits.ts'
import type { Args } from './pages.ts'
import { parseGlobalId } from './relations.ts'

/** An argument is refused. */
export class Refusal extends Error {}

const DAYS_MAX = 36_500
const GROUPINGS_MAX = 4
const PERIODS_MAX = 400
const MONTHS_MAX = 60

/** Whether any field of the document has such arguments, also one that execution does not reach. */
export function hasFault(schema: GraphQLSchema, document: DocumentNode, variables: Args): boolean {
  const types = new TypeInfo(schema)
  let isFound = false
  const Field = (node: FieldNode) => {
    const field = types.getFieldDef()
    isFound ||= field != null && isFault(getArgumentValues(field, node, variables))
  }
  visit(document, visitWithTypeInfo(types, { Field }))
  return isFound
}

export function isFault(args: Args): boolean {
  const { first, last, groupBy, from, to, id, ids, daysToDue, claimType, months, periods, skip } = args
  const globalIds = Array.isArray(ids) ? ids : id == null ? [] : [id]
  return (
    (first != null && last != null) ||
    isOutside(first, 1, PAGE_LIMIT_MAX) ||
    isOutside(last, 1, PAGE_LIMIT_MAX) ||
    (Array.isArray(groupBy) && new Set(groupBy).size > GROUPINGS_MAX) ||
    (typeof from === 'bigint' && typeof to === 'bigint' && to <= from) ||
    globalIds.length > PAGE_LIMIT_MAX ||
    globalIds.some((one) => !parseGlobalId(one)) ||
    isOutside(daysToDue, 0, DAYS_MAX) ||
    isOutside(claimType, 0, CLAIM_TYPE_MAX) ||
    isOutside(periods, 1, PERIODS_MAX) ||
    isOutside(months, 1, MONTHS_MAX) ||
    isOutside(skip, 0, Number.POSITIVE_INFINITY)
  )
}

function isOutside(value: unknown, minimum: number, maximum: number): boolean {
  return typeof value === 'number' && (value < minimum || value > maximum)
}
