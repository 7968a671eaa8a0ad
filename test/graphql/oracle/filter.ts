/** Whether a row meets a filter. */
import { isMatured } from '../../../api/domain/claim.ts'
import { MAX_SLICES_PER_CLAIM } from '../../../api/domain/limits.ts'
import { compare, find, integer, type Row, type Value, valueAt, type World } from './rows.ts'

const CONDITION = /^(?<field>.+?)(_(?<is>not|in|not_in|gt|gte|lt|lte))?$/

/** By the sign of a value less the one that is wanted. */
const comparisons: { readonly [is: string]: ((sign: number) => boolean) | undefined } = {
  eq: (sign) => sign === 0,
  not: (sign) => sign !== 0,
  gt: (sign) => sign > 0,
  gte: (sign) => sign >= 0,
  lt: (sign) => sign < 0,
  lte: (sign) => sign <= 0,
}

/** Conditions on claims that are not those of one column. */
const derived: { readonly [field: string]: ((claim: Row, world: World) => boolean) | undefined } = {
  matured: (claim, { block }) => isMatured({ dueAt: integer(claim, 'dueAt') }, block.timestamp),
  issuerActive: (claim, world) => find(world, 'Issuer', claim.issuer ?? null)?.active === true,
  financeable: (claim, world) =>
    (claim.state === 'ELIGIBLE' || claim.state === 'PARTIALLY_FUNDED') &&
    !derived.matured?.(claim, world) &&
    integer(claim, 'sliceCount') < MAX_SLICES_PER_CLAIM &&
    derived.issuerActive?.(claim, world) === true,
}

/** All conditions hold; one that is null is none. */
export function isMatch(world: World, row: Row, filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null) return true
  return Object.entries(filter).every(([name, wanted]) => wanted === null || holds(world, row, name, wanted))
}

function holds(world: World, row: Row, name: string, wanted: unknown): boolean {
  const parts = Array.isArray(wanted) ? wanted : []
  if (name === 'AND') return parts.every((part) => isMatch(world, row, part))
  if (name === 'OR') return parts.some((part) => isMatch(world, row, part))
  const condition = derived[name]
  if (condition) return condition(row, world) === wanted
  const { field = '', is = 'eq' } = CONDITION.exec(name)?.groups ?? {}
  const value = inUnit(field, valueAt(row, field))
  // A value that is not there is neither one of some nor none of them.
  if (is === 'in') return value !== null && parts.some((one) => compare(value, one) === 0)
  if (is === 'not_in')
    return parts.length === 0 || (value !== null && parts.every((one) => compare(value, one) !== 0))
  return value !== null && isValue(wanted) && comparisons[is]?.(compare(value, wanted)) === true
}

/** The average delay is stored in hundredths of days. */
function inUnit(field: string, value: Row[string]): Row[string] {
  return field === 'averageDaysLate' ? Number(value) / 100 : value
}

function isValue(wanted: unknown): wanted is Value {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof wanted)
}
