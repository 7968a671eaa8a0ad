import { spend } from '../model/work-budget.ts'
import type { ReducedCosts } from './reduced-costs.ts'
import type { Shape } from './shape.ts'
import { countBits, layer, setsBefore, type Workspace } from './workspace.ts'

/** How the claims outside `served` are completed from free options: required ones all, others while they pay. */
export type Completion = {
  reducedCost: number
  /** Claims taken, as a mask of claim numbers. */
  taken: number
  legsLeft: number
  /**
   * Reduced cost of the most expensive optional claim taken, and of the cheapest paying one left out for want of legs.
   */
  worst: number
  next: number
}

export type FreeReducedCosts = { readonly free: readonly ({ readonly reducedCost: number } | undefined)[] }

/** Claims in order of free reduced cost; ties by claim, so that the result never depends on sort stability. */
export function freeOrder(reducedCosts: FreeReducedCosts): number[] {
  return reducedCosts.free
    .map((choice, claim) => ({ claim, reducedCost: choice?.reducedCost ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) =>
      a.reducedCost < b.reducedCost ? -1 : a.reducedCost > b.reducedCost ? 1 : a.claim - b.claim,
    )
    .map(({ claim }) => claim)
}

export function complete(
  shape: Shape,
  reducedCosts: FreeReducedCosts,
  order: readonly number[],
  served: number,
  into: Completion,
): void {
  into.reducedCost = 0
  into.taken = 0
  into.worst = Number.NEGATIVE_INFINITY
  into.next = 0
  into.legsLeft = shape.maxLegs - countBits(served)
  for (let claim = 0; claim < shape.required.length; claim++) {
    if (shape.required[claim] !== true || isServed(shape, claim, served)) continue
    into.reducedCost += reducedCosts.free[claim]?.reducedCost ?? Number.POSITIVE_INFINITY
    into.taken |= 1 << claim
    into.legsLeft--
  }
  if (into.legsLeft < 0) into.reducedCost = Number.POSITIVE_INFINITY
  if (into.reducedCost === Number.POSITIVE_INFINITY) return
  for (const claim of order) {
    const reducedCost = reducedCosts.free[claim]?.reducedCost ?? 0
    if (reducedCost >= 0) break
    if (shape.required[claim] === true || isServed(shape, claim, served)) continue
    if (into.legsLeft <= 0) {
      into.next = reducedCost
      break
    }
    into.reducedCost += reducedCost
    into.worst = reducedCost
    into.taken |= 1 << claim
    into.legsLeft--
  }
}

export function isServed(shape: Shape, claim: number, served: number): boolean {
  const bit = shape.bits[claim] ?? -1
  return bit >= 0 && (served & (1 << bit)) !== 0
}

export type Minimum = { readonly reducedCost: number; readonly served: number; readonly taken: number }

/** The least reduced cost over every assignment; reads the last forward table. */
export function minimum(shape: Shape, reducedCosts: ReducedCosts, { budget, tables }: Workspace): Minimum {
  const last = layer(tables.forward, shape.vaults.length, 1 << shape.width)
  const sets = setsBefore(tables, shape.vaults.length)
  const order = freeOrder(reducedCosts)
  const gain = mostGain(reducedCosts)
  spend(budget, 'set', sets.length)
  const completion = newCompletion()
  let completed = 0
  let best: Minimum = { reducedCost: Number.POSITIVE_INFINITY, served: 0, taken: 0 }
  for (const served of sets) {
    const base = last[served] as number
    if (base + gain >= best.reducedCost) continue
    completed++
    complete(shape, reducedCosts, order, served, completion)
    const total = base + completion.reducedCost
    if (total < best.reducedCost) best = { reducedCost: total, served, taken: completion.taken }
  }
  spend(budget, 'completion', completed)
  return best
}

/** No completion has a lower reduced cost. */
export function mostGain(reducedCosts: ReducedCosts): number {
  return reducedCosts.free.reduce((sum, choice) => sum + Math.min(0, choice?.reducedCost ?? 0), 0)
}

export const newCompletion = (): Completion => ({ reducedCost: 0, taken: 0, legsLeft: 0, worst: 0, next: 0 })
