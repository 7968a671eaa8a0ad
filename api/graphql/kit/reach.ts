/** How the rows of a filter are found. */

/**
 * `index`: by an index. `scan`: none has them, so rows are read and dropped until a page is full. `all`: there is no
 * condition, so the first rows read are a page.
 */
export type Reach = 'index' | 'scan' | 'all'

/** Whether an index has the rows of one condition. */
export type IsFound = (field: string) => boolean

/**
 * Determines the reach of a filter as it was sent: variables are not coerced yet, so a list of one member can be that
 * member.
 */
export function reachOf(input: unknown, isFound: IsFound): Reach {
  if (typeof input !== 'object' || input === null) return 'all'
  const parts = Object.entries(input).map(([field, value]): Reach => {
    if (value === null || value === undefined) return 'all'
    if (field === 'AND') return reachOfAll([value].flat().map((member) => reachOf(member, isFound)))
    if (field === 'OR') return reachOfAny([value].flat().map((member) => reachOf(member, isFound)))
    return isFound(field) ? 'index' : 'scan'
  })
  return reachOfAll(parts)
}

/** One condition that an index serves is enough. */
function reachOfAll(parts: readonly Reach[]): Reach {
  if (parts.includes('index')) return 'index'
  return parts.includes('scan') ? 'scan' : 'all'
}

/** Each alternative needs an index. No alternative matches no row. */
function reachOfAny(parts: readonly Reach[]): Reach {
  if (parts.includes('all')) return 'all'
  return parts.includes('scan') ? 'scan' : 'index'
}
