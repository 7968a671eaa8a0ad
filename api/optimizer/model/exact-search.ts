import type { Problem } from './problem.ts'

/** Distinct claims up to which the search is exact. Interface specification, section 8. */
export const EXACT_SEARCH_MAX_CLAIMS = 12

export const isMany = ({ claims }: Problem): boolean => claims.length > EXACT_SEARCH_MAX_CLAIMS
