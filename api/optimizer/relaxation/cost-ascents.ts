import type { Domain } from '../model/domain.ts'
import type { Fuse } from '../model/fuse.ts'
import type { Option, Problem } from '../model/problem.ts'
import type { Worth } from './construct.ts'
import { type Aim, type Ascent, ascend, type Multipliers, noMultipliers } from './multipliers.ts'

/** Steps of each ascent. */
const ITERATIONS = 200
/** A unit of target that is worth more than most rates cost: the leg limit or least lots may bind before liquidity does. */
const GREAT_WORTH = 0.05

/**
 * Ascents of the cost from two starts, the better one first. One start alone may end on a ridge far below the best multipliers: from a great
 * worth where scarce liquidity is priced last, from the worth of a fill where the legs of a vault are limited.
 */
export function costAscents(
  problem: Problem,
  domain: Domain,
  maxLegs: number,
  aim: Aim,
  fuse: Fuse,
): [Ascent, Ascent] {
  const from = (start: Multipliers): Ascent => ascend(problem, domain, maxLegs, aim, start, ITERATIONS, fuse)
  const byFill = from(worthOfFill(problem, domain, aim.target))
  const byWorth = from(noMultipliers(problem, GREAT_WORTH))
  return byWorth.value > byFill.value ? [byWorth, byFill] : [byFill, byWorth]
}

/**
 * The multipliers of a fill in order of what a unit costs, without regard to the leg limit and least lots: a unit of target is worth what
 * the last one costs, and a unit of a vault that is used up what it saves. Where only liquidity binds, none are better.
 */
export function worthOfFill(problem: Problem, domain: Domain, target: number): Multipliers {
  const left = Float64Array.from(problem.liquidityFloat)
  const dearest = new Float64Array(left.length)
  const used = new Set<number>()
  let missing = target
  let worth = 0
  for (const { claim, vault, slope, hiFloat } of inOrderOfCost(domain)) {
    const advance = Math.min(hiFloat, left[vault] as number)
    if (missing <= 0) break
    if (advance === 0 || used.has(claim)) continue
    used.add(claim)
    missing -= advance
    left[vault] = (left[vault] as number) - advance
    worth = dearest[vault] = slope
  }
  const saved = dearest.map((slope, vault) => (left[vault] === 0 ? worth - slope : 0))
  return { ...noMultipliers(problem, worth), vaults: saved }
}

const inOrderOfCost = ({ options }: Domain): Option[] =>
  options.flat().sort((a, b) => a.slope - b.slope || b.hiFloat - a.hiFloat || a.claim - b.claim)

/** What to build assignments for: the advance alone, and each ascent's worth of it beyond its cost. */
export const worthsOf = (ascents: readonly Ascent[]): Worth[] => [
  () => 1,
  ...ascents.map<Worth>(
    ({ multipliers }) =>
      ({ slope }) =>
        multipliers.target - slope,
  ),
]
