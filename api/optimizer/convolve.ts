import { type Curve, compareYield } from './curve.ts'
import { ceilDiv, smaller } from './pricing.ts'

/** Counts elementary steps of the inner search, so that a hard split ends the same way on every machine. */
export type Work = { steps: number; inconclusive: boolean }

/** What buying with several curves at once looks like around one marginal curve, the one that absorbs the remainder. */
export type Blend = {
  readonly curves: readonly Curve[]
  readonly marginal: Curve
  readonly others: readonly Tuned[]
  /** Sum of the others' bounds, plus the marginal's offset, in units of advance times marginal.rate. */
  readonly offset: bigint
}

/** A non-marginal curve with its best cost when one unit of cost is worth marginal.keep / marginal.rate of advance. */
type Tuned = {
  readonly curve: Curve
  readonly index: number
  /** Sign tells where the best cost lies: at the top (cheaper than the marginal), at the bottom, or anywhere (0). */
  readonly slope: bigint
  readonly start: bigint
  readonly best: bigint
  /** No cost has a larger at(c) * marginal.rate - marginal.keep * c. */
  readonly bound: bigint
}

const EQUAL_YIELD_SCAN = 12_000n

/**
 * For any costs c_i summing to C, the advance is at most (offset + marginal.keep * C) / marginal.rate: replace the
 * marginal curve by its linear bound, then each other curve contributes at(c_i) - c_i * keep / rate <= its own maximum.
 * That is a Lagrangian bound with the rounding of every leg but one inside it, and it is attained whenever the marginal
 * curve can absorb the remainder.
 */
export function blend(
  curves: readonly Curve[],
  measure: 'cost' | 'advance',
  amount: bigint,
): Blend | undefined {
  const fill = fillToAmount(curves, measure, amount)
  if (fill === undefined) return undefined
  const { marginal, starts } = fill
  const others: Tuned[] = []
  curves.forEach((curve, index) => {
    if (curve !== marginal) others.push(tune(curve, index, marginal, starts[index] ?? curve.costLo))
  })
  const offset = others.reduce((sum, tuned) => sum + tuned.bound, marginal.offset)
  return { curves, marginal, others, offset }
}

/** Buys in order of yield until `amount` is reached; curves of the marginal yield share what is left of it evenly. */
function fillToAmount(curves: readonly Curve[], measure: 'cost' | 'advance', amount: bigint) {
  const span = (curve: Curve): bigint =>
    measure === 'cost' ? curve.costHi - curve.costLo : curve.at(curve.costHi) - curve.at(curve.costLo)
  const base = (curve: Curve): bigint => (measure === 'cost' ? curve.costLo : curve.at(curve.costLo))
  let missing = curves.reduce((left, curve) => left - base(curve), amount)
  const elastic = curves.filter((curve) => curve.costHi > curve.costLo)
  elastic.sort((a, b) => Number(compareYield(b, a) > 0n) - Number(compareYield(b, a) < 0n))
  for (let from = 0; from < elastic.length; ) {
    const first = elastic[from]
    if (first === undefined) break
    const tied = elastic.filter((curve) => compareYield(curve, first) === 0n)
    const room = tied.reduce((sum, curve) => sum + span(curve), 0n)
    if (missing <= room || from + tied.length >= elastic.length)
      return placeStarts(curves, tied, missing, room)
    missing -= room
    from += tied.length
  }
  return undefined
}

function placeStarts(curves: readonly Curve[], tied: readonly Curve[], missing: bigint, room: bigint) {
  const marginal = tied.reduce((widest, curve) =>
    curve.costHi - curve.costLo > widest.costHi - widest.costLo ? curve : widest,
  )
  const share = missing < 0n ? 0n : smaller(missing, room)
  const starts = curves.map((curve) => {
    const slope = compareYield(curve, marginal)
    if (slope !== 0n) return slope > 0n ? curve.costHi : curve.costLo
    return room === 0n ? curve.costLo : curve.costLo + ((curve.costHi - curve.costLo) * share) / room
  })
  return { marginal, starts }
}

function tune(curve: Curve, index: number, marginal: Curve, start: bigint): Tuned {
  if (curve.costLo === curve.costHi) {
    const value = worth(curve, marginal, start)
    return { curve, index, slope: 0n, start, best: start, bound: value }
  }
  const slope = compareYield(curve, marginal)
  const ceiling = linearWorth(curve, marginal, slope, start)
  let best = start
  let bound = worth(curve, marginal, start)
  let scanned = 0n
  for (const cost of costsAround(curve, slope, start, curve.costHi)) {
    if (bound >= linearWorth(curve, marginal, slope, cost)) return { curve, index, slope, start, best, bound }
    if (slope === 0n && scanned++ > 2n * EQUAL_YIELD_SCAN) break
    const value = worth(curve, marginal, cost)
    if (value > bound) [best, bound] = [cost, value]
  }
  const scannedAll = curve.costHi - curve.costLo <= EQUAL_YIELD_SCAN || slope !== 0n || curve.periodic
  return { curve, index, slope, start, best, bound: scannedAll ? bound : ceiling }
}

/** The most that any cost on the curve is worth beyond buying at the other curve's yield; see `worth`. */
export function bestWorth(curve: Curve, yardstick: Curve): bigint {
  if (curve.costLo === curve.costHi) return worth(curve, yardstick, curve.costLo)
  const slope = compareYield(curve, yardstick)
  // Equal yields: some cost within any `rate` consecutive ones divides without a remainder, and none is worth more.
  if (slope === 0n && curve.costHi - curve.costLo > curve.rate) return 0n
  return tune(curve, 0, yardstick, slope > 0n ? curve.costHi : curve.costLo).bound
}

/** What cost c on this curve is worth when each unit of cost could buy at the marginal yield instead. */
function worth(curve: Curve, marginal: Curve, cost: bigint): bigint {
  return curve.at(cost) * marginal.rate - marginal.keep * cost
}

/** An upper bound on `worth` that is linear in the cost, so it only falls when walking away from the start. */
function linearWorth(curve: Curve, marginal: Curve, slope: bigint, cost: bigint): bigint {
  const numerator = curve.offset * marginal.rate + slope * cost
  return numerator >= 0n ? numerator / curve.rate : -ceilDiv(-numerator, curve.rate)
}

/** Every cost of the curve up to `high` once, from `from` outwards, so that `linearWorth` never rises along the way. */
function* costsAround(curve: Curve, slope: bigint, from: bigint, high: bigint): Generator<bigint> {
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

export type Purchase = { readonly advance: bigint; readonly costs: readonly bigint[] }

/** The least total cost that the bound of the blend does not rule out for `need`. */
export function leastCostByBound(mix: Blend, need: bigint): bigint {
  const { marginal, offset } = mix
  const numerator = need * marginal.rate - offset
  return numerator <= 0n ? 0n : ceilDiv(numerator, marginal.keep)
}

/** The most advance that total cost `budget` buys, or the first purchase found that buys at least `need`. */
export function buy(mix: Blend, budget: bigint, need: bigint, work: Work): Purchase | undefined {
  const { marginal, others } = mix
  const limit = (mix.offset + marginal.keep * budget) / marginal.rate
  let found = purchaseAt(
    mix,
    others.map((tuned) => tuned.best),
    budget,
  )
  const enough = (): boolean => found !== undefined && (found.advance >= need || found.advance >= limit)
  if (enough()) return found
  const floors = suffixSums(others.map((tuned) => tuned.curve.costLo))
  const bounds = suffixSums(others.map((tuned) => tuned.bound))
  const chosen: bigint[] = []
  const visit = (depth: number, spent: bigint, value: bigint): void => {
    const tuned = others[depth]
    if (tuned === undefined) {
      const candidate = purchaseAt(mix, chosen, budget)
      if (candidate !== undefined && candidate.advance > (found?.advance ?? -1n)) found = candidate
      return
    }
    const reserve = (floors[depth + 1] ?? 0n) + marginal.costLo
    const high = smaller(tuned.curve.costHi, budget - spent - reserve)
    const rest = value + (bounds[depth + 1] ?? 0n) + marginal.offset + marginal.keep * budget
    for (const cost of costsAround(tuned.curve, tuned.slope, tuned.start, high)) {
      if (enough()) return
      if (work.steps-- <= 0) {
        work.inconclusive = true
        return
      }
      const bar = ((found?.advance ?? -1n) + 1n) * marginal.rate
      if (rest + linearWorth(tuned.curve, marginal, tuned.slope, cost) < bar) return
      const own = worth(tuned.curve, marginal, cost)
      if (rest + own < bar) continue
      chosen[depth] = cost
      visit(depth + 1, spent + cost, value + own)
    }
  }
  visit(0, 0n, 0n)
  return found
}

/** The purchase at these costs, the marginal curve taking the remainder of the budget; undefined if it cannot. */
function purchaseAt(mix: Blend, otherCosts: readonly bigint[], budget: bigint): Purchase | undefined {
  const { marginal, others, curves } = mix
  const spent = otherCosts.reduce((sum, cost) => sum + cost, 0n)
  const remainder = budget - spent
  if (remainder < marginal.costLo) return undefined
  const marginalCost = smaller(remainder, marginal.costHi)
  const costs: bigint[] = new Array(curves.length).fill(marginalCost)
  let advance = marginal.at(marginalCost)
  others.forEach((tuned, position) => {
    const cost = otherCosts[position] ?? tuned.curve.costLo
    costs[tuned.index] = cost
    advance += tuned.curve.at(cost)
  })
  return { advance, costs }
}

/** sums[i] is the sum of values[i..]. */
function suffixSums(values: readonly bigint[]): bigint[] {
  const sums = [...values, 0n]
  for (let index = values.length - 1; index >= 0; index--)
    sums[index] = (sums[index] ?? 0n) + (sums[index + 1] ?? 0n)
  return sums
}
