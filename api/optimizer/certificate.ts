import { MAX_LEGS } from '../domain/limits.ts'
import { buildProblem } from './model/build-problem.ts'
import { wholeDomain } from './model/domain.ts'
import type { Certificate, OptimizeInput } from './model/types.ts'
import { newWorkBudget } from './model/work-budget.ts'
import { costAscents } from './relaxation/cost-ascents.ts'
import { exactly } from './relaxation/exact-multiplier-bound.ts'

/** The multipliers of the best bound that an ascent towards the cost of the route finds. */
export function certify(input: OptimizeInput, cost: bigint): Certificate {
  const problem = buildProblem({ ...input, issuerLimits: [] })
  const aim = { target: input.targetAdvance, level: cost, maxLegs: MAX_LEGS }
  const [{ multipliers }] = costAscents(wholeDomain(problem), aim, newWorkBudget())
  const exact = exactly(multipliers)
  const vaults = problem.vaults.map((vault, index) => [vault, exact.vaults[index] ?? 0n] as const)
  return { target: exact.target, vaults: new Map(vaults) }
}
