import { ceilDiv, smaller } from '../../domain/bigint.ts'
import { type SplitBudget, spend, takeStep, type WorkBudget } from '../model/work-budget.ts'
import { type Curve, compareYield } from './curve.ts'

/** A curve with its best cost when one unit of cost buys marginal.keep / marginal.rate of advance elsewhere. */
export type Tuned = {
  readonly curve: Curve
  readonly index: number
  /** Its sign states where the best cost is: at the top (cheaper than the marginal), at the bottom, or anywhere. */
  readonly slope: bigint
  readonly start: bigint
  readonly best: bigint
  /** No cost has a larger at(c) * marginal.rate - marginal.keep * c. */
  readonly bound: bigint
}

export function tune(curve: Curve, index: number, marginal: Curve, start: bigint, work: SplitBudget): Tuned {
  const slope = compareYield(curve, marginal)
  const tuned = (best: bigint, bound: bigint): Tuned => ({ curve, index, slope, start, best, bound })
  if (curve.costLo === curve.costHi) return { ...tuned(start, surplus(curve, marginal, start)), slope: 0n }
  const whole = slope === 0n ? wholeCostNear(curve, start) : undefined
  if (whole !== undefined) return tuned(whole, 0n)
  let best = start
  let bound = surplus(curve, marginal, start)
  for (const cost of costsAround(curve, slope, start, curve.costHi)) {
    if (bound >= linearSurplus(curve, marginal, slope, cost)) return tuned(best, bound)
    if (!takeStep(work)) return tuned(best, linearSurplus(curve, marginal, slope, start))
    const value = surplus(curve, marginal, cost)
    if (value > bound) [best, bound] = [cost, value]
  }
  return tuned(best, bound)
}

/**
 * The cost nearest to the start that buys a leg's advance without a remainder: at an equal yield its surplus of 0 is
 * the largest there is. Which of them only decides how soon the splits that use it are found.
 */
function wholeCostNear(curve: Curve, start: bigint): bigint | undefined {
  const { costLo, costHi, rate, keep, period } = curve
  if (period === undefined) return undefined
  const top = curve.at(costHi) * rate === costHi * keep ? costHi : costHi - 1n
  const from = smaller(start, top)
  const below = from - (from % period)
  const above = below === from ? from : below + period
  const nearest = start - below <= above - start ? [below, above] : [above, below]
  return nearest.find((cost) => cost >= costLo && cost <= top)
}

/** The longest period of any rate: what it takes at most to scan the costs of one leg at an equal yield. */
const LONGEST_SCAN = 10_000

/** The largest surplus of any cost on the curve over buying at the other curve's yield; see `surplus`. */
export function maxSurplus(curve: Curve, yardstick: Curve, budget: WorkBudget): bigint {
  if (curve.costLo === curve.costHi) return surplus(curve, yardstick, curve.costLo)
  const start = compareYield(curve, yardstick) > 0n ? curve.costHi : curve.costLo
  const work: SplitBudget = { steps: LONGEST_SCAN, inconclusive: false }
  const { bound } = tune(curve, 0, yardstick, start, work)
  spend(budget, 'splitStep', LONGEST_SCAN - work.steps)
  return bound
}

/** Advance that a cost buys on this curve beyond what it buys at the marginal yield, times `marginal.rate`. */
export function surplus(curve: Curve, marginal: Curve, cost: bigint): bigint {
  return curve.at(cost) * marginal.rate - marginal.keep * cost
}

/** An upper bound on `surplus` that is linear in the cost, so it only falls when walking away from the start. */
export function linearSurplus(curve: Curve, marginal: Curve, slope: bigint, cost: bigint): bigint {
  const numerator = curve.offset * marginal.rate + slope * cost
  return numerator >= 0n ? numerator / curve.rate : -ceilDiv(-numerator, curve.rate)
}

/** Every cost up to `high` once, from `from` outwards, so that `linearSurplus` never rises along the way. */
export function* costsAround(curve: Curve, slope: bigint, from: bigint, high: bigint): Generator<bigint> {
  const start = smaller(from, high)
  if (start < curve.costLo) return
  yield start
  for (let step = 1n; ; step++) {
    const down = slope >= 0n && start - step >= curve.costLo
    const up = slope <= 0n && start + step <= high
    if (!down && !up) return
    if (down) yield start - step
    if (up) yield start + step
  }
}
