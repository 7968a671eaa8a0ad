import { compare, smaller } from '../domain/bigint.ts'
import { advanceOf } from '../domain/discount.ts'
import { type Bounds, ceilingOf, UNBOUNDED } from './model/goal.ts'
import { largestFace } from './model/groups.ts'
import { faceOfAdvance, type Option, type Problem } from './model/problem.ts'
import { type Route, routeOf } from './model/route.ts'

/** The specification's fill above 12 claims: each claim in its cheapest vault, the legs filled in order of rate. */
export function greedyRoute(problem: Problem, bounds: Bounds): Route | undefined {
  const reduced = problem.options.flatMap((list) => cheapestOf(list))
  reduced.sort((a, b) => compareRates(a, b) || a.claim - b.claim)
  return fillInOrder(problem, bounds, reduced)
}

function compareRates(a: Option, b: Option): number {
  return compare(a.rate, b.rate)
}

/** Lowest rate, then the widest lot, then vault order. */
function cheapestOf(options: readonly Option[]): Option[] {
  const order = (a: Option, b: Option): number =>
    compareRates(a, b) || compare(b.hi, a.hi) || a.vault - b.vault
  return [...options].sort(order).slice(0, 1)
}

/** Takes each leg as far as target and liquidity want it; undefined when the bounds are not met in the end. */
function fillInOrder(problem: Problem, bounds: Bounds, order: readonly Option[]): Route | undefined {
  const left = [...problem.liquidity]
  const faceLeft = problem.groups.map(({ maxFace }) => maxFace)
  const legs: { option: Option; advance: bigint }[] = []
  let missing = bounds.target
  for (const option of order) {
    const face = faceLeft[option.group ?? -1] ?? largestFace(option)
    const room = smaller(smaller(left[option.vault] ?? 0n, option.hi), advanceOf(face, option.rate))
    if (missing <= 0n || legs.length === bounds.maxLegs || room < option.lo || face < option.minFace) continue
    const advance = missing < option.lo ? option.lo : smaller(missing, room)
    left[option.vault] = (left[option.vault] ?? 0n) - advance
    if (option.group !== undefined) faceLeft[option.group] = face - faceOfAdvance(option, advance)
    missing -= advance
    legs.push({ option, advance })
  }
  legs.sort((a, b) => a.option.claim - b.option.claim)
  const options = legs.map((leg) => leg.option)
  const advances = legs.map((leg) => leg.advance)
  const route = routeOf(options, advances)
  const ceiling = ceilingOf({ ...bounds, target: route.advance }) ?? UNBOUNDED
  return missing <= 0n && route.cost <= ceiling ? route : undefined
}
