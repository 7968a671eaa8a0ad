/** Results of the lens in terms of the protocol. Amounts are base units, times Unix seconds, addresses lowercase. */
import type { Address, Hex } from 'viem'
import type { ClaimState } from '../domain/claim.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { UnixSeconds } from '../domain/time.ts'

/** A claim of the registry. Its state is `NONE` for an id that was never registered; all other values are then zero. */
export type ChainClaim = {
  claimId: Hex
  issuer: Address
  beneficiary: Address
  token: Address
  faceValue: BaseUnits
  financedFaceValue: BaseUnits
  paidFaceValue: BaseUnits
  dueAt: UnixSeconds
  claimType: number
  sliceCount: number
  state: ClaimState | 'NONE'
}

export type LensClaim = ChainClaim & { issuerActive: boolean; allocations: readonly LensAllocation[] }

/** Face that a vault has financed by one slice. */
export type LensAllocation = { vault: Address; faceAmount: BaseUnits }

export type Mandate = {
  supportedTypesBitmap: bigint
  minDurationDays: number
  maxDurationDays: number
  minFace: BaseUnits
  maxFace: BaseUnits
  maxClaimFace: BaseUnits
  maxIssuerFace: BaseUnits
}

export type Pricing = { baseDiscountBps: number; durationBpsPerDay: number; premiumBps: readonly number[] }

/** A vault whose getters all answered. */
export type ReadableVault = {
  vault: Address
  readable: true
  active: boolean
  token: Address
  fundableLiquidity: BaseUnits
  mandate: Mandate
  pricing: Pricing
  /** Face that the issuers of the claims owe the vault; empty where the mandate has no limit for an issuer. */
  issuerFaces: ReadonlyMap<Address, BaseUnits>
}

export type LensVault = ReadableVault | { vault: Address; readable: false }

/** `QuoteReason` of contracts/Types.sol, in its order. */
export const quoteReasons = [
  'NONE',
  'CLAIM_NOT_FINANCEABLE',
  'CLAIM_PAST_DUE',
  'TOKEN_MISMATCH',
  'TYPE_NOT_SUPPORTED',
  'DURATION_BELOW_MINIMUM',
  'DURATION_EXCEEDED',
  'BELOW_MINIMUM_LOT',
  'ABOVE_MAXIMUM_LOT',
  'FACE_EXCEEDS_REMAINING',
  'ABOVE_MAXIMUM_CLAIM_FACE',
  'ABOVE_MAXIMUM_ISSUER_FACE',
] as const
export type QuoteReason = (typeof quoteReasons)[number]

/** `NOT_ASKED`: the claim or the vault rules out a quote, so none is requested. `FAILED`: the vault gave no answer. */
export type LensQuote =
  | { status: 'NOT_ASKED' | 'FAILED' }
  | { status: 'ANSWERED'; reason: QuoteReason; discountAmount: BaseUnits }

/** `probes[i][j]` is the quote of vault j for claim i at `largestFace` (api/eligibility/vault-refusal.ts). */
export type Market = {
  paused: boolean
  claims: readonly LensClaim[]
  vaults: readonly LensVault[]
  probes: readonly (readonly LensQuote[])[]
}

export type LensLeg = { claimId: Hex; vault: Address; faceAmount: BaseUnits }

/** One leg as the router reads it, with the quote for its exact face. */
export type LegView = { claim: LensClaim; vault: LensVault; quote: LensQuote }

export type RouteView = { paused: boolean; legs: readonly LegView[] }
