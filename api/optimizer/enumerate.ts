import type { Bounds } from './bounds.ts'
import type { Option, Problem } from './problem.ts'
import { compareRoutes, type Route } from './route.ts'
import { cheapestSplit } from './split.ts'

const NO_CEILING = 1n << 600n

/** Plain enumeration of assignments. */
export function bestRoute(problem: Problem, bounds: Bounds): Route | undefined {
  let best: Route | undefined
  const face = (route: Route) => bounds.maxFace === undefined || route.face <= bounds.maxFace
  visitAssignments(problem, bounds.maxLegs, (options) => {
    const ceiling = best?.cost ?? bounds.maxCost ?? NO_CEILING
    const split = cheapestSplit(problem, options, bounds.target, ceiling)
    if (split.kind === 'unknown' || (split.kind === 'route' && split.lowerBound < split.route.cost))
      throw new Error('unknown')
    if (split.kind === 'route' && face(split.route) && (!best || compareRoutes(split.route, best) < 0))
      best = split.route
  })
  return best
}

export function mostAdvance(problem: Problem, bounds: Bounds): bigint {
  let most = 0n
  const reaches = (options: readonly Option[], target: bigint) => {
    const split = cheapestSplit(problem, options, target, bounds.maxCost ?? NO_CEILING)
    if (split.kind === 'unknown') throw new Error('unknown')
    return split.kind === 'route' && (bounds.maxFace === undefined || split.route.face <= bounds.maxFace)
  }
  visitAssignments(problem, bounds.maxLegs, (options) => {
    if (!reaches(options, 0n)) return
    let low = options.reduce((sum, option) => sum + option.lo, 0n)
    let high = options.reduce((sum, option) => sum + option.hi, 0n)
    while (low < high) {
      const middle = (low + high + 1n) / 2n
      if (reaches(options, middle)) low = middle
      else high = middle - 1n
    }
    if (low > most) most = low
  })
  return most
}

function visitAssignments(
  problem: Problem,
  maxLegs: number,
  visit: (options: readonly Option[]) => void,
): void {
  const chosen: Option[] = []
  const step = (claim: number): void => {
    const options = problem.options[claim]
    if (options === undefined) {
      visit([...chosen])
      return
    }
    step(claim + 1)
    if (chosen.length >= maxLegs) return
    for (const option of options) {
      chosen.push(option)
      step(claim + 1)
      chosen.pop()
    }
  }
  step(0)
}
