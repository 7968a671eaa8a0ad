/**
 * The plan of a world: what happens when, as plain data. Things are named by their index in the plan's lists; amounts
 * are base units, times Unix seconds. Nothing here contains an address, so a plan fits every chain.
 */
import type { ClaimState } from '../../api/domain/claim.ts'

export type WorldScale = {
  claims: number
  /**
   * Further claims of each demo wallet, all in the first token and none of them financed: more than the exact search
   * takes. Default: none.
   */
  openClaims?: number
  vaults: number
  /** Simulated time before the present. */
  days: number
  /** Owners of claims; the first three are the demo wallets. */
  wallets: number
  /** Hours of simulated time whose actions share a block. */
  blockHours: number
}

export type Role = 'operator' | `wallet-${number}` | `issuer-${number}` | `lender-${number}`

/** An account of anvil's well-known mnemonic, by its place in it. */
export type Actor = { role: Role; name: string }

/** `hasPermit`: its holders can sign an allowance (EIP-2612). */
export type TokenPlan = {
  name: string
  symbol: string
  decimals: number
  resetsApproval: boolean
  hasPermit: boolean
}

export type MandateTerms = {
  supportedTypesBitmap: bigint
  minDurationDays: number
  maxDurationDays: number
  minFace: bigint
  maxFace: bigint
  maxClaimFace: bigint
  maxIssuerFace: bigint
}

/** Basis points. */
export type PricingTerms = {
  baseDiscountBps: number
  durationBpsPerDay: number
  premiumBps: readonly number[]
}

export type VaultPlan = {
  name: string
  symbol: string
  token: number
  curator: number
  mandate: MandateTerms
  pricing: PricingTerms
  /** Seconds. */
  noticePeriod: number
  capital: bigint
  character: 'ordinary' | 'inactive' | 'nearly empty'
}

export type ClaimPlan = {
  issuer: number
  beneficiary: number
  token: number
  faceValue: bigint
  dueAt: number
  claimType: number
  /** Name of the issuer's document; its hash is part of the claim's id. */
  document: string
}

export type LegPlan = { claim: number; vault: number; faceAmount: bigint; advanceAmount: bigint }

export type Action =
  | { kind: 'mint'; token: number; to: number; amount: bigint }
  | { kind: 'approve'; token: number; owner: number; spender: 'router' | { vault: number }; amount: bigint }
  | { kind: 'setIssuerActive'; issuer: number; active: boolean }
  | { kind: 'createVault'; vault: number }
  | { kind: 'setVaultActive'; vault: number; active: boolean }
  | { kind: 'submitTerms'; vault: number; mandate: MandateTerms; pricing: PricingTerms }
  | { kind: 'acceptTerms'; vault: number }
  | { kind: 'pause' }
  | { kind: 'unpause' }
  | { kind: 'deposit'; vault: number; lender: number; assets: bigint }
  | { kind: 'withdraw'; vault: number; lender: number; assets: bigint }
  | { kind: 'register'; claim: number }
  | { kind: 'revoke'; claim: number }
  | { kind: 'financeDirect'; leg: LegPlan }
  | { kind: 'executeRoute'; user: number; submitter: number; nonce: bigint; legs: readonly LegPlan[] }
  | { kind: 'settle'; claim: number; payer: number }
  | { kind: 'pay'; claim: number; payer: number; faceAmount: bigint }

/** One block: its actions run in this order at this time. */
export type Step = { at: number; actions: readonly Action[] }

/** State of a claim at the end of the plan. */
export type ClaimOutcome = { state: ClaimState; financedFaceValue: bigint; sliceCount: number }

export type WorldPlan = {
  seed: number
  /** Time of the genesis block; deployment and the first step come after it. */
  startsAt: number
  /** The present: the last block. */
  endsAt: number
  actors: readonly Actor[]
  tokens: readonly TokenPlan[]
  vaults: readonly VaultPlan[]
  claims: readonly ClaimPlan[]
  steps: readonly Step[]
  outcomes: readonly ClaimOutcome[]
}
