import { larger } from '../../domain/bigint.ts'
import type { Route } from './route.ts'

/** `best` undefined and proven: there is no route. Not proven: `lowerBound` holds for every route. */
export type Best = { readonly best: Route | undefined; readonly proven: boolean; readonly lowerBound: bigint }

/** The largest advance found and a bound that no advance exceeds: equal where the maximum is proven. */
export type Most = {
  readonly advance: bigint
  readonly atMost: bigint
  /** Reaches `advance`; undefined when that is 0. */
  readonly route: Route | undefined
}

/** A gap of 0 means exact in every ranking key; a route whose cost alone is proven least still reports 1. */
export const gapOf = ({ proven, lowerBound }: Best, route: Route): bigint =>
  proven ? 0n : larger(route.cost - lowerBound, 1n)
