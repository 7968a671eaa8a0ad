import { smaller, sum } from '../../domain/bigint.ts'
import type { Option } from '../model/problem.ts'

/**
 * The most advance that at most a given cost can buy, from one leg or from the legs that share a vault.
 * `at` is defined on [costLo, costHi], never decreases, and `at(c) <= (offset + keep * c) / rate` there.
 */
export type Curve = {
  readonly costLo: bigint
  readonly costHi: bigint
  readonly offset: bigint
  readonly keep: bigint
  readonly rate: bigint
  /** When the cost grows by this, `at` grows by a constant, as that of a single leg below its upper bound does. */
  readonly period: bigint | undefined
  at(cost: bigint): bigint
}

/** A leg at rate r buys floor(c * keep / r), up to its upper bound. */
export function legCurve(option: Option): Curve {
  const { costLo, costHi, hi, keep, rate } = option
  if (costLo === costHi) return constantCurve(costLo, hi)
  const at = (cost: bigint): bigint => smaller((cost * keep) / rate, hi)
  const period = rate / greatestCommonDivisor(rate, keep)
  return { costLo, costHi, offset: 0n, keep, rate, period, at }
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}

export function constantCurve(cost: bigint, advance: bigint): Curve {
  const at = (): bigint => advance
  return { costLo: cost, costHi: cost, offset: advance, keep: 0n, rate: 1n, period: undefined, at }
}

/** The most that all curves buy together. */
export const reachOf = (curves: readonly Curve[]): bigint => sum(curves.map(({ at, costHi }) => at(costHi)))

/** Positive when `a` buys more advance per unit of cost than `b`, 0 when the same. */
export function compareYield(a: Curve, b: Curve): bigint {
  return a.keep * b.rate - b.keep * a.rate
}
