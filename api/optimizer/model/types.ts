import type { Address, Hex } from 'viem'

/**
 * One (claim, vault) pair that may become a leg. Faces are base units; `maxFace` is the most that the
 * mandate and the remaining face allow.
 */
export type Candidate = {
  readonly claimId: Hex
  readonly vault: Address
  readonly rateBps: bigint
  readonly minFace: bigint
  readonly maxFace: bigint
}

/** Everything the optimizer knows. A vault without `vaultLiquidity` has none; an absent cap does not bind. */
export type OptimizeInput = {
  readonly candidates: readonly Candidate[]
  readonly vaultLiquidity: ReadonlyMap<Address, bigint>
  readonly targetAdvance: bigint
  readonly issuerLimits?: readonly IssuerLimit[]
  readonly maxTotalFace?: bigint
  readonly maxTotalCost?: bigint
  /** Whether a route gets a certificate. */
  readonly certify?: boolean
}

/** The most face that claims of one issuer may take from a vault together; a claim has at most one in a vault. */
export type IssuerLimit = {
  readonly vault: Address
  readonly claimIds: readonly Hex[]
  readonly maxFace: bigint
}

export type Leg = { claimId: Hex; vault: Address; faceAmount: bigint }

/** Legs sorted by (claimId, vault) and their sums. `effectiveDiscountBps` is rounded up. */
export type Allocation = {
  legs: Leg[]
  totalCost: bigint
  totalFace: bigint
  totalAdvance: bigint
  effectiveDiscountBps: bigint
}

/**
 * Multipliers of the target and of the liquidity of each vault, in whole multiples of 2^-60. They prove a lower bound
 * on the cost of every route, which packages/client/src/certificate.ts computes from them without a search.
 */
export type Certificate = { target: bigint; vaults: ReadonlyMap<Address, bigint> }

export type Explanation = {
  strategy: 'bounded-exact' | 'greedy-degraded'
  /**
   * Upper bound, in base units, on how much more the route costs than the best possible. 0 only where the route is
   * proven the best-ranked one; above 12 claims its `approximation` is `greedy` all the same.
   */
  provenGap: bigint
  certificate?: Certificate
}

export type ExecutableRoute = {
  executable: true
  approximation: 'exact' | 'greedy'
  explanation: Explanation
} & Allocation

export type NonExecutableReason = 'NO_ELIGIBLE_CANDIDATES' | 'MAX_COST_EXCEEDED' | 'TARGET_UNSATISFIABLE'

export type NonExecutableRoute = {
  executable: false
  reason: NonExecutableReason
  /** The target less `maxAchievableAdvance`. */
  shortfallAdvance: bigint
  /** The largest advance known under every bound but the target; the exact maximum if `maxAchievableGap` is 0. */
  maxAchievableAdvance: bigint
  /** Upper bound, in base units, on what can be reached beyond `maxAchievableAdvance`; less than the shortfall. */
  maxAchievableGap: bigint
  bestFeasiblePartial?: PartialRoute
}

/** Reaches `maxAchievableAdvance`; `provenGap` bounds how much more it costs than the best route that does. */
export type PartialRoute = Allocation & { provenGap: bigint }

export type RouteResult = ExecutableRoute | NonExecutableRoute
