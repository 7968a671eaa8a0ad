import { compare } from '../../domain/bigint.ts'
import { spend } from '../model/work-budget.ts'
import type { FreeCosts, ReducedCosts } from './patterns.ts'
import type { Shape } from './shape.ts'
import { countBits, layer, setsBefore, type Workspace } from './workspace.ts'

/** How the claims outside `served` are completed from free options: required ones all, others while they pay. */
export type Completion = {
  reducedCost: number
  /** Claims taken, as a mask of claim numbers. */
  taken: number
  legsLeft: number
  /** Reduced costs of the most expensive optional claim taken, and of the cheapest paying one that lacks a leg. */
  worst: number
  next: number
}

/** The claims whose free option has a reduced cost below 0, the lowest first; ties by claim. */
export function payingClaims<T extends number | bigint>(free: readonly (T | undefined)[]): number[] {
  const paying = [...free].flatMap((own, claim) => (own !== undefined && own < 0 ? [{ own, claim }] : []))
  return paying.sort((a, b) => compare(a.own, b.own) || a.claim - b.claim).map(({ claim }) => claim)
}

export function complete(
  shape: Shape,
  free: FreeCosts,
  paying: readonly number[],
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
    into.reducedCost += free[claim] as number
    into.taken |= 1 << claim
    into.legsLeft--
  }
  if (into.legsLeft < 0) into.reducedCost = Number.POSITIVE_INFINITY
  if (into.reducedCost === Number.POSITIVE_INFINITY) return
  for (const claim of paying) {
    const reducedCost = free[claim] as number
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
export function minimum(shape: Shape, { free }: ReducedCosts, space: Workspace): Minimum {
  let best: Minimum = { reducedCost: Number.POSITIVE_INFINITY, served: 0, taken: 0 }
  const isOpen = (least: number): boolean => least < best.reducedCost
  eachCompleted(shape, free, space, isOpen, (served, total, { taken }) => {
    if (total < best.reducedCost) best = { reducedCost: total, served, taken }
  })
  return best
}

/** Completes each set of the last forward table, unless its least reduced cost is of no interest. */
export function eachCompleted(
  shape: Shape,
  free: FreeCosts,
  { budget, tables }: Workspace,
  isOpen: (least: number) => boolean,
  visit: (served: number, total: number, completion: Completion) => void,
): void {
  const last = layer(tables.forward, shape.vaults.length, 1 << shape.width)
  const sets = setsBefore(tables, shape.vaults.length)
  const paying = payingClaims(free)
  const gain = mostGain(free)
  const completion = newCompletion()
  spend(budget, 'set', sets.length)
  let completed = 0
  for (const served of sets) {
    const base = last[served] as number
    if (!isOpen(base + gain)) continue
    completed++
    complete(shape, free, paying, served, completion)
    visit(served, base + completion.reducedCost, completion)
  }
  spend(budget, 'completion', completed)
}

/** No completion has a lower reduced cost. */
export const mostGain = (free: FreeCosts): number => free.reduce((sum, own) => sum + Math.min(0, own), 0)

export const newCompletion = (): Completion => ({ reducedCost: 0, taken: 0, legsLeft: 0, worst: 0, next: 0 })
