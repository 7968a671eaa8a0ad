import type { Route } from './route.ts'

/** `best` undefined and proven: there is no route. Not proven: `lowerBound` holds for every route. */
export type Best = { readonly best: Route | undefined; readonly proven: boolean; readonly lowerBound: bigint }

/** The largest advance found and a bound that no advance exceeds: equal where the maximum is proven. */
export type Most = {
  readonly advance: bigint
  readonly atMost: bigint
  /** Reaches `advance`; undefined when that is 0. */
  readonly route: Route | undefined
  /** Whether the route is proven the best-ranked one that does. */
  readonly isBestRanked: boolean
}
