import { least, smaller } from '../../domain/bigint.ts'
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

type Task = {
  readonly problem: Problem
  readonly domain: Domain
  readonly bounds: Bounds
  /** The advance that the multipliers are improved for. */
  readonly wanted: bigint
  readonly budget: WorkBudget
}

/**
 * The bound holds for every target: the multipliers are improved for the largest advance that the legs of each vault
 * leave possible.
 */
export function reachOf(problem: Problem, domain: Domain, bounds: Bounds, budget: WorkBudget): AdvanceReach {
  const wanted = mostByLegs(problem, domain, bounds.maxLegs, budget)
  const task = { problem, domain, bounds, wanted, budget }
  const ascents = ascentsFor(task)
  return { most: mostWithin(task, ascents, wanted), assignments: assignmentsOf(task, ascents) }
}

/** No route of the domain within the caps advances more. The multipliers are improved for an advance of `wanted`. */
export function mostAdvanceWithin(
  problem: Problem,
  domain: Domain,
  bounds: Bounds,
  wanted: bigint,
  budget: WorkBudget,
): bigint {
  const task = { problem, domain, bounds, wanted, budget }
  return mostWithin(task, ascentsFor(task), mostByLegs(problem, domain, bounds.maxLegs, budget))
}

type Ascents = { readonly byLiquidity: Ascent; readonly byCost: readonly Ascent[] }

function ascentsFor(task: Task): Ascents {
  const { problem, domain, bounds, wanted, budget } = task
  const aim = { target: Number(wanted), level: 0, objective: 'advance' as const, maxLegs: bounds.maxLegs }
  const from = noMultipliers(problem, 1)
  const byLiquidity = ascend(problem, domain, aim, { from, iterations: ITERATIONS }, budget)
  return { byLiquidity, byCost: ascentsOfCost(task) }
}

function mostWithin(
  { problem, domain, bounds }: Task,
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

function ascentsOfCost({ problem, domain, bounds, wanted, budget }: Task): readonly Ascent[] {
  const { maxCost, maxFace, maxLegs } = bounds
  const caps = [maxCost, maxFace === undefined ? undefined : maxFace - wanted]
  const level = least(caps.filter((cap) => cap !== undefined))
  return level === undefined ? [] : costAscents(problem, domain, { target: wanted, level, maxLegs }, budget)
}

function assignmentsOf(
  { problem, domain, bounds, budget }: Task,
  { byLiquidity, byCost }: Ascents,
): Option[][] {
  const choices = [byLiquidity, ...byCost].map(({ best }) => best.chosen.map(({ option }) => option))
  const built = unitValuesOf(byCost).map((unitValueOf) =>
    construct(problem, domain, bounds.maxLegs, unitValueOf, budget),
  )
  return [...choices, ...built].map((options) => [...options].sort((a, b) => a.claim - b.claim))
}
