import type { RouteResult } from '../../api/optimizer/index.ts'

/** Undefined where the work budget ended with neither a route nor a proof that there is none. */
export type Answer = RouteResult | undefined

export function isProven(answer: Answer): boolean {
  if (answer === undefined) return false
  return (answer.executable ? answer.explanation.provenGap : answer.maxAchievableGap) === 0n
}

/** The cost of a route; 0 without one. */
export const costOf = (answer: Answer): bigint => (answer?.executable ? answer.totalCost : 0n)
