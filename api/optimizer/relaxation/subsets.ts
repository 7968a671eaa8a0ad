import { spend, type WorkBudget } from '../model/work-budget.ts'
import { minimum } from './completion.ts'
import type { Least, Pattern, ReducedCosts } from './patterns.ts'
import type { Shape } from './shape.ts'
import { countBits, layer, setsBefore, type Tables, type Workspace } from './workspace.ts'

/**
 * forward[v][S]: the least reduced cost of serving exactly the claims S from the first v shared vaults. Sets that the
 * completion bound prunes are left out.
 */
export function sweepForward(shape: Shape, reducedCosts: ReducedCosts, space: Workspace): void {
  const { tables } = space
  if (tables.sweptFor === reducedCosts) return
  tables.sweptFor = reducedCosts
  startWithNobodyServed(shape, reducedCosts, tables)
  const cutoff = reducedCosts.limit?.cutoff ?? Number.POSITIVE_INFINITY
  reducedCosts.patterns.forEach((patterns, vault) => {
    const size = 1 << shape.width
    const from = layer(tables.forward, vault, size)
    const to = layer(tables.forward, vault + 1, size)
    const sets = setsBefore(tables, vault)
    const mustServe = (shape.vaults[vault]?.legs.least ?? 0) > 0
    if (mustServe) to.fill(Number.POSITIVE_INFINITY, 0, size)
    else to.set(from.subarray(0, size))
    const end = tables.reachedTo[vault] ?? 0
    tables.reachedFrom[vault + 1] = mustServe ? end : (tables.reachedFrom[vault] ?? 0)
    tables.reachedTo[vault + 1] = end
    for (const pattern of patterns) addPattern(shape, pattern, { from, to, sets, cutoff }, vault + 1, space)
  })
}

function startWithNobodyServed(shape: Shape, { limit }: ReducedCosts, tables: Tables): void {
  const size = 1 << shape.width
  if (limit) limit.fill(tables.completionBounds)
  else tables.completionBounds.fill(Number.NEGATIVE_INFINITY, 0, size)
  const first = layer(tables.forward, 0, size)
  first.fill(Number.POSITIVE_INFINITY, 0, size)
  first[0] = 0
  tables.reached[0] = 0
  tables.reachedFrom[0] = 0
  tables.reachedTo[0] = 1
}

/** The assignment of least reduced cost in which each claim is served once. */
export function leastBySets(shape: Shape, reducedCosts: ReducedCosts, space: Workspace): Least {
  sweepForward(shape, reducedCosts, space)
  const least = minimum(shape, reducedCosts, space)
  if (least.reducedCost === Number.POSITIVE_INFINITY) return { ...least, traced: [] }
  return { ...least, traced: tracePatterns(shape, reducedCosts, space.tables, least.served) }
}

type Step = {
  readonly from: Float64Array
  readonly to: Float64Array
  readonly sets: Uint16Array
  readonly cutoff: number
}

function addPattern(shape: Shape, pattern: Pattern, step: Step, next: number, space: Workspace): void {
  const { mask, reducedCost, members } = pattern
  const { from, to, sets, cutoff } = step
  const { reached, completionBounds } = space.tables
  const all = (1 << shape.width) - 1
  const room = shape.maxLegs - members.length
  let count = space.tables.reachedTo[next] ?? 0
  eachDisjoint(shape, pattern, sets, space.budget, (set) => {
    const total = (from[set] as number) + reducedCost
    const grown = set | mask
    const known = to[grown] as number
    if (total >= known || countBits(set) > room || total + (completionBounds[all ^ grown] as number) > cutoff)
      return
    if (known === Number.POSITIVE_INFINITY) reached[count++] = grown
    to[grown] = total
  })
  space.tables.reachedTo[next] = count
}

/**
 * The inner loop of everything: sets that a pattern may be added to, which are those disjoint from it. Goes through all
 * there are or through those that were reached, whichever are fewer.
 */
export function eachDisjoint(
  shape: Shape,
  { mask, members }: Pick<Pattern, 'mask' | 'members'>,
  reached: Uint16Array,
  budget: WorkBudget,
  visit: (set: number) => void,
): void {
  const subsets = 1 << (shape.width - members.length)
  const count = reached.length
  spend(budget, 'set', Math.min(subsets, count))
  if (subsets > count) {
    for (let index = 0; index < count; index++) {
      const set = reached[index] as number
      if ((set & mask) === 0) visit(set)
    }
    return
  }
  const rest = ((1 << shape.width) - 1) & ~mask
  for (let set = rest; set > 0; set = (set - 1) & rest) visit(set)
  visit(0)
}

/** The patterns, one per shared vault or none where it need not have legs, that make up the minimum. */
function tracePatterns(
  shape: Shape,
  reducedCosts: ReducedCosts,
  { forward }: Tables,
  served: number,
): (Pattern | undefined)[] {
  const size = 1 << shape.width
  const traced: (Pattern | undefined)[] = []
  let set = served
  for (let vault = shape.vaults.length; vault > 0; vault--) {
    const to = layer(forward, vault, size)
    const from = layer(forward, vault - 1, size)
    if (shape.vaults[vault - 1]?.legs.least === 0 && to[set] === from[set]) continue
    const used = (reducedCosts.patterns[vault - 1] ?? []).find(
      ({ mask, reducedCost }) =>
        (mask & ~set) === 0 && (from[set & ~mask] as number) + reducedCost === to[set],
    )
    traced[vault - 1] = used
    if (used !== undefined) set &= ~used.mask
  }
  return traced
}
