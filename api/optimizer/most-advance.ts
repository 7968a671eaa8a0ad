import { larger, smaller } from '../domain/discount.ts'
import type { Bounds } from './bounds.ts'
import { wholeDomain } from './domain.ts'
import { dropDominated } from './dominance.ts'
import type { Fuse } from './fuse.ts'
import type { Goal } from './goal.ts'
import { mostByLots } from './lots.ts'
import { hasFixedLotsOnly } from './lots-problem.ts'
import type { Option, Problem } from './problem.ts'
import type { Route } from './route.ts'
import { search } from './search.ts'
import { anySplit } from './split.ts'
import { inTurn } from './stages.ts'
import type { Workspace } from './workspace.ts'

/** `best` is the best-ranked route that reaches it, where that came to light on the way. */
export type Most = { readonly advance: bigint; readonly proven: boolean; readonly best: Route | undefined }

/** The exact maximum of the advance under every bound but the target. */
export function mostAdvance(problem: Problem, bounds: Bounds, space: Workspace): Most {
  if (!hasFixedLotsOnly(problem)) return mostBySearch(problem, bounds, space)
  let most: Most = { advance: 0n, proven: false, best: undefined }
  inTurn(
    space,
    (part) => {
      most = mostBySearch(problem, bounds, part)
      return most.proven
    },
    (work) => {
      most = mostByLots(problem, bounds, work) ?? most
      return most.proven
    },
  )
  return most
}

function mostBySearch(problem: Problem, bounds: Bounds, space: Workspace): Most {
  let advance = 0n
  const goal: Goal = {
    target: 1n,
    ceiling: bounds.maxCost,
    maxFace: bounds.maxFace,
    maxLegs: bounds.maxLegs,
    cheapest: false,
    accept(route) {
      advance = larger(route.advance, furthest(problem, bounds, route.options, route.advance, space.fuse))
      goal.target = advance + 1n
      return 'continue'
    },
  }
  const domain = dropDominated(problem, wholeDomain(problem), bounds.maxLegs, false)
  const { complete } = search(problem, domain, goal, space)
  return { advance, proven: complete, best: undefined }
}

/** How far these legs reach under the caps: the least cost and face only grow with the target, so halving works. */
function furthest(
  problem: Problem,
  bounds: Bounds,
  options: readonly Option[],
  from: bigint,
  fuse: Fuse,
): bigint {
  const reaches = (target: bigint): boolean => {
    const split = anySplit(problem, options, target, bounds.maxCost ?? target * 10_000n, fuse)
    return split.kind === 'route' && (bounds.maxFace === undefined || split.route.face <= bounds.maxFace)
  }
  let low = from
  let high = reachOf(problem, options)
  if (reaches(high)) return high
  while (low < high && fuse.steps > 0) {
    const middle = (low + high + 1n) / 2n
    if (reaches(middle)) low = middle
    else high = middle - 1n
  }
  return low
}

/** What the legs advance in their largest lots, as far as each vault's liquidity goes. */
function reachOf(problem: Problem, options: readonly Option[]): bigint {
  const asked = new Map<number, bigint>()
  for (const { vault, hi } of options) asked.set(vault, (asked.get(vault) ?? 0n) + hi)
  return [...asked].reduce((sum, [vault, hi]) => sum + smaller(hi, problem.liquidity[vault] ?? 0n), 0n)
}
