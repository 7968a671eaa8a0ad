/**
 * The market while a plan is made: the contracts' rules in a few lines, exact to the base unit, so that every planned
 * action passes on the chain. The chain decides: the builder fails on any reverted action.
 */
import { smaller } from '../../api/domain/bigint.ts'
import { financeableStates } from '../../api/domain/claim.ts'
import { divide } from '../../api/domain/paid-shares.ts'
import { DAY, type DrawnClaim } from './draw-claims.ts'
import type { ClaimOutcome, LegPlan, VaultPlan } from './plan.ts'
import { at } from './random.ts'

const MAX_SLICES = 8
const BPS = 10_000n

export type VaultBook = VaultPlan & {
  index: number
  active: boolean
  idle: bigint
  /** Issuer → face that its claims owe the vault. */
  owed: Map<number, bigint>
  /** Submitted terms that are not in effect. */
  pending?: (Pick<VaultPlan, 'mandate' | 'pricing'> & { effectiveAt: number }) | undefined
  /** Lender → deposits less withdrawals; no more than that is ever withdrawn. */
  principal: Map<number, bigint>
}

export type ClaimBook = DrawnClaim &
  ClaimOutcome & { index: number; registered: boolean; paidFaceValue: bigint; slices: LegPlan[] }

export type Market = { vaults: VaultBook[]; claims: ClaimBook[]; inactiveIssuers: Set<number> }

export function openMarket(vaults: readonly VaultPlan[], claims: readonly DrawnClaim[]): Market {
  return {
    vaults: vaults.map((vault, index) => ({
      ...vault,
      index,
      active: true,
      idle: 0n,
      owed: new Map(),
      principal: new Map(),
    })),
    claims: claims.map((claim, index) => ({
      ...claim,
      index,
      registered: false,
      state: 'ELIGIBLE',
      financedFaceValue: 0n,
      sliceCount: 0,
      paidFaceValue: 0n,
      slices: [],
    })),
    inactiveIssuers: new Set(),
  }
}

export type Offer = { vault: VaultBook; faceAmount: bigint; advanceAmount: bigint; bps: bigint }

/** Offers of the vaults for up to `wanted` of a claim, cheapest first, regardless of their liquidity. */
export function offersFor(market: Market, claim: ClaimBook, wanted: bigint, time: number): Offer[] {
  if (!isFinanceable(market, claim, time)) return []
  return market.vaults
    .filter((vault) => vault.active && vault.character !== 'nearly empty' && accepts(vault, claim, time))
    .map((vault) => offer(vault, claim, wanted, time))
    .filter(({ vault, faceAmount }) => faceAmount >= vault.mandate.minFace)
    .sort((one, other) => Number(one.bps - other.bps) || one.vault.index - other.vault.index)
}

function isFinanceable(market: Market, claim: ClaimBook, time: number): boolean {
  return (
    claim.registered &&
    financeableStates.includes(claim.state) &&
    claim.sliceCount < MAX_SLICES &&
    claim.dueAt > time &&
    !market.inactiveIssuers.has(claim.issuer)
  )
}

function accepts({ mandate, token }: VaultBook, claim: ClaimBook, time: number): boolean {
  const days = daysToDue(claim, time)
  return (
    token === claim.token &&
    ((mandate.supportedTypesBitmap >> BigInt(claim.claimType)) & 1n) === 1n &&
    days >= mandate.minDurationDays &&
    days <= mandate.maxDurationDays
  )
}

/** The most that the mandate allows of a claim: less than the smallest lot where the vault holds enough. */
function mostOf({ mandate, index, owed }: VaultBook, { issuer, slices }: ClaimBook): bigint {
  const held = slices.filter(({ vault }) => vault === index).reduce((sum, part) => sum + part.faceAmount, 0n)
  const rest = smaller(mandate.maxClaimFace - held, mandate.maxIssuerFace - (owed.get(issuer) ?? 0n))
  return smaller(rest, mandate.maxFace)
}

function offer(vault: VaultBook, claim: ClaimBook, wanted: bigint, time: number): Offer {
  const { baseDiscountBps, durationBpsPerDay, premiumBps } = vault.pricing
  const bps = BigInt(
    baseDiscountBps + durationBpsPerDay * daysToDue(claim, time) + (premiumBps[claim.claimType] ?? 0),
  )
  const faceAmount = smaller(wanted, mostOf(vault, claim))
  const discountRoundedUp = (faceAmount * bps + BPS - 1n) / BPS
  return { vault, faceAmount, advanceAmount: faceAmount - discountRoundedUp, bps }
}

function daysToDue(claim: ClaimBook, time: number): number {
  return Math.floor((claim.dueAt - time) / DAY)
}

export function fund(claim: ClaimBook, { vault, faceAmount, advanceAmount }: Offer): LegPlan {
  const leg = { claim: claim.index, vault: vault.index, faceAmount, advanceAmount }
  vault.idle -= advanceAmount
  vault.owed.set(claim.issuer, (vault.owed.get(claim.issuer) ?? 0n) + faceAmount)
  claim.financedFaceValue += faceAmount
  claim.sliceCount += 1
  claim.slices.push(leg)
  claim.state = claim.financedFaceValue === claim.faceValue ? 'FULLY_FUNDED' : 'PARTIALLY_FUNDED'
  return leg
}

/** Pays all that is unpaid. */
export function settle(market: Market, claim: ClaimBook): void {
  pay(market, claim, claim.faceValue - claim.paidFaceValue)
  claim.state = 'SETTLED'
}

export function pay(market: Market, claim: ClaimBook, faceAmount: bigint): void {
  const { slices, issuer } = claim
  const before = divide(slices, claim).shares
  claim.paidFaceValue += faceAmount
  divide(slices, claim).shares.forEach((share, index) => {
    const { vault } = at(slices, index)
    const paid = share - at(before, index)
    const { owed } = at(market.vaults, vault)
    at(market.vaults, vault).idle += paid
    owed.set(issuer, (owed.get(issuer) ?? 0n) - paid)
  })
}

/** A claim that no vault has financed is void; the face of another one stays owed. */
export function revoke(claim: ClaimBook): void {
  claim.state = claim.sliceCount === 0 ? 'REVOKED' : 'CLOSED'
}

export function lend(vault: VaultBook, lender: number, assets: bigint): void {
  vault.idle += assets
  vault.principal.set(lender, (vault.principal.get(lender) ?? 0n) + assets)
}

export function redeem(vault: VaultBook, lender: number, assets: bigint): void {
  lend(vault, lender, -assets)
}
