/**
 * The work budget ended with neither a route nor a proof that there is none: the target lies above every advance found
 * and below the bound on it.
 */
export class OptimizerExhausted extends Error {
  override readonly name = 'OptimizerExhausted'
  readonly nodesVisited: number
  /** The largest advance that a route was found for; 0 without one. */
  readonly advance: bigint
  /** A bound that no advance exceeds. */
  readonly atMost: bigint

  constructor(nodesVisited: number, { advance, atMost }: { advance: bigint; atMost: bigint }) {
    super(
      `No route and no proof of there being none after ${nodesVisited} nodes; narrow the claims or the bounds.`,
    )
    this.nodesVisited = nodesVisited
    this.advance = advance
    this.atMost = atMost
  }
}

/** The input breaks a promise of its type (a negative rate or amount, a target that is not positive). */
export class InvalidOptimizeInput extends RangeError {
  override readonly name = 'InvalidOptimizeInput'
  readonly field: string

  constructor(field: string, given: bigint, expected: string) {
    super(`${field} is ${given}, expected ${expected}.`)
    this.field = field
  }
}
