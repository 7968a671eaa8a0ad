import { ceilingFloat, ceilingOf, type Goal } from '../model/goal.ts'
import type { Option } from '../model/problem.ts'
import { CLOSE, NEAR } from '../model/tolerances.ts'
import { type ExactLeastOf, exactAdvanceBound, exactCostBound } from '../relaxation/exact-node-bound.ts'
import type { NodeBound } from '../relaxation/node-bound.ts'
import type { Shape } from '../relaxation/shape.ts'
import type { Workspace } from '../relaxation/workspace.ts'

/**
 * Whether whole numbers prove that no route of the node is within the goal. Called only near the incumbent, or near the
 * largest advance of the node, where floats do not decide.
 */
export function isRuledOut(
  shape: Shape,
  bound: NodeBound,
  goal: Goal,
  space: Workspace,
  minimum: ExactLeastOf,
): boolean {
  if (mayFallShort(bound, goal) && exactAdvanceBound(shape, space, minimum) < goal.target) return true
  if (bound.value + Math.max(CLOSE, bound.margin) <= ceilingFloat(goal)) return false
  const ceiling = ceilingOf(goal)
  if (ceiling === undefined) return false
  return nearestRates(shape, bound.multiplier).some((rate) => {
    const least = exactCostBound(shape, rate, goal.target, space, minimum)
    return least === 'no route' || least > ceiling
  })
}

function mayFallShort({ above }: NodeBound, { target }: Goal): boolean {
  return above === undefined || above.advance - Number(target) < CLOSE + NEAR * Number(target)
}

/** The options' own rates on either side of the multiplier that maximizes the float bound. */
function nearestRates(shape: Shape, multiplier: number): Option[] {
  let under: Option | undefined
  let over: Option | undefined
  const compare = (option: Option) => {
    if (option.slope <= multiplier * (1 + NEAR) && option.slope > (under?.slope ?? -1)) under = option
    if (option.slope >= multiplier * (1 - NEAR) && option.slope < (over?.slope ?? Number.POSITIVE_INFINITY))
      over = option
  }
  for (const list of shape.free) list.forEach(compare)
  for (const vault of shape.vaults) for (const { option } of vault.members) compare(option)
  return [...new Set([under, over])].filter((option) => option !== undefined)
}
