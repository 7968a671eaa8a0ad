import { certifiedAdvance, certifiedCost } from './certificate.ts'
import { type Domain, isEmpty, withClaim } from './domain.ts'
import { countAssignments, visitAssignments } from './enumerate.ts'
import { fixByWeight } from './fixing.ts'
import { boundNode, CLOSE, type NodeBound } from './node-bound.ts'
import { smaller } from './pricing.ts'
import type { Option, Problem } from './problem.ts'
import { relax } from './relaxation.ts'
import type { Route } from './route.ts'
import { type Shape, shapeOf } from './shape.ts'
import { anySplit, cheapestSplit, type Split } from './split.ts'
import { newWorkspace, type Workspace } from './subsets.ts'

/** What the search is after. `accept` may tighten target and ceiling; only routes within them are offered to it. */
export type Goal = {
  target: bigint
  /** No route dearer than this is of interest; undefined when any cost is. */
  ceiling: bigint | undefined
  readonly maxFace: bigint | undefined
  readonly maxLegs: number
  /** Whether each route offered must be the cheapest split of its legs, or any split within the bounds will do. */
  readonly cheapest: boolean
  accept(route: Route): 'stop' | 'continue'
}

/** Nodes left for the whole optimization, shared by its phases; large ones count for several. Counted, never timed: results must not vary. */
export type Fuse = { nodes: number; visited: number }

export type SearchOutcome = {
  /** Whether everything not offered to `accept` is proven to be outside the goal. */
  readonly complete: boolean
  /** When incomplete: no route left unexplored costs less. */
  readonly lowerBound: bigint
}

type Node = { readonly domain: Domain; readonly worth: number; readonly bound: number }
type State = {
  readonly problem: Problem
  readonly goal: Goal
  readonly space: Workspace
  readonly tried: Set<string>
  readonly fuse: Fuse
  stopped: boolean
  unresolved: bigint | undefined
}

/** Depth first, the likelier child first; children wait on an explicit stack so that their bounds survive the fuse. */
export function search(problem: Problem, domain: Domain, goal: Goal, fuse: Fuse): SearchOutcome {
  const state = newState(problem, goal, fuse)
  const stack: Node[] = [{ domain, worth: FIRST_WORTH, bound: 0 }]
  while (stack.length > 0 && !state.stopped) {
    if (fuse.nodes-- <= 0) break
    fuse.visited++
    const node = stack.pop()
    if (node !== undefined) stack.push(...expand(state, node))
  }
  if (state.stopped) return { complete: true, lowerBound: 0n }
  let lowerBound = state.unresolved
  for (const { bound } of stack) {
    const floor = BigInt(Math.max(0, Math.floor(bound)))
    if (lowerBound === undefined || floor < lowerBound) lowerBound = floor
  }
  return { complete: lowerBound === undefined, lowerBound: lowerBound ?? 0n }
}

/** Offers every route of a small domain to the goal; false when a split stayed unknown. */
export function visitAll(problem: Problem, domain: Domain, goal: Goal, fuse: Fuse): boolean {
  const state = newState(problem, goal, fuse)
  fuse.visited++
  settleAll(state, domain)
  return state.unresolved === undefined
}

function newState(problem: Problem, goal: Goal, fuse: Fuse): State {
  return {
    problem,
    goal,
    fuse,
    space: newWorkspace(),
    tried: new Set(),
    stopped: false,
    unresolved: undefined,
  }
}

/** What is left of a domain once the goal's bounds have been held against the relaxation; undefined when nothing is. */
export function narrow(problem: Problem, domain: Domain, goal: Goal, fuse: Fuse): Domain | undefined {
  const state = newState(problem, goal, fuse)
  const shape = shapeOf(problem, domain, goal.maxLegs)
  const bound = boundNode(shape, Number(goal.target), ceilingFloat(goal), FIRST_WORTH, state.space)
  if (bound === undefined) return undefined
  const fixed = fixDomain(state, shape, domain, bound)
  return isEmpty(fixed) ? undefined : fixed
}

/** A usual discount; the search for the best worth starts here. */
const FIRST_WORTH = 0.05

/** At the optimum face = advance + cost with the advance at least the target, so a face cap is a cost cap too. */
function ceilingOf(goal: Goal): bigint | undefined {
  if (goal.maxFace === undefined) return goal.ceiling
  const byFace = goal.maxFace - goal.target
  return goal.ceiling === undefined ? byFace : smaller(goal.ceiling, byFace)
}

function expand(state: State, node: Node): Node[] {
  if (isEmpty(node.domain)) return []
  if (countAssignments(node.domain, FEW_ASSIGNMENTS) <= FEW_ASSIGNMENTS) return settleAll(state, node.domain)
  const { goal, problem, space } = state
  const shape = shapeOf(problem, node.domain, goal.maxLegs)
  state.fuse.nodes -= sizeOf(shape)
  const bound = boundNode(shape, Number(goal.target), ceilingFloat(goal), node.worth, space)
  if (bound === undefined) return []
  const { target } = goal
  for (const seen of [bound.above, bound.below]) if (seen !== undefined) offer(state, seen.chosen)
  if (goal.target !== target) return [node]
  if (state.stopped || bound.value - bound.margin > ceilingFloat(goal)) return []
  if (isClose(bound, goal) && isRuledOut(state, shape, bound)) return []
  const domain = fixDomain(state, shape, node.domain, bound)
  if (isEmpty(domain)) return []
  return branch(problem, domain, bound)
}

function ceilingFloat(goal: Goal): number {
  const ceiling = ceilingOf(goal)
  return ceiling === undefined ? Number.POSITIVE_INFINITY : Number(ceiling)
}

/** Extra nodes that a node counts for when its tables are large, so that the fuse measures work. */
function sizeOf(shape: Shape): number {
  const members = shape.vaults.reduce((sum, vault) => sum + vault.members.length, 0)
  return Math.floor((members << shape.width) / (1 << 14))
}

/** Near the incumbent, or near what the node can advance at all, floats do not decide: see certificate.ts. */
function isClose(bound: NodeBound, goal: Goal): boolean {
  const shortOf = bound.above === undefined ? 0 : bound.above.advance - Number(goal.target)
  return (
    bound.value + Math.max(CLOSE, bound.margin) > ceilingFloat(goal) ||
    shortOf < CLOSE + 1e-9 * Number(goal.target)
  )
}

function isRuledOut(state: State, shape: Shape, bound: NodeBound): boolean {
  const { goal, space } = state
  const ceiling = ceilingOf(goal)
  if (certifiedAdvance(shape, space) < goal.target) return true
  if (ceiling === undefined) return false
  return nearestRates(shape, bound.worth).some((rate) => {
    const least = certifiedCost(shape, rate, goal.target, space)
    return least === 'no route' || least > ceiling
  })
}

/** The options' own rates on either side of the worth that maximizes the float bound. */
function nearestRates(shape: Shape, worth: number): Option[] {
  let under: Option | undefined
  let over: Option | undefined
  const look = (option: Option) => {
    if (option.slope <= worth * (1 + 1e-9) && option.slope > (under?.slope ?? -1)) under = option
    if (option.slope >= worth * (1 - 1e-9) && option.slope < (over?.slope ?? Number.POSITIVE_INFINITY))
      over = option
  }
  for (const list of shape.free) list.forEach(look)
  for (const vault of shape.vaults) for (const { option } of vault.members) look(option)
  return [...new Set([under, over])].filter((option) => option !== undefined)
}

function fixDomain(state: State, shape: Shape, domain: Domain, bound: NodeBound): Domain {
  const ceiling = ceilingFloat(state.goal)
  if (ceiling === Number.POSITIVE_INFINITY) return domain
  const relaxed = relax(shape, bound.worth, 'cost', state.space)
  if (relaxed === undefined) return domain
  const allowance = ceiling + bound.margin - bound.worth * Number(state.goal.target)
  return fixByWeight(shape, domain, relaxed, bound.worth, allowance, state.space)
}

/** Below this, going through the assignments one by one is cheaper than bounding them. */
const FEW_ASSIGNMENTS = 256

function settleAll(state: State, domain: Domain): Node[] {
  const { goal } = state
  const bounds = { maxLegs: goal.maxLegs, target: () => goal.target, ceiling: () => ceilingOf(goal) }
  visitAssignments(domain, bounds, (options) => {
    if (!state.stopped) settle(state, options)
  })
  return []
}

/** A leaf: its cheapest split decides exactly. */
function settle(state: State, options: readonly Option[]): void {
  const { goal, problem } = state
  const { target } = goal
  const ceiling = ceilingOf(goal) ?? UNBOUNDED
  const split = splitFor(goal, problem, options, ceiling)
  if (split.kind === 'unknown') leaveOpen(state, split.lowerBound)
  if (split.kind !== 'route') return
  if (goal.maxFace !== undefined && split.route.face > goal.maxFace) return
  if (split.lowerBound < split.route.cost) leaveOpen(state, split.lowerBound)
  if (goal.accept(split.route) === 'stop') state.stopped = true
  if (goal.target !== target) settle(state, options)
}

function splitFor(goal: Goal, problem: Problem, options: readonly Option[], ceiling: bigint): Split {
  return goal.cheapest
    ? cheapestSplit(problem, options, goal.target, ceiling)
    : anySplit(problem, options, goal.target, ceiling)
}

/** Larger than any cost of 256-bit amounts. */
const UNBOUNDED = 1n << 300n

function leaveOpen(state: State, lowerBound: bigint): void {
  if (state.unresolved === undefined || lowerBound < state.unresolved) state.unresolved = lowerBound
}

/** A minimizer of the relaxation is an assignment; its cheapest split is often the best route of the node. */
function offer(state: State, options: readonly Option[]): void {
  const { goal, problem } = state
  const key = options.map(({ claim, vault, rate, minFace }) => `${claim}:${vault}:${rate}:${minFace}`).join()
  if (state.stopped || state.tried.has(key) || options.length > goal.maxLegs) return
  state.tried.add(key)
  const split = splitFor(goal, problem, options, ceilingOf(goal) ?? UNBOUNDED)
  if (split.kind !== 'route') return
  if (goal.maxFace !== undefined && split.route.face > goal.maxFace) return
  if (goal.accept(split.route) === 'stop') state.stopped = true
}

/**
 * Splits on the claim about which the two minimizers around the target differ most: first on whether it is used, then
 * on its vault. Without a difference, on the largest claim that is still open.
 */
function branch(problem: Problem, domain: Domain, bound: NodeBound): Node[] {
  const node = (part: Domain): Node => ({
    domain: part,
    worth: bound.worth,
    bound: bound.value - bound.margin,
  })
  const open = domain.options.map((list, claim) => list.length > (domain.required[claim] === true ? 1 : 0))
  const above = chosenByClaim(bound.above?.chosen ?? [])
  const below = chosenByClaim(bound.below?.chosen ?? [])
  let claim = -1
  let most = -1
  open.forEach((isOpen, index) => {
    if (!isOpen) return
    const up = above.get(index)
    const down = below.get(index)
    const size = Math.max(up?.hiFloat ?? 0, down?.hiFloat ?? 0, 1)
    const score = up === down ? size * 1e-9 : (up === undefined) !== (down === undefined) ? size * 2 : size
    if (score > most) [claim, most] = [index, score]
  })
  const list = domain.options[claim]
  if (list === undefined) return [node(domain)]
  const favourite = above.get(claim) ?? below.get(claim)
  if (domain.required[claim] !== true) {
    const used = node(withClaim(domain, claim, list, true))
    const unused = node(withClaim(domain, claim, [], false))
    return above.get(claim) === undefined ? [used, unused] : [unused, used]
  }
  const first = favourite !== undefined && list.includes(favourite) ? favourite : list[0]
  const twin = first === undefined ? () => false : twinsOf(problem, domain, first)
  const rest = list.filter((option) => option !== first && !twin(option))
  return [
    node(withClaim(domain, claim, rest, true)),
    node(withClaim(domain, claim, first ? [first] : [], true)),
  ]
}

/**
 * Pruning rule: once a claim has been tried in one vault, it need not be tried in a twin of it.
 * Proof: twins have the same liquidity and, in this domain, the same lots at the same rates for the same claims, so
 * swapping them turns a route with the claim in the twin into one of the branch already tried, at the same cost, legs
 * and face. Order among pairs is settled by a phase whose domains tell the vaults apart.
 */
function twinsOf(problem: Problem, domain: Domain, first: Option): (option: Option) => boolean {
  const profile = (vault: number): string => {
    const parts = [String(problem.liquidity[vault])]
    for (const list of domain.options) {
      for (const one of list)
        if (one.vault === vault) parts.push(`${one.claim}:${one.rate}:${one.minFace}:${one.hi}`)
    }
    return parts.join()
  }
  const own = profile(first.vault)
  return (option) =>
    option.rate === first.rate && option.vault !== first.vault && profile(option.vault) === own
}

function chosenByClaim(options: readonly Option[]): ReadonlyMap<number, Option> {
  return new Map(options.map((option) => [option.claim, option]))
}
