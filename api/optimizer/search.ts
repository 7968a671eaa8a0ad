import { branch, type Node } from './branch.ts'
import { countOptions, type Domain, isEmpty } from './domain.ts'
import { countAssignments } from './enumerate.ts'
import { fixByWeight } from './fixing.ts'
import { ceilingFloat, type Goal } from './goal.ts'
import { FEW_ASSIGNMENTS, newProgress, offer, type Progress, settleAll } from './leaf.ts'
import { boundNode, type NodeBound } from './node-bound.ts'
import type { Problem } from './problem.ts'
import { relax } from './relaxation.ts'
import { isClose, isRuledOut } from './rule-out.ts'
import { type Shape, shapeOf } from './shape.ts'
import type { Workspace } from './subsets.ts'

export type SearchOutcome = {
  /** Whether everything not offered to `accept` is proven to be outside the goal. */
  readonly complete: boolean
  /** When incomplete: no route left unexplored costs less. */
  readonly lowerBound: bigint
}

/** Table steps that a node takes per option, its tables not counted. */
const OPTION = 400

/** A usual discount; the search for the best worth starts here. */
const FIRST_WORTH = 0.05

/**
 * Depth first, the likelier child first; children wait on an explicit stack so that their bounds survive the fuse. Domains
 * of at most `few` assignments are enumerated.
 */
export function search(
  problem: Problem,
  domain: Domain,
  goal: Goal,
  space: Workspace,
  few = FEW_ASSIGNMENTS,
): SearchOutcome {
  const progress = newProgress(problem, goal, space)
  const { fuse } = space
  const stack: Node[] = [{ domain, worth: FIRST_WORTH, bound: 0 }]
  while (stack.length > 0 && !progress.stopped && fuse.steps > 0) {
    fuse.nodesVisited++
    const node = stack.pop()
    if (node !== undefined) stack.push(...expand(progress, node, few))
  }
  if (progress.stopped) return { complete: true, lowerBound: 0n }
  let lowerBound = progress.unresolved
  for (const node of stack) {
    const floor = floorOf(node)
    if (lowerBound === undefined || floor < lowerBound) lowerBound = floor
  }
  return { complete: lowerBound === undefined, lowerBound: lowerBound ?? 0n }
}

/** No route of the node costs less. */
const floorOf = ({ bound }: Node): bigint => BigInt(Math.max(0, Math.floor(bound)))

/** Offers every route of a small domain to the goal; false when a split stayed unknown. */
export function visitAll(problem: Problem, domain: Domain, goal: Goal, space: Workspace): boolean {
  const progress = newProgress(problem, goal, space)
  space.fuse.nodesVisited++
  settleAll(progress, domain, 0n)
  return progress.unresolved === undefined
}

/** What is left of a domain once the goal's bounds have been held against the relaxation; undefined when nothing is. */
export function narrow(problem: Problem, domain: Domain, goal: Goal, space: Workspace): Domain | undefined {
  const shape = shapeOf(problem, domain, goal.maxLegs)
  const bound = boundNode(shape, Number(goal.target), ceilingFloat(goal), FIRST_WORTH, space)
  if (bound === undefined) return undefined
  const fixed = fixDomain(shape, domain, bound, goal, space)
  return isEmpty(fixed) ? undefined : fixed
}

function expand(progress: Progress, node: Node, few: number): Node[] {
  const { goal, problem, space } = progress
  if (isEmpty(node.domain)) return []
  if (countAssignments(node.domain, few) <= few) {
    settleAll(progress, node.domain, floorOf(node))
    return []
  }
  space.fuse.steps -= (1 + countOptions(node.domain)) * OPTION
  const shape = shapeOf(problem, node.domain, goal.maxLegs)
  const bound = boundNode(shape, Number(goal.target), ceilingFloat(goal), node.worth, space)
  if (bound === undefined) return []
  const { target } = goal
  for (const seen of [bound.above, bound.below]) if (seen !== undefined) offer(progress, seen.chosen)
  if (goal.target !== target) return [node]
  if (progress.stopped || bound.value - bound.margin > ceilingFloat(goal)) return []
  if (space.fuse.steps <= 0) return [{ ...node, bound: Math.max(node.bound, bound.value - bound.margin) }]
  if (isClose(bound, goal) && isRuledOut(shape, bound, goal, space)) return []
  const domain = fixDomain(shape, node.domain, bound, goal, space)
  return isEmpty(domain) ? [] : branch(problem, domain, bound)
}

function fixDomain(shape: Shape, domain: Domain, bound: NodeBound, goal: Goal, space: Workspace): Domain {
  const ceiling = ceilingFloat(goal)
  if (ceiling === Number.POSITIVE_INFINITY) return domain
  const relaxed = relax(shape, bound.worth, 'cost', space)
  if (relaxed === undefined) return domain
  const allowance = ceiling + bound.margin - bound.worth * Number(goal.target)
  return fixByWeight(shape, domain, relaxed, bound.worth, allowance, space)
}
