import { type OptimizeInput, optimizeRoute, type RouteResult } from '../../api/optimizer/index.ts'

/** Undefined where the work budget ended with neither a route nor a proof that there is none. */
export type Answer = RouteResult | undefined

/** @param optimize of this version, or of a copy or checkout, which has an error class of its own */
export function answerOf(
  input: OptimizeInput,
  optimize: (input: OptimizeInput) => Answer = optimizeRoute,
): Answer {
  try {
    return optimize(input)
  } catch (error) {
    if (error instanceof Error && error.name === 'OptimizerExhausted') return undefined
    throw error
  }
}

export function isProven(answer: Answer): boolean {
  if (answer === undefined) return false
  return (answer.executable ? answer.explanation.provenGap : answer.maxAchievableGap) === 0n
}

/** The cost of a route; 0 without one. */
export const costOf = (answer: Answer): bigint => (answer?.executable ? answer.totalCost : 0n)
