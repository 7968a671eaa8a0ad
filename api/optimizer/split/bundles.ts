import { smaller } from '../../domain/bigint.ts'
import type { Option, Problem } from '../model/problem.ts'
import type { SplitBudget } from '../model/work-budget.ts'
import { blend } from './blend.ts'
import { buy, type Purchase } from './buy.ts'
import { type Curve, constantCurve, legCurve } from './curve.ts'
import { cheapestPurchase } from './purchase.ts'

export type Bundle = { readonly curve: Curve; advances(cost: bigint): ReadonlyMap<Option, bigint> }

/** One curve per leg, and one for all legs of a coupled vault together. */
export function bundleByVault(
  problem: Problem,
  options: readonly Option[],
  coupled: ReadonlySet<number>,
  work: SplitBudget,
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
function coupledBundle(legs: readonly Option[], liquidity: bigint, work: SplitBudget): Bundle {
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
  const at = (cost: bigint) => smaller(purchaseAt(cost).advance, liquidity)
  const mix = blend(curves, 'advance', need, work)
  const ceiling = curves.reduce((sum, curve) => sum + curve.costHi, 0n)
  const costHi = cheapestPurchase(curves, need, { floor: 0n, ceiling }, work).purchase?.costs.reduce(
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
  return { curve: { costLo, costHi, offset: mix.offset, keep, rate, period: undefined, at }, advances }
}

function bestPurchase(curves: readonly Curve[], cost: bigint, need: bigint, work: SplitBudget): Purchase {
  const mix = blend(curves, 'cost', cost, work)
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
  let excess = advances.reduce((sum, advance) => sum + advance, -limit)
  for (let index = legs.length - 1; index >= 0 && excess > 0n; index--) {
    const leg = legs[index]
    if (leg === undefined) continue
    const less = smaller((advances[index] ?? leg.lo) - leg.lo, excess)
    advances[index] = (advances[index] ?? leg.lo) - less
    excess -= less
  }
}
