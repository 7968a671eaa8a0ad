import { allows, type Domain, isEmpty, mostTogether, withClaim } from '../model/domain.ts'
import { ceilingOf, type Goal } from '../model/goal.ts'
import type { Option } from '../model/problem.ts'
import { CONVERSION_ERROR, FIXING_ERROR, REDUCED_COST_ERROR } from '../model/tolerances.ts'
import { hasFewPatterns } from '../relaxation/by-legs.ts'
import { builtFrom, choicesOf, costAscents } from '../relaxation/cost-ascents.ts'
import { leastCostAt, mostAdvanceAt } from '../relaxation/exact-multiplier-bound.ts'
import { type Aim, type Ascent, ascend, gainOf, legsAt, noMultipliers } from '../relaxation/multipliers.ts'
import { NO_HINTS } from '../relaxation/node-bound.ts'
import { type Shape, shapeOf } from '../relaxation/shape.ts'
import { mostByLegs } from '../relaxation/vault-legs.ts'
import type { Workspace } from '../relaxation/workspace.ts'
import { type Node, splitOnLegs, type WideHints } from './branch.ts'
import { dropOutclassed, outclassed } from './claim-order.ts'
import { offer, type Progress } from './leaf.ts'

/** Steps of an ascent that goes on from the multipliers of the parent. */
const MORE_ITERATIONS = 25

/**
 * A node in which more claims compete for vaults than the tables over sets of claims hold: bounded by multipliers, and
 * split on whether a claim is used until the tables hold what is left. At most `maxLegs` claims can be used, so that
 * comes soon. Where few lots fit into the vaults, returns what is left of the node, for a bound by numbers of legs.
 */
export function expandWide(progress: Progress, node: Node): Node | Node[] {
  const { space } = progress
  const { target, maxLegs } = progress.goal
  const domain = withinLegs(node.domain, maxLegs)
  if (domain === undefined || isEmpty(domain)) return []
  const bound = boundWide(domain, progress.goal, node.wide, space)
  if (bound === undefined) return []
  const { reach, byCost } = bound
  const choices = choicesOf([reach, ...byCost])
  const built = bound.isRoot ? builtFrom(domain, maxLegs, byCost, space.budget) : []
  for (const assignment of [...choices, ...built]) if (allows(domain, assignment)) offer(progress, assignment)
  const { goal } = progress
  // The first route gives a ceiling, and only a ceiling gives a bound on the cost.
  if (!progress.stopped && byCost.length === 0 && ceilingOf(goal) !== undefined) return [node]
  const wide: WideHints = { reach: reach.multipliers, cost: byCost[0]?.multipliers }
  progress.wide ??= wide
  if (goal.target !== target) return [{ ...node, wide }]
  if (progress.stopped) return []
  const kept = dropOutclassed(fixByMultipliers(domain, goal, bound), maxLegs, false)
  const fixed = withinLegs(kept, maxLegs)
  if (fixed === undefined || isEmpty(fixed)) return []
  const rest = { ...node, domain: fixed, bound: Math.max(node.bound, bound.floor), wide }
  if (hasFewPatterns(shapeOf(fixed, maxLegs), progress.legsFirst)) return rest
  const split = progress.legsFirst ? legSplit(fixed, byCost[0], maxLegs) : undefined
  const parts = split ?? claimSplit(fixed, bound)
  return parts.map((part) => ({ ...rest, hints: NO_HINTS, domain: part }))
}

type WideBound = {
  readonly reach: Ascent
  /** The best one first; at the root also from the other start, for what can be built with its multipliers. */
  readonly byCost: readonly Ascent[]
  readonly floor: number
  readonly isRoot: boolean
}

/** Whether more claims compete for vaults than the tables hold, and it is open whether one of them is used. */
export function isWide(shape: Shape, domain: Domain, widest: number): boolean {
  return shape.width > widest && domain.options.some((_, claim) => isOpen(domain, claim))
}

const isOpen = ({ options, required }: Domain, claim: number): boolean =>
  required[claim] !== true && (options[claim]?.length ?? 0) > 0

/** With every leg spoken for, no other claim is left. Undefined when there are too few for the required claims. */
function withinLegs(domain: Domain, maxLegs: number): Domain | undefined {
  const required = domain.required.filter(Boolean).length
  if (required > maxLegs) return undefined
  if (required < maxLegs) return domain
  return {
    ...domain,
    options: domain.options.map((list, claim) => (domain.required[claim] === true ? list : [])),
  }
}

/** Undefined when whole numbers prove that no route of the node is within the goal. */
function boundWide(
  domain: Domain,
  goal: Goal,
  hints: WideHints | undefined,
  { budget }: Workspace,
): WideBound | undefined {
  const { target, maxLegs } = goal
  const isRoot = hints === undefined
  const iterations = isRoot ? undefined : MORE_ITERATIONS
  const towards: Aim = { target, level: 0n, objective: 'advance', maxLegs }
  const reach = ascend(domain, towards, hints?.reach ?? noMultipliers(domain, 1), budget, iterations)
  const most = mostAdvanceAt(domain, goal, reach.multipliers, 'advance')
  if (most !== undefined && most < target) return undefined
  if (mostByLegs(domain, maxLegs, budget) < target) return undefined
  const ceiling = ceilingOf(goal)
  if (ceiling === undefined) return { reach, byCost: [], floor: 0, isRoot }
  const aim: Aim = { target, level: ceiling, objective: 'cost', maxLegs }
  const byCost =
    hints?.cost === undefined
      ? costAscents(domain, aim, budget)
      : [ascend(domain, aim, hints.cost, budget, iterations)]
  const least = byCost[0] && leastCostAt(domain, goal, byCost[0].multipliers)
  if (least === undefined || least > ceiling) return undefined
  return { reach, byCost, floor: Number(least) * (1 - CONVERSION_ERROR) - 1, isRoot }
}

/**
 * Pruning rule: an option is dropped when the bound with it forced in exceeds what the goal allows, and a claim becomes
 * required when the bound without it does.
 * Proof: forced in, the option takes the place of its claim's best one, or of the chosen claim that gains least where
 * no leg is left; taken out, a claim leaves its leg to the best one that was not chosen. Both are best choices, so the
 * bound stays one.
 */
function fixByMultipliers(domain: Domain, goal: Goal, { reach, byCost: [cost] }: WideBound): Domain {
  const byReach = fixBy(domain, reach, { ...goal, level: 0n, objective: 'advance' })
  const ceiling = ceilingOf(goal)
  return cost === undefined || ceiling === undefined
    ? byReach
    : fixBy(byReach, cost, { ...goal, level: ceiling, objective: 'cost' })
}

function fixBy(domain: Domain, { multipliers, value, best }: Ascent, aim: Aim): Domain {
  const [target, level] = [Number(aim.target), Number(aim.level)]
  const magnitude = Math.abs(level) + multipliers.target * (target + 2 * mostTogether(domain))
  const limit = level + FIXING_ERROR + REDUCED_COST_ERROR * magnitude
  const gains = new Map(best.chosen.map(({ option, gain }) => [option.claim, gain]))
  return {
    ...domain,
    options: domain.options.map((list, claim) => {
      const own = gains.get(claim) ?? best.displaced
      return list.filter((option) => value + own - gainOf(option, multipliers, aim.objective) <= limit)
    }),
    required: domain.required.map((required, claim) => {
      const own = gains.get(claim)
      return required || (own !== undefined && value + own - best.next > limit)
    }),
  }
}

/** Distance of an average from a whole number below which a vault is not worth a split. */
const LEAST_DISTANCE = 0.2

/** Splits on the legs of the vault whose average in the choices of an ascent is furthest from a whole number. */
function legSplit(domain: Domain, ascent: Ascent | undefined, maxLegs: number): Domain[] | undefined {
  let parts: Domain[] | undefined
  let most = LEAST_DISTANCE
  ascent?.averageLegs.forEach((average, vault) => {
    const legs = Math.floor(average)
    const distance = Math.min(average - legs, legs + 1 - average)
    if (distance <= most || legs < legsAt(domain, vault, maxLegs, false)) return
    if (legs >= legsAt(domain, vault, maxLegs, true)) return
    most = distance
    parts = splitOnLegs(domain, { vault, legs, isMoreLikely: average - legs > 0.5 })
  })
  return parts
}

/** Splits on the largest claim of the best choice that need not be used: first with it, then without it. */
function claimSplit(domain: Domain, { reach, byCost: [cost = reach] }: WideBound): Domain[] {
  const { chosen } = cost.best
  const candidates = chosen.map(({ option }) => option).filter(({ claim }) => isOpen(domain, claim))
  const others = domain.options.flat().filter(({ claim }) => isOpen(domain, claim))
  const claim = largest(candidates) ?? largest(others)
  if (claim === undefined) return [domain]
  const list = domain.options[claim] ?? []
  return [outclassed(withClaim(domain, claim, [], false), list), withClaim(domain, claim, list, true)]
}

const largest = (options: readonly Option[]): number | undefined =>
  [...options].sort((a, b) => b.hiFloat - a.hiFloat || a.claim - b.claim)[0]?.claim
