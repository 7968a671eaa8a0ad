import { type Allocation, optimizeRoute, type RouteResult } from '../../api/optimizer/index.ts'
import { type OracleInput, type OracleRoute, solveByEnumeration } from './oracle.ts'
import { toOptimizeInput } from './small-instances.ts'

/** Undefined when optimizer and oracle agree on everything the ranking fixes; otherwise both answers as text. */
export function disagreement(input: OracleInput, optimize = optimizeRoute): string | undefined {
  const expected = describeOracle(input)
  const given = describeResult(optimize(toOptimizeInput(input)))
  return expected === given
    ? undefined
    : `oracle    ${expected}\noptimizer ${given}\n${JSON.stringify(input)}`
}

function describeOracle(input: OracleInput): string {
  const answer = solveByEnumeration(input)
  if (answer.executable) return `executable exact gap 0 ${describeRoute(answer.route)}`
  const shortfall = input.target - answer.most
  const partial = answer.partial ? `gap 0 ${describeRoute(answer.partial)}` : 'nothing'
  return `${answer.reason} most ${answer.most} gap 0 short ${shortfall} ${partial}`
}

const describeRoute = (route: OracleRoute): string =>
  `cost ${route.cost} legs ${route.legs} face ${route.face} advance ${route.advance} ${route.pairs.join(' ')}`

function describeResult(result: RouteResult): string {
  if (result.executable) {
    return `executable ${result.approximation} gap ${result.explanation.provenGap} ${describeAllocation(result)}`
  }
  const { bestFeasiblePartial: best, maxAchievableAdvance: most, maxAchievableGap: gap } = result
  const partial = best ? `gap ${best.provenGap} ${describeAllocation(best)}` : 'nothing'
  return `${result.reason} most ${most} gap ${gap} short ${result.shortfallAdvance} ${partial}`
}

function describeAllocation(route: Allocation): string {
  const pairs = route.legs.map((leg) => `${leg.claimId}@${leg.vault}`).join(' ')
  return `cost ${route.totalCost} legs ${route.legs.length} face ${route.totalFace} advance ${route.totalAdvance} ${pairs}`
}
