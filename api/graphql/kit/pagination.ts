/** Pages of Relay connections: their arguments, their cost, their result. */
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../../domain/limits.ts'
import { validationFailed } from '../../errors.ts'
import type { PageRequest } from '../../projection/sql/page.ts'

type Maybe<T> = T | null | undefined

export type ConnectionArgs = {
  first?: Maybe<number>
  last?: Maybe<number>
  after?: Maybe<string>
  before?: Maybe<string>
}

/** @throws CodedError `VALIDATION_FAILED` for a page that is backwards and forwards at once, empty or too large */
export function toPageRequest({ first, last, after, before }: ConnectionArgs): PageRequest {
  if (first != null && last != null) {
    throw validationFailed([
      { path: 'last', message: 'must not be given with first: a page has one direction' },
    ])
  }
  return {
    limit: pageSize(first, 'first') ?? pageSize(last, 'last') ?? PAGE_LIMIT_DEFAULT,
    after: after ?? undefined,
    before: before ?? undefined,
    fromEnd: last != null,
  }
}

function pageSize(size: Maybe<number>, path: string): number | undefined {
  if (size == null) return undefined
  if (size >= 1 && size <= PAGE_LIMIT_MAX) return size
  throw validationFailed([{ path, message: `must be from 1 to ${PAGE_LIMIT_MAX}` }])
}

/** Cost of an empty page, in fields: its arguments, its key in the batch and its edges take time. */
const PAGE_COST = 3

/** Cost of a list that no index finds the rows of: it may read the table. Three of them fit an operation. */
export const SCAN_COST = 5000

/**
 * Computes the cost of a page: each row costs its selected fields, and each value of the filter costs 1, because the
 * filter is read for each parent.
 *
 * @throws CodedError `VALIDATION_FAILED` as `toPageRequest`, but once per operation instead of once per parent
 */
export function pageCost({ filter, ...page }: ConnectionArgs & { filter?: unknown }): {
  field: number
  multiplier: number
} {
  return { field: PAGE_COST + countValues(filter), multiplier: toPageRequest(page).limit }
}

/** The number of values of an argument, lists and objects included. Their shape was bounded before. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + 1 + countValues(part), 0)
}
