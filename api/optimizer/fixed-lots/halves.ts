import { classesOf } from './classes.ts'
import type { ClaimLots, LotProblem } from './lot-problem.ts'
import type { UsageBook } from './usage.ts'
import type { Half } from './window.ts'

export type Halves = { readonly left: Half; readonly right: Half }

/** Enough for three claims in 64 vaults each. */
const MOST_CLASSES = 300_000

/** Two halves of the claims, about as many partial routes in each; undefined when they are too many to list. */
export function halvesOf(lots: LotProblem, book: UsageBook, maxLegs: number): Halves | undefined {
  /** As much as possible goes to the second list: its runs get long, and what is alike in it is merged. */
  const halfOf = (claims: readonly ClaimLots[]): Half | undefined => {
    const second = classesOf(lots, claims, book, maxLegs, MOST_CLASSES)
    const rest = claims.slice(second.claims.length)
    const first = classesOf(lots, rest, book, maxLegs, MOST_CLASSES)
    return first.claims.length < rest.length ? undefined : { first, second }
  }
  const [leftClaims, rightClaims] = shareOut(lots.claims)
  const left = halfOf(leftClaims)
  const right = left && halfOf(rightClaims)
  return left && right && { left, right }
}

/** Largest first, each claim to the half that has fewer partial routes so far. */
function shareOut(claims: readonly ClaimLots[]): [ClaimLots[], ClaimLots[]] {
  const left = { size: 1, claims: [] as ClaimLots[] }
  const right = { size: 1, claims: [] as ClaimLots[] }
  for (const claim of [...claims].sort((a, b) => b.lots.length - a.lots.length || a.claim - b.claim)) {
    const half = left.size <= right.size ? left : right
    half.claims.push(claim)
    half.size *= claim.lots.length + 1
  }
  return [inOrder(left.claims), inOrder(right.claims)]
}

const inOrder = (claims: readonly ClaimLots[]): ClaimLots[] => [...claims].sort((a, b) => a.claim - b.claim)
