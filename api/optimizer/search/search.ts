import { larger, smaller } from '../../domain/bigint.ts'
import { allows, countOptions, type Domain, isEmpty } from '../model/domain.ts'
import { type Bounds, ceilingFloat, type Goal } from '../model/goal.ts'
import { isMany } from '../model/problem.ts'
import { isSpent, spend } from '../model/work-budget.ts'
import { leastCostTowards } from '../relaxation/cost-ascents.ts'
import { allowanceAt, boundNode, NO_HINTS, type NodeBound } from '../relaxation/node-bound.ts'
import { type Shape, shapeOf } from '../relaxation/shape.ts'
import type { Workspace } from '../relaxation/workspace.ts'
import { branch, type Node, type WideHints } from './branch.ts'
import { countAssignments } from './enumerate.ts'
import { BY_LEGS, BY_SETS, fixByReducedCost, type Sweep } from './fixing.ts'
import { FEW_ASSIGNMENTS, offer, type Progress, settleAll } from './leaf.ts'
import { isRuledOut } from './rule-out.ts'
import { expandWide, isWide } from './wide.ts'

export type SearchOutcome = {
  /** Whether everything not offered to `accept` is proven to be outside the goal. */
  readonly complete: boolean
  /** When incomplete: no route left unexplored costs less. */
  readonly lowerBound: bigint
  /** The parts left unexplored; undefined when some assignment stayed undecided besides. */
  readonly open: readonly Domain[] | undefined
  /** The multipliers of the first wide node, if there was one: where the search of a part of the domain may start. */
  readonly wide: WideHints | undefined
}

/** Steps that a search has besides once it has found a route and started again; less above 12 claims. */
const SECOND_STEPS = 260_000_000
const MANY_SECOND_STEPS = 160_000_000

/**
 * A search for the least cost that takes long ends where the gap is a smaller part of the cost than this, a billionth
 * of a basis point: large amounts can have more routes within that than any budget can distinguish.
 */
const NEGLIGIBLE_PART = 10n ** 13n

/**
 * Depth first, the likelier child first; children wait on an explicit stack so that their bounds survive the end of the
 * budget. Domains of at most `few` assignments are enumerated. A search for the least cost that takes long starts again
 * below the best route found, and splits on the legs of vaults first: that ends where many claims are alike to a vault.
 * @param wide multipliers to start from, as those of an earlier search for routes of about the same cost
 */
export function search(
  domain: Domain,
  goal: Goal,
  space: Workspace,
  few = FEW_ASSIGNMENTS,
  wide?: WideHints,
): SearchOutcome {
  const { problem } = domain
  const progress: Progress = { problem, goal, space, tried: new Set(), stopped: false, legsFirst: false }
  const { budget } = space
  const stack: Node[] = [{ domain, hints: NO_HINTS, bound: 0, wide }]
  const restartAt = budget.steps - space.firstSteps
  let known = 0n
  while (stack.length > 0 && !progress.stopped && !isSpent(budget)) {
    if (budget.steps <= restartAt && !progress.legsFirst && goal.cheapest && progress.goal !== goal) {
      const { maxCost: ceiling = 0n } = progress.goal
      const least = leastCostTowards(domain, { ...progress.goal, level: ceiling }, budget)
      known = larger(leastOf(stack, progress.unresolved) ?? 0n, least)
      progress.stopped = known > ceiling
      if (ceiling - known < ceiling / NEGLIGIBLE_PART) break
      progress.unresolved = undefined
      progress.legsFirst = true
      budget.steps += isMany(problem) ? MANY_SECOND_STEPS : SECOND_STEPS
      stack.splice(0, stack.length, { domain, hints: NO_HINTS, bound: 0, wide: undefined })
    }
    budget.nodesVisited++
    const node = stack.pop()
    if (node !== undefined) stack.push(...expand(progress, node, few))
  }
  if (progress.stopped) return { complete: true, lowerBound: 0n, open: [], wide: progress.wide }
  const least = leastOf(stack, progress.unresolved)
  const open = progress.unresolved === undefined ? stack.map((node) => node.domain) : undefined
  const lowerBound = larger(known, least ?? 0n)
  return { complete: least === undefined, lowerBound, open, wide: progress.wide }
}

/** No route left unexplored costs less; undefined if none is left. */
function leastOf(stack: readonly Node[], unresolved: bigint | undefined): bigint | undefined {
  return stack.map(floorOf).reduce((least, floor) => smaller(least ?? floor, floor), unresolved)
}

/** No route of the node costs less. */
const floorOf = ({ bound }: Node): bigint => BigInt(Math.max(0, Math.floor(bound)))

/**
 * Removes from a domain all that the goal's bounds rule out in the relaxation; undefined when nothing is left. A domain
 * with more claims than the tables hold stays as it is.
 */
export function narrow(domain: Domain, bounds: Bounds, space: Workspace): Domain | undefined {
  const shape = shapeOf(domain, bounds.maxLegs)
  if (isWide(shape, domain, space.widest)) return domain
  const bound = boundNode(shape, Number(bounds.target), ceilingFloat(bounds), NO_HINTS, space)
  const fixed = bound && fixDomain(shape, domain, bound, bounds, BY_SETS, space)
  return fixed && isEmpty(fixed) ? undefined : fixed
}

function expand(progress: Progress, node: Node, few: number): Node[] {
  const { space } = progress
  const { maxLegs } = progress.goal
  if (isEmpty(node.domain)) return []
  if (countAssignments(node.domain, few) <= few) {
    settleAll(progress, node.domain, floorOf(node))
    return []
  }
  spend(space.budget, 'nodeOption', 1 + countOptions(node.domain))
  const shape = shapeOf(node.domain, maxLegs)
  if (!isWide(shape, node.domain, space.widest)) return expandBy(BY_SETS, progress, node, shape)
  const rest = expandWide(progress, node)
  if (Array.isArray(rest)) return rest
  const left = shapeOf(rest.domain, maxLegs)
  return isWide(left, rest.domain, space.widest) ? expandBy(BY_LEGS, progress, rest, left) : [rest]
}

function expandBy(sweep: Sweep, progress: Progress, node: Node, shape: Shape): Node[] {
  const { space } = progress
  const { target } = progress.goal
  const ceiling = ceilingFloat(progress.goal)
  const bound = boundNode(shape, Number(target), ceiling, node.hints, space, sweep.leastOf)
  if (bound === undefined) return []
  for (const seen of [bound.above, bound.below])
    if (seen !== undefined && allows(node.domain, seen.chosen)) offer(progress, seen.chosen)
  const { goal } = progress
  if (goal.target !== target) return [node]
  if (progress.stopped || bound.value - bound.margin > ceilingFloat(goal)) return []
  if (isSpent(space.budget)) return [{ ...node, bound: Math.max(node.bound, bound.value - bound.margin) }]
  if (isRuledOut(shape, bound, goal, space, sweep.exactLeastOf)) return []
  const domain = fixDomain(shape, node.domain, bound, goal, sweep, space)
  if (isEmpty(domain)) return []
  const way = { legsFirst: progress.legsFirst, byLegs: sweep === BY_LEGS }
  return branch({ ...node, domain }, bound, way)
}

function fixDomain(
  shape: Shape,
  domain: Domain,
  bound: NodeBound,
  bounds: Bounds,
  sweep: Sweep,
  space: Workspace,
): Domain {
  const { relaxed, multiplier } = bound
  const ceiling = ceilingFloat(bounds)
  if (relaxed === undefined || ceiling === Number.POSITIVE_INFINITY) return domain
  const allowance = allowanceAt(shape, multiplier, Number(bounds.target), ceiling)
  return fixByReducedCost(shape, domain, relaxed, allowance, sweep.minimaOf(shape, relaxed, space, allowance))
}
