import { smaller } from '../../domain/bigint.ts'
import type { Bounds } from '../model/bounds.ts'
import type { Domain } from '../model/domain.ts'
import type { Option, Problem } from '../model/problem.ts'
import type { WorkBudget } from '../model/work-budget.ts'
import { construct } from './construct.ts'
import { costAscents, unitValuesOf } from './cost-ascents.ts'
import { mostAdvanceAt } from './exact-multiplier-bound.ts'
import { type Ascent, ascend, type Multipliers, noMultipliers } from './multipliers.ts'
import { mostByLegs } from './vault-legs.ts'

const ITERATIONS = 200

/** A bound on the advance within every bound but the target, and assignments that may come near it. */
export type AdvanceReach = { readonly most: bigint; readonly assignments: readonly (readonly Option[])[] }

/**
 * The bound holds for every target: the multipliers are improved for the largest advance that the legs of each vault
 * leave possible.
 */
export function reachOf(problem: Problem, domain: Domain, bounds: Bounds, budget: WorkBudget): AdvanceReach {
  const wanted = mostByLegs(problem, domain, bounds.maxLegs, budget)
  const ascents = ascentsFor(problem, domain, bounds, wanted, budget)
  const most = mostWithin(problem, domain, bounds, ascents, wanted)
  return { most, assignments: assignmentsOf(problem, domain, bounds, ascents, budget) }
}

/** No route of the domain within the caps advances more. The multipliers are improved for an advance of `wanted`. */
export function mostAdvanceWithin(
  problem: Problem,
  domain: Domain,
  bounds: Bounds,
  wanted: bigint,
  budget: WorkBudget,
): bigint {
  const ascents = ascentsFor(problem, domain, bounds, wanted, budget)
  return mostWithin(problem, domain, bounds, ascents, mostByLegs(problem, domain, bounds.maxLegs, budget))
}

type Ascents = { readonly byLiquidity: Ascent; readonly byCost: readonly Ascent[] }

function ascentsFor(
  problem: Problem,
  domain: Domain,
  bounds: Bounds,
  wanted: bigint,
  budget: WorkBudget,
): Ascents {
  const aim = { target: Number(wanted), level: 0, objective: 'advance' as const, maxLegs: bounds.maxLegs }
  const from = noMultipliers(problem, 1)
  const byLiquidity = ascend(problem, domain, aim, { from, iterations: ITERATIONS }, budget)
  return { byLiquidity, byCost: ascentsOfCost(problem, domain, bounds, wanted, budget) }
}

function mostWithin(
  problem: Problem,
  domain: Domain,
  bounds: Bounds,
  { byLiquidity, byCost }: Ascents,
  known: bigint,
): bigint {
  const limits = [byLiquidity.multipliers, rounded(byLiquidity.multipliers)].map((multipliers) =>
    mostAdvanceAt(problem, domain, bounds, multipliers, 'advance'),
  )
  for (const { multipliers } of byCost)
    limits.push(mostAdvanceAt(problem, domain, bounds, multipliers, 'cost'))
  return limits.filter((limit) => limit !== undefined).reduce(smaller, known)
}

/** Where liquidity is all that binds, the best multipliers are 0 and 1, and in whole numbers nothing is lost. */
const rounded = ({ target, vaults, legs }: Multipliers): Multipliers => ({
  target,
  vaults: vaults.map(Math.round),
  legs,
})

function ascentsOfCost(
  problem: Problem,
  domain: Domain,
  bounds: Bounds,
  wanted: bigint,
  budget: WorkBudget,
): readonly Ascent[] {
  const { maxCost, maxFace, maxLegs } = bounds
  const caps = [maxCost, maxFace === undefined ? undefined : maxFace - wanted].filter(
    (cap) => cap !== undefined,
  )
  if (caps.length === 0) return []
  const level = Number(caps.reduce(smaller))
  const aim = { target: Number(wanted), level, objective: 'cost' as const, maxLegs }
  return costAscents(problem, domain, aim, budget)
}

function assignmentsOf(
  problem: Problem,
  domain: Domain,
  { maxLegs }: Bounds,
  { byLiquidity, byCost }: Ascents,
  budget: WorkBudget,
): Option[][] {
  const choices = [byLiquidity, ...byCost].map(({ best }) => best.chosen.map(({ option }) => option))
  const built = unitValuesOf(byCost).map((unitValueOf) =>
    construct(problem, domain, maxLegs, unitValueOf, budget),
  )
  return [...choices, ...built].map((options) => [...options].sort((a, b) => a.claim - b.claim))
}
