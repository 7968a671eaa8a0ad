import { least, smaller } from '../../domain/bigint.ts'
import type { Domain } from '../model/domain.ts'
import type { Bounds } from '../model/goal.ts'
import type { WorkBudget } from '../model/work-budget.ts'
import { costAscents } from './cost-ascents.ts'
import { mostAdvanceAt } from './exact-multiplier-bound.ts'
import { type Ascent, ascend, noMultipliers } from './multipliers.ts'
import { mostByLegs } from './vault-legs.ts'

/** A bound on the advance within every bound but the target, and the ascents that prove it. */
export type AdvanceReach = {
  readonly most: bigint
  readonly byLiquidity: Ascent
  readonly byCost: readonly Ascent[]
}

/**
 * No route of the domain within the caps advances more than `most`, whatever the multipliers are improved for: an
 * advance of `wanted`, or else the largest one that the legs of each vault leave possible.
 */
export function reachOf(domain: Domain, bounds: Bounds, budget: WorkBudget, wanted?: bigint): AdvanceReach {
  const { maxCost, maxFace, maxLegs } = bounds
  const byLegs = mostByLegs(domain, maxLegs, budget)
  const target = wanted ?? byLegs
  const aim = { target, level: 0n, objective: 'advance' as const, maxLegs }
  const byLiquidity = ascend(domain, aim, noMultipliers(domain, 1), budget)
  const caps = [maxCost, maxFace === undefined ? undefined : maxFace - target]
  const level = least(caps.filter((cap) => cap !== undefined))
  const byCost = level === undefined ? [] : costAscents(domain, { target, level, maxLegs }, budget)
  const { multipliers } = byLiquidity
  // Where liquidity is all that binds, the best multipliers are 0 and 1, and in whole numbers nothing is lost.
  const rounded = { ...multipliers, vaults: multipliers.vaults.map(Math.round) }
  const limits = [
    mostAdvanceAt(domain, bounds, multipliers, 'advance'),
    mostAdvanceAt(domain, bounds, rounded, 'advance'),
    ...byCost.map((ascent) => mostAdvanceAt(domain, bounds, ascent.multipliers, 'cost')),
  ]
  const most = limits.filter((limit) => limit !== undefined).reduce(smaller, byLegs)
  return { most, byLiquidity, byCost }
}
