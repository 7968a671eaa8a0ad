import { blend, buy, leastCostByBound, type Purchase, type Work } from './convolve.ts'
import { type Curve, constantCurve, legCurve } from './curve.ts'
import { larger, smaller } from './pricing.ts'
import { costOfAdvance, type Option, type Problem, proportionalCost } from './problem.ts'
import { type Route, routeOf } from './route.ts'

/**
 * The inner problem: the claims and their vaults are chosen, only the faces are open. At the optimum the advances sum
 * to exactly max(target, sum of least advances): one unit less advance never costs more, and any advance between a
 * leg's bounds can be hit. Cost and face then rise and fall together, so the cheapest split has the least face too.
 */
export type Split =
  | { readonly kind: 'route'; readonly route: Route; readonly lowerBound: bigint }
  /** Proven: every split of these legs costs more than the ceiling, or none reaches the target. */
  | { readonly kind: 'none' }
  /** The step budget ran out below the ceiling. */
  | { readonly kind: 'unknown'; readonly lowerBound: bigint }

/** Enough for every split of the benchmark; a split that needs more is reported as unknown, never guessed. */
const SPLIT_STEPS = 40_000

export function requiredAdvance(options: readonly Option[], target: bigint): bigint {
  const least = options.reduce((sum, option) => sum + option.lo, 0n)
  return larger(least, target)
}

/**
 * Fills legs in order of rate up to each vault's liquidity. Greedy is optimal for this linear relaxation because the
 * liquidity bounds are nested inside the total. Undefined when the legs cannot reach `total`.
 */
export function fillByRate(
  problem: Problem,
  options: readonly Option[],
  total: bigint,
): bigint[] | undefined {
  const advances = options.map((option) => option.lo)
  const room = new Map<number, bigint>()
  let missing = total
  for (const option of options) {
    const left = (room.get(option.vault) ?? problem.liquidity[option.vault] ?? 0n) - option.lo
    if (left < 0n) return undefined
    room.set(option.vault, left)
    missing -= option.lo
  }
  const byRate = options
    .map((_, index) => index)
    .sort((a, b) => Number((options[a]?.rate ?? 0n) - (options[b]?.rate ?? 0n)))
  for (const index of byRate) {
    const option = options[index]
    if (option === undefined || missing <= 0n) continue
    const left = room.get(option.vault) ?? 0n
    const more = smaller(smaller(option.hi - option.lo, left), missing)
    advances[index] = option.lo + more
    room.set(option.vault, left - more)
    missing -= more
  }
  return missing <= 0n ? advances : undefined
}

/** The cheapest split that costs at most `ceiling`. */
export function cheapestSplit(
  problem: Problem,
  options: readonly Option[],
  target: bigint,
  ceiling: bigint,
): Split {
  const total = requiredAdvance(options, target)
  const filled = fillByRate(problem, options, total)
  if (filled === undefined) return { kind: 'none' }
  const rounded = options.reduce((sum, option, index) => sum + costOfAdvance(option, filled[index] ?? 0n), 0n)
  // Rounding up adds less than one unit per leg, so the linear relaxation, and with it every split, costs more than this.
  const linear = options.reduce(
    (sum, option, index) => sum + proportionalCost(option, filled[index] ?? 0n),
    0n,
  )
  const relaxed = linear - BigInt(options.length) + 1n
  if (relaxed > ceiling) return { kind: 'none' }
  if (relaxed >= rounded) return routeSplit(options, filled, rounded)
  const coupled = saturatedVaults(problem, options, filled)
  return splitWithCouplings(problem, options, total, relaxed, smaller(rounded, ceiling), coupled)
}

/** Some split within the ceiling: a first fill when that will do, else the cheapest. For questions of mere existence. */
export function anySplit(
  problem: Problem,
  options: readonly Option[],
  target: bigint,
  ceiling: bigint,
): Split {
  const filled = fillByRate(problem, options, requiredAdvance(options, target))
  if (filled === undefined) return { kind: 'none' }
  const route = routeOf(options, filled)
  return route.cost <= ceiling
    ? { kind: 'route', route, lowerBound: route.cost }
    : cheapestSplit(problem, options, target, ceiling)
}

function routeSplit(options: readonly Option[], advances: readonly bigint[], lowerBound: bigint): Split {
  return { kind: 'route', route: routeOf(options, advances), lowerBound }
}

/**
 * Vaults outside `coupled` are first treated as if they had liquidity for every leg. That only widens the choice, so a
 * result that happens to respect them is optimal; otherwise the overrun vault is coupled too and the split repeated.
 */
function splitWithCouplings(
  problem: Problem,
  options: readonly Option[],
  total: bigint,
  floor: bigint,
  ceiling: bigint,
  coupled: Set<number>,
): Split {
  const work: Work = { steps: SPLIT_STEPS, inconclusive: false }
  for (;;) {
    const bundles = bundleByVault(problem, options, coupled, work)
    const outcome = cheapestPurchase(
      bundles.map((bundle) => bundle.curve),
      total,
      floor,
      ceiling,
      work,
    )
    if (outcome.purchase === undefined) {
      return outcome.lowerBound > ceiling
        ? { kind: 'none' }
        : { kind: 'unknown', lowerBound: outcome.lowerBound }
    }
    const advances = spendPurchase(options, bundles, outcome.purchase, total)
    const overrun = overrunVault(problem, options, advances)
    if (overrun === undefined) return routeSplit(options, advances, outcome.lowerBound)
    coupled.add(overrun)
  }
}

const GIVE_UP_AFTER = 64n

type Outcome = { readonly purchase: Purchase | undefined; readonly lowerBound: bigint }

/**
 * Tries total costs upwards from the bound; each is either bought, ruled out, or marks where certainty ends. `floor` is
 * a lower bound known to hold whatever happens to the step budget.
 */
function cheapestPurchase(
  curves: readonly Curve[],
  need: bigint,
  floor: bigint,
  ceiling: bigint,
  work: Work,
): Outcome {
  const impossible = { purchase: undefined, lowerBound: ceiling + 1n }
  const costs = curves.map((curve) => curve.costLo)
  const atLeast = costs.reduce((sum, cost) => sum + cost, 0n)
  if (curves.reduce((sum, curve) => sum + curve.at(curve.costLo), 0n) >= need) {
    const lowerBound = work.inconclusive ? floor : atLeast
    return atLeast <= ceiling
      ? { purchase: { advance: need, costs }, lowerBound }
      : { purchase: undefined, lowerBound }
  }
  const reach = curves.reduce((sum, curve) => sum + curve.at(curve.costHi), 0n)
  const mix = blend(curves, 'advance', need)
  if (mix === undefined || reach < need) {
    return work.inconclusive ? { purchase: undefined, lowerBound: floor } : impossible
  }
  if (reach === need) return everythingAtTheTop(curves, need, floor, ceiling, work)
  const byBound = leastCostByBound(mix, need)
  let lowerBound = work.inconclusive ? floor : atLeast
  for (let cost = larger(byBound, atLeast); cost <= ceiling; cost++) {
    if (!work.inconclusive) lowerBound = cost
    // Out of steps, nothing further up is certain either.
    if (work.steps <= 0 && cost > byBound + GIVE_UP_AFTER) break
    const purchase = buy(mix, cost, need, work)
    if (purchase !== undefined && purchase.advance >= need) return { purchase, lowerBound }
  }
  return { purchase: undefined, lowerBound: work.inconclusive ? lowerBound : ceiling + 1n }
}

/** Only the top of every curve reaches the need, and no lower cost reaches a curve's top. */
function everythingAtTheTop(
  curves: readonly Curve[],
  need: bigint,
  floor: bigint,
  ceiling: bigint,
  work: Work,
): Outcome {
  const costs = curves.map((curve) => curve.costHi)
  const total = costs.reduce((sum, cost) => sum + cost, 0n)
  const lowerBound = work.inconclusive ? floor : total
  return { purchase: total <= ceiling ? { advance: need, costs } : undefined, lowerBound }
}

type Bundle = { readonly curve: Curve; advances(cost: bigint): ReadonlyMap<Option, bigint> }

/** One curve per leg, and one for all legs of a coupled vault together. */
function bundleByVault(
  problem: Problem,
  options: readonly Option[],
  coupled: ReadonlySet<number>,
  work: Work,
): Bundle[] {
  const bundles: Bundle[] = []
  for (const vault of coupled) {
    const legs = options.filter((option) => option.vault === vault)
    bundles.push(coupledBundle(legs, problem.liquidity[vault] ?? 0n, work))
  }
  for (const option of options) {
    if (coupled.has(option.vault)) continue
    const curve = legCurve(option)
    bundles.push({ curve, advances: (cost) => new Map([[option, curve.at(cost)]]) })
  }
  return bundles
}

/** The legs of one vault as a single curve: the best purchase at each cost, cut off at the vault's liquidity. */
function coupledBundle(legs: readonly Option[], liquidity: bigint, work: Work): Bundle {
  const curves = legs.map(legCurve)
  const costLo = curves.reduce((sum, curve) => sum + curve.costLo, 0n)
  const reach = curves.reduce((sum, curve) => sum + curve.at(curve.costHi), 0n)
  const need = smaller(reach, liquidity)
  const memo = new Map<bigint, Purchase>()
  const purchaseAt = (cost: bigint): Purchase => {
    const known = memo.get(cost)
    if (known !== undefined) return known
    const purchase = bestPurchase(curves, cost, need, work)
    memo.set(cost, purchase)
    return purchase
  }
  const advances = (cost: bigint) => within(legs, curves, purchaseAt(cost), liquidity)
  const at = (cost: bigint) => {
    return smaller(purchaseAt(cost).advance, liquidity)
  }
  const mix = blend(curves, 'advance', need)
  const ceiling = curves.reduce((sum, curve) => sum + curve.costHi, 0n)
  const costHi = cheapestPurchase(curves, need, 0n, ceiling, work).purchase?.costs.reduce(
    (sum, cost) => sum + cost,
    0n,
  )
  if (costHi === undefined) work.inconclusive = true
  if (mix === undefined || costHi === undefined || costHi <= costLo) {
    return { curve: constantCurve(costLo, at(costLo)), advances }
  }
  const { keep, rate } = mix.marginal
  // The blend's bound is (offset + keep * c) / rate with the offset in units of the marginal's rate: exactly the form
  // that a curve promises.
  return { curve: { costLo, costHi, offset: mix.offset, keep, rate, periodic: false, at }, advances }
}

function bestPurchase(curves: readonly Curve[], cost: bigint, need: bigint, work: Work): Purchase {
  const mix = blend(curves, 'cost', cost)
  const floor = curves.map((curve) => curve.costLo)
  const atFloor = { advance: curves.reduce((sum, curve) => sum + curve.at(curve.costLo), 0n), costs: floor }
  return mix === undefined ? atFloor : (buy(mix, cost, need, work) ?? atFloor)
}

/** Lowers advances, last leg first, until they sum to at most `limit`; a lower advance never costs more. */
function within(
  legs: readonly Option[],
  curves: readonly Curve[],
  purchase: Purchase,
  limit: bigint,
): ReadonlyMap<Option, bigint> {
  const advances = legs.map((_, index) => curves[index]?.at(purchase.costs[index] ?? 0n) ?? 0n)
  lowerToSum(legs, advances, limit)
  return new Map(legs.map((leg, index) => [leg, advances[index] ?? leg.lo]))
}

function spendPurchase(
  options: readonly Option[],
  bundles: readonly Bundle[],
  purchase: Purchase,
  total: bigint,
): bigint[] {
  const byOption = new Map(
    bundles.flatMap((bundle, index) => [...bundle.advances(purchase.costs[index] ?? 0n)]),
  )
  const advances = options.map((option) => byOption.get(option) ?? option.lo)
  lowerToSum(options, advances, total)
  return advances
}

function lowerToSum(legs: readonly Option[], advances: bigint[], limit: bigint): void {
  let excess = advances.reduce((sum, advance) => sum + advance, -limit)
  for (let index = legs.length - 1; index >= 0 && excess > 0n; index--) {
    const leg = legs[index]
    if (leg === undefined) continue
    const less = smaller((advances[index] ?? leg.lo) - leg.lo, excess)
    advances[index] = (advances[index] ?? leg.lo) - less
    excess -= less
  }
}

/** Vaults whose liquidity the linear relaxation uses up and that several legs share. */
function saturatedVaults(
  problem: Problem,
  options: readonly Option[],
  filled: readonly bigint[],
): Set<number> {
  const saturated = new Set<number>()
  for (const option of options) {
    const sharing = options.filter((other) => other.vault === option.vault)
    if (sharing.length < 2) continue
    const used = options.reduce(
      (sum, other, i) => (other.vault === option.vault ? sum + (filled[i] ?? 0n) : sum),
      0n,
    )
    const reach = sharing.reduce((sum, other) => sum + other.hi, 0n)
    const liquidity = problem.liquidity[option.vault] ?? 0n
    if (used >= liquidity && reach > liquidity) saturated.add(option.vault)
  }
  return saturated
}

function overrunVault(
  problem: Problem,
  options: readonly Option[],
  advances: readonly bigint[],
): number | undefined {
  const used = new Map<number, bigint>()
  options.forEach((option, index) => {
    used.set(option.vault, (used.get(option.vault) ?? 0n) + (advances[index] ?? 0n))
  })
  return [...used].find(([vault, sum]) => sum > (problem.liquidity[vault] ?? 0n))?.[0]
}
