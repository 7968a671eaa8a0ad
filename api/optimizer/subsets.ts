import type { Fuse } from './fuse.ts'
import type { Pattern } from './patterns.ts'
import type { Option } from './problem.ts'
import type { Shape } from './shape.ts'

/** What one optimization works with: its fuse, and scratch tables, one per shared vault. */
export type Workspace = {
  readonly fuse: Fuse
  readonly forward: Float64Array[]
  readonly backward: Float64Array[]
}

export const newWorkspace = (fuse: Fuse): Workspace => ({ fuse, forward: [], backward: [] })

/** Weights of one relaxation: patterns per shared vault, and the cheapest free option per claim. */
export type Weights = {
  readonly patterns: readonly (readonly Pattern[])[]
  readonly free: readonly (FreeChoice | undefined)[]
}
export type FreeChoice = { readonly option: Option; readonly weight: number }

const POPCOUNT = Uint8Array.from(
  { length: 1 << 12 },
  (_, mask) => mask.toString(2).replaceAll('0', '').length,
)
export const countBits = (mask: number): number => POPCOUNT[mask] as number

export function layer(pool: Float64Array[], index: number, size: number): Float64Array {
  const known = pool[index]
  if (known !== undefined && known.length >= size) return known
  const made = new Float64Array(size)
  pool[index] = made
  return made
}

/** forward[v][S]: the least weight of serving exactly the claims S from the first v shared vaults. */
export function sweepForward(shape: Shape, weights: Weights, space: Workspace): void {
  const size = 1 << shape.width
  const first = layer(space.forward, 0, size)
  first.fill(Number.POSITIVE_INFINITY, 0, size)
  first[0] = 0
  for (let vault = 0; vault < weights.patterns.length; vault++) {
    const from = layer(space.forward, vault, size)
    const to = layer(space.forward, vault + 1, size)
    to.set(from.subarray(0, size))
    for (const { mask, weight, members } of weights.patterns[vault] ?? []) {
      space.fuse.steps -= 1 << (shape.width - members.length)
      addPattern(from, to, size, mask, weight, shape.maxLegs - members.length)
    }
  }
}

/** The inner loop of everything: every set disjoint from the pattern, in descending order. */
function addPattern(
  from: Float64Array,
  to: Float64Array,
  size: number,
  mask: number,
  weight: number,
  room: number,
): void {
  const rest = (size - 1) & ~mask
  for (let set = rest; ; set = (set - 1) & rest) {
    const total = (from[set] as number) + weight
    if (total < (to[set | mask] as number) && (POPCOUNT[set] as number) <= room) to[set | mask] = total
    if (set === 0) return
  }
}

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

/** Claims in order of free weight; ties by claim, so that the result never depends on sort stability. */
export function freeOrder(weights: Weights): number[] {
  return weights.free
    .map((choice, claim) => ({ claim, weight: choice?.weight ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => (a.weight < b.weight ? -1 : a.weight > b.weight ? 1 : a.claim - b.claim))
    .map(({ claim }) => claim)
}

export function complete(
  shape: Shape,
  weights: Weights,
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
export function minimum(shape: Shape, weights: Weights, space: Workspace): Minimum {
  const size = 1 << shape.width
  const last = layer(space.forward, shape.vaults.length, size)
  const order = freeOrder(weights)
  space.fuse.steps -= size * COMPLETION
  const completion: Completion = { weight: 0, taken: 0, legsLeft: 0, worst: 0, next: 0 }
  let best: Minimum = { weight: Number.POSITIVE_INFINITY, served: 0, taken: 0 }
  for (let served = 0; served < size; served++) {
    const base = last[served] as number
    if (base === Number.POSITIVE_INFINITY) continue
    complete(shape, weights, order, served, completion)
    const total = base + completion.weight
    if (total < best.weight) best = { weight: total, served, taken: completion.taken }
  }
  return best
}

/** The patterns, one per shared vault or none, that make up the minimum. */
export function tracePatterns(
  shape: Shape,
  weights: Weights,
  space: Workspace,
  served: number,
): (Pattern | undefined)[] {
  const size = 1 << shape.width
  const traced: (Pattern | undefined)[] = []
  let set = served
  for (let vault = shape.vaults.length; vault > 0; vault--) {
    const to = layer(space.forward, vault, size)
    const from = layer(space.forward, vault - 1, size)
    if (to[set] === from[set]) continue
    const used = (weights.patterns[vault - 1] ?? []).find(
      ({ mask, weight }) => (mask & ~set) === 0 && (from[set & ~mask] as number) + weight === to[set],
    )
    traced[vault - 1] = used
    if (used !== undefined) set &= ~used.mask
  }
  return traced
}
