import type { Shape } from './shape.ts'
import type { Weights } from './subsets.ts'
import { countBits, layer, setsBefore, type Workspace } from './workspace.ts'

/** How the claims outside `served` are completed from free options: required ones all, others while they pay. */
export type Completion = {
  weight: number
  /** Claims taken, as a mask of claim numbers. */
  taken: number
  legsLeft: number
  /** Weight of the dearest optional claim taken, and of the cheapest paying one left out for want of legs. */
  worst: number
  next: number
}

export type FreeWeights = { readonly free: readonly ({ readonly weight: number } | undefined)[] }

/** Claims in order of free weight; ties by claim, so that the result never depends on sort stability. */
export function freeOrder(weights: Weights): number[] {
  return weights.free
    .map((choice, claim) => ({ claim, weight: choice?.weight ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => (a.weight < b.weight ? -1 : a.weight > b.weight ? 1 : a.claim - b.claim))
    .map(({ claim }) => claim)
}

export function complete(
  shape: Shape,
  weights: FreeWeights,
  order: readonly number[],
  served: number,
  into: Completion,
): void {
  into.weight = 0
  into.taken = 0
  into.worst = Number.NEGATIVE_INFINITY
  into.next = 0
  into.legsLeft = shape.maxLegs - countBits(served)
  for (let claim = 0; claim < shape.required.length; claim++) {
    if (shape.required[claim] !== true || isServed(shape, claim, served)) continue
    into.weight += weights.free[claim]?.weight ?? Number.POSITIVE_INFINITY
    into.taken |= 1 << claim
    into.legsLeft--
  }
  if (into.legsLeft < 0) into.weight = Number.POSITIVE_INFINITY
  if (into.weight === Number.POSITIVE_INFINITY) return
  for (const claim of order) {
    const weight = weights.free[claim]?.weight ?? 0
    if (weight >= 0) break
    if (shape.required[claim] === true || isServed(shape, claim, served)) continue
    if (into.legsLeft <= 0) {
      into.next = weight
      break
    }
    into.weight += weight
    into.worst = weight
    into.taken |= 1 << claim
    into.legsLeft--
  }
}

export function isServed(shape: Shape, claim: number, served: number): boolean {
  const bit = shape.bits[claim] ?? -1
  return bit >= 0 && (served & (1 << bit)) !== 0
}

export type Minimum = { readonly weight: number; readonly served: number; readonly taken: number }

/** Table steps that completing one set takes. */
export const COMPLETION = 24

/** The least weight over every assignment; reads the last forward table. */
export function minimum(shape: Shape, weights: Weights, { fuse, tables }: Workspace): Minimum {
  const last = layer(tables.forward, shape.vaults.length, 1 << shape.width)
  const sets = setsBefore(tables, shape.vaults.length)
  const order = freeOrder(weights)
  const gain = mostGain(weights)
  fuse.steps -= sets.length
  const completion = newCompletion()
  let best: Minimum = { weight: Number.POSITIVE_INFINITY, served: 0, taken: 0 }
  for (const served of sets) {
    const base = last[served] as number
    if (base + gain >= best.weight) continue
    fuse.steps -= COMPLETION
    complete(shape, weights, order, served, completion)
    const total = base + completion.weight
    if (total < best.weight) best = { weight: total, served, taken: completion.taken }
  }
  return best
}

/** No completion weighs less. */
export function mostGain(weights: Weights): number {
  return weights.free.reduce((sum, choice) => sum + Math.min(0, choice?.weight ?? 0), 0)
}

export const newCompletion = (): Completion => ({ weight: 0, taken: 0, legsLeft: 0, worst: 0, next: 0 })
