import { smaller, sum } from '../../domain/bigint.ts'
import { reachWithin } from '../model/groups.ts'
import type { Option, Problem } from '../model/problem.ts'
import type { SplitBudget } from '../model/work-budget.ts'
import { blend } from './blend.ts'
import { buy, type Purchase } from './buy.ts'
import { type Curve, constantCurve, legCurve, reachOf } from './curve.ts'
import { cheapestPurchase } from './purchase.ts'

export type Bundle = {
  readonly legs: readonly Option[]
  readonly curve: Curve
  advances(cost: bigint): ReadonlyMap<Option, bigint>
}

/** The vaults and groups whose legs share a limit. */
export type Coupled = { readonly vaults: ReadonlySet<number>; readonly groups: ReadonlySet<number> }

/** One curve per leg, and one for all legs of a coupled vault, or of a coupled group, together. */
export function bundleCoupled(
  problem: Problem,
  options: readonly Option[],
  { vaults, groups }: Coupled,
  work: SplitBudget,
): Bundle[] {
  const parts = [...groups].map((group) => {
    const legs = options.filter((option) => option.group === group)
    return groupBundle(legs.map(legBundle), problem.groups[group]?.maxFace ?? 0n, work)
  })
  for (const option of options)
    if (option.group === undefined || !groups.has(option.group)) parts.push(legBundle(option))
  const vaultOf = ({ legs }: Bundle): number => legs[0]?.vault ?? -1
  const bundles = [...vaults].map((vault) => {
    const inVault = parts.filter((part) => vaultOf(part) === vault)
    return coupledBundle(inVault, problem.liquidity[vault] ?? 0n, work)
  })
  return [...bundles, ...parts.filter((part) => !vaults.has(vaultOf(part)))]
}

function legBundle(option: Option): Bundle {
  const curve = legCurve(option)
  return { legs: [option], curve, advances: (cost) => new Map([[option, curve.at(cost)]]) }
}

/**
 * The legs of a group as a single curve, cut off at the largest advance whose least face is within the limit.
 * Proof: the least cost grows with the advance, so all smaller advances are within it, and at most this face belongs to
 * the curve. A split that advances as much at a higher cost can be replaced by the cheapest one.
 */
function groupBundle(parts: readonly Bundle[], maxFace: bigint, work: SplitBudget): Bundle {
  const curves = parts.map(({ curve }) => curve)
  const legs = parts.flatMap((part) => part.legs)
  const { least, most } = reachWithin(legs, maxFace) ?? { least: 0n, most: 0n }
  let advance = most
  const isWithin = (): boolean =>
    cheapestPurchase(curves, advance, { floor: 0n, ceiling: maxFace - advance }, work).purchase !== undefined
  while (advance > least && !isWithin()) advance--
  return coupledBundle(parts, advance, work)
}

/** Several bundles as a single curve: the best purchase at each cost, cut off at an advance. */
function coupledBundle(parts: readonly Bundle[], most: bigint, work: SplitBudget): Bundle {
  const legs = parts.flatMap((part) => part.legs)
  const curves = parts.map(({ curve }) => curve)
  const costLo = sum(curves.map((curve) => curve.costLo))
  const need = smaller(reachOf(curves), most)
  const memo = new Map<bigint, Purchase>()
  const purchaseAt = (cost: bigint): Purchase => {
    const purchase = memo.get(cost) ?? bestPurchase(curves, cost, need, work)
    memo.set(cost, purchase)
    return purchase
  }
  const advances = (cost: bigint) => {
    const amounts = spendPurchase(legs, parts, purchaseAt(cost), most)
    return new Map(legs.map((leg, index) => [leg, amounts[index] ?? leg.lo]))
  }
  const at = (cost: bigint) => smaller(purchaseAt(cost).advance, most)
  const mix = blend(curves, 'advance', need, work)
  const ceiling = sum(curves.map((curve) => curve.costHi))
  const { purchase } = cheapestPurchase(curves, need, { floor: 0n, ceiling }, work)
  const costHi = purchase && sum(purchase.costs)
  if (costHi === undefined) work.inconclusive = true
  if (mix === undefined || costHi === undefined || costHi <= costLo) {
    return { legs, curve: constantCurve(costLo, at(costLo)), advances }
  }
  const { keep, rate } = mix.marginal
  // The blend's bound is (offset + keep * c) / rate with the offset in units of the marginal's rate: exactly the form
  // that a curve promises.
  return { legs, curve: { costLo, costHi, offset: mix.offset, keep, rate, period: undefined, at }, advances }
}

function bestPurchase(curves: readonly Curve[], cost: bigint, need: bigint, work: SplitBudget): Purchase {
  const mix = blend(curves, 'cost', cost, work)
  const costs = curves.map((curve) => curve.costLo)
  const atFloor = { advance: sum(curves.map((curve) => curve.at(curve.costLo))), costs }
  return mix === undefined ? atFloor : (buy(mix, cost, need, work) ?? atFloor)
}

/** The advances of the legs of a purchase, lowered from the last leg on until they sum to at most `total`. */
export function spendPurchase(
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
  let excess = sum(advances) - limit
  for (let index = legs.length - 1; index >= 0 && excess > 0n; index--) {
    const leg = legs[index]
    if (leg === undefined) continue
    const less = smaller((advances[index] ?? leg.lo) - leg.lo, excess)
    advances[index] = (advances[index] ?? leg.lo) - less
    excess -= less
  }
}
