import type { Classes } from './classes.ts'

/** Partial routes of half of the claims: every class of `first` together with every class of `second`. */
export type Half = { readonly first: Classes; readonly second: Classes }

/**
 * The routes that are wanted: `low <= advance <= high`, `excess + rate * (advance - origin) <= slack`, at most
 * `maxLegs` legs. All but `origin` and `rate` may be tightened while routes are met.
 */
export type Window = {
  low: number
  high: number
  slack: number
  maxLegs: number
  readonly origin: number
  readonly rate: number
}

/** A route as a class of each list: left first, left second, right first, right second. */
export type Visit = (leftFirst: number, leftSecond: number, rightFirst: number, rightSecond: number) => void
