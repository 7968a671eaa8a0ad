import { larger } from '../../domain/bigint.ts'
import { effectiveDiscountBps } from '../../domain/discount.ts'
import { faceOfAdvance, type Option, type Problem } from './problem.ts'
import type { Allocation } from './types.ts'

/** A complete choice: one option per used claim in claim order, each with its advance. */
export type Route = {
  readonly options: readonly Option[]
  readonly advances: readonly bigint[]
  readonly cost: bigint
  readonly face: bigint
  readonly advance: bigint
}

export function routeOf(options: readonly Option[], advances: readonly bigint[]): Route {
  let face = 0n
  let advance = 0n
  options.forEach((option, index) => {
    const legAdvance = advances[index] ?? 0n
    face += faceOfAdvance(option, legAdvance)
    advance += legAdvance
  })
  return { options, advances, cost: face - advance, face, advance }
}

/**
 * The specification's ranking: cost, legs, face, then the (claimId, vault) sequence. Returns 0 only for routes over the
 * same pairs at the same totals, which differ at most in how they split the face.
 */
export function compareRoutes(a: Route, b: Route): number {
  if (a.cost !== b.cost) return a.cost < b.cost ? -1 : 1
  if (a.options.length !== b.options.length) return a.options.length - b.options.length
  if (a.face !== b.face) return a.face < b.face ? -1 : 1
  return comparePairs(a.options, b.options)
}

export function comparePairs(a: readonly Option[], b: readonly Option[]): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const left = a[index]
    const right = b[index]
    if (left === undefined || right === undefined) break
    const order = left.claim - right.claim || left.vault - right.vault
    if (order !== 0) return order
  }
  return a.length - b.length
}

export function toAllocation(problem: Problem, route: Route): Allocation {
  const legs = route.options.map((option, index) => ({
    claimId: problem.claims[option.claim] ?? '0x',
    vault: problem.vaults[option.vault] ?? '0x',
    faceAmount: faceOfAdvance(option, route.advances[index] ?? 0n),
  }))
  return {
    legs,
    totalCost: route.cost,
    totalFace: route.face,
    totalAdvance: route.advance,
    effectiveDiscountBps: effectiveDiscountBps(route.cost, route.face),
  }
}

/** `best` undefined and proven: there is no route. Not proven: `lowerBound` holds for every route. */
export type Best = { readonly best: Route | undefined; readonly proven: boolean; readonly lowerBound: bigint }

/** The largest advance found and a bound that no advance exceeds: equal where the maximum is proven. */
export type Most = {
  readonly advance: bigint
  readonly atMost: bigint
  /** Reaches `advance`; undefined when that is 0. */
  readonly route: Route | undefined
}

/** A gap of 0 means exact in every ranking key; a route whose cost alone is proven least still reports 1. */
export const gapOf = ({ proven, lowerBound }: Best, route: Route): bigint =>
  proven ? 0n : larger(route.cost - lowerBound, 1n)
