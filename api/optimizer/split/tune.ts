import { ceilDiv, smaller } from '../../domain/discount.ts'
import { charge, type Fuse, type Work } from '../model/fuse.ts'
import { type Curve, compareYield } from './curve.ts'

/** A curve with its best cost when one unit of cost is worth marginal.keep / marginal.rate of advance. */
export type Tuned = {
  readonly curve: Curve
  readonly index: number
  /** Sign tells where the best cost lies: at the top (cheaper than the marginal), at the bottom, or anywhere (0). */
  readonly slope: bigint
  readonly start: bigint
  readonly best: bigint
  /** No cost has a larger at(c) * marginal.rate - marginal.keep * c. */
  readonly bound: bigint
}

export function tune(curve: Curve, index: number, marginal: Curve, start: bigint, work: Work): Tuned {
  const slope = compareYield(curve, marginal)
  const tuned = (best: bigint, bound: bigint): Tuned => ({ curve, index, slope, start, best, bound })
  if (curve.costLo === curve.costHi) return { ...tuned(start, worth(curve, marginal, start)), slope: 0n }
  const whole = slope === 0n ? wholeCostNear(curve, start) : undefined
  if (whole !== undefined) return tuned(whole, 0n)
  let best = start
  let bound = worth(curve, marginal, start)
  for (const cost of costsAround(curve, slope, start, curve.costHi)) {
    if (bound >= linearWorth(curve, marginal, slope, cost)) return tuned(best, bound)
    if (work.steps-- <= 0) return tuned(best, linearWorth(curve, marginal, slope, start))
    const value = worth(curve, marginal, cost)
    if (value > bound) [best, bound] = [cost, value]
  }
  return tuned(best, bound)
}

/**
 * The cost nearest to the start that a leg turns into advance without a remainder: at an equal yield none is worth more
 * than such a one, 0. Which of them only decides how soon the splits that use it are found.
 */
function wholeCostNear(curve: Curve, start: bigint): bigint | undefined {
  if (!curve.periodic) return undefined
  const { costLo, costHi, rate, keep } = curve
  const top = curve.at(costHi) * rate === costHi * keep ? costHi : costHi - 1n
  const from = smaller(start, top)
  const period = rate / greatestCommonDivisor(rate, keep)
  const below = from - (from % period)
  const above = below === from ? from : below + period
  const nearest = start - below <= above - start ? [below, above] : [above, below]
  return nearest.find((cost) => cost >= costLo && cost <= top)
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}

/** The longest period of any rate: what it takes at most to scan the costs of one leg at an equal yield. */
const LONGEST_SCAN = 10_000

/** The most that any cost on the curve is worth beyond buying at the other curve's yield; see `worth`. */
export function bestWorth(curve: Curve, yardstick: Curve, fuse: Fuse): bigint {
  if (curve.costLo === curve.costHi) return worth(curve, yardstick, curve.costLo)
  const start = compareYield(curve, yardstick) > 0n ? curve.costHi : curve.costLo
  const work: Work = { steps: LONGEST_SCAN, inconclusive: false }
  const { bound } = tune(curve, 0, yardstick, start, work)
  charge(fuse, LONGEST_SCAN - work.steps)
  return bound
}

/** What cost c on this curve is worth when each unit of cost could buy at the marginal yield instead. */
export function worth(curve: Curve, marginal: Curve, cost: bigint): bigint {
  return curve.at(cost) * marginal.rate - marginal.keep * cost
}

/** An upper bound on `worth` that is linear in the cost, so it only falls when walking away from the start. */
export function linearWorth(curve: Curve, marginal: Curve, slope: bigint, cost: bigint): bigint {
  const numerator = curve.offset * marginal.rate + slope * cost
  return numerator >= 0n ? numerator / curve.rate : -ceilDiv(-numerator, curve.rate)
}

/** Every cost of the curve up to `high` once, from `from` outwards, so that `linearWorth` never rises along the way. */
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
