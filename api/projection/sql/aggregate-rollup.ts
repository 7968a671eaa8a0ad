/** Requests on a table in the columns of its rollups. */
import { SECONDS_PER_DAY } from '../../domain/limits.ts'
import type { Filter } from './filter.ts'
import type { Rollup } from './source.ts'

/** Writes the filter in the rollup's columns; undefined where they cannot express it. */
export function translate(filter: Filter, rollup: Rollup): Filter | undefined {
  if ('and' in filter) {
    const and = translateAll(filter.and, rollup)
    return and && { and }
  }
  if ('or' in filter) {
    const or = translateAll(filter.or, rollup)
    return or && { or }
  }
  const column = rollup.columns[filter.column]
  if (column !== undefined) return { ...filter, column }
  return filter.column === rollup.time && isWholeDays(filter) ? { ...filter, column: 'day' } : undefined
}

function translateAll(filters: readonly Filter[], rollup: Rollup): readonly Filter[] | undefined {
  const translated = filters.map((filter) => translate(filter, rollup))
  const known = translated.filter((filter) => filter !== undefined)
  return known.length === translated.length ? known : undefined
}

/** From a midnight on, or until one: then a day holds the condition with all its rows or with none. */
function isWholeDays(filter: Filter): boolean {
  if (!('value' in filter) || (filter.is !== 'gte' && filter.is !== 'lt')) return false
  return typeof filter.value === 'bigint' && filter.value % SECONDS_PER_DAY === 0n
}
