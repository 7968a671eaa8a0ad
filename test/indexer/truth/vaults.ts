/** Vaults, their terms, the holders of their shares and the movements of their capital, from the logs alone. */

import { type Address, zeroAddress } from 'viem'
import { lowercase } from '../../support/parties.ts'
import { sum } from '../../support/sum.ts'
import { by, changeBy, type History, idOf, inOrder, missing, placeOf } from './history.ts'

export type VaultTruth = ReturnType<typeof vaultsOf>[number]
export type MovementTruth = ReturnType<typeof movementsOf>[number]

/** Every deposit, withdrawal, funding and repayment in order, with what it adds to the vault's figures. */
export function movementsOf({ deposits, withdrawals, fundings, repayments }: History) {
  const none = { idle: 0n, face: 0n, advance: 0n, gain: 0n, shares: 0n, slice: undefined }
  return inOrder([
    ...deposits.map((event) => {
      const { assets: amount, shares } = event.args
      return { ...event, kind: 'DEPOSIT' as const, amount, ...none, idle: amount, shares }
    }),
    ...withdrawals.map((event) => {
      const { assets: amount, shares } = event.args
      return { ...event, kind: 'WITHDRAWAL' as const, amount, ...none, idle: -amount, shares: -shares }
    }),
    ...fundings.map((event) => {
      const { faceAmount: face, advanceAmount: advance } = event.args
      const figures = { ...none, idle: -advance, face, advance, slice: event.args }
      return { ...event, kind: 'FUNDING' as const, amount: advance, ...figures }
    }),
    ...repayments.map((event) => {
      const { faceAmount, advanceAmount } = event.args
      const less = { face: -faceAmount, advance: -advanceAmount, gain: faceAmount - advanceAmount }
      const figures = { ...none, idle: faceAmount, ...less, slice: event.args }
      return { ...event, kind: 'REPAYMENT' as const, amount: faceAmount, ...figures }
    }),
  ])
}

/** The figures of a vault after some of its movements. */
export function figuresAfter(own: readonly MovementTruth[]) {
  return {
    idle_assets: sum(own.map(({ idle }) => idle)),
    outstanding_face: sum(own.map(({ face }) => face)),
    outstanding_advance: sum(own.map(({ advance }) => advance)),
    total_shares: sum(own.map(({ shares }) => shares)),
  }
}

export function vaultsOf(history: History) {
  const movements = movementsOf(history)
  return history.vaultRegistered.map((event) => {
    const { name, symbol, token, curator } = event.args
    const address = lowercase(event.args.vault)
    const status = history.vaultStatus.filter(({ args }) => lowercase(args.vault) === address)
    const [mandates, pricings] = [by(history.mandates, address), by(history.pricings, address)]
    // The construction of a vault names its first owner too, before the registration.
    const owners = by(history.owners, address).filter(({ args }) => args.previousOwner !== zeroAddress)
    const issues = by(history.transfers, address).filter(
      ({ args: { from, to, value } }) => value > 0n && (from === zeroAddress || to === zeroAddress),
    )
    const own = by(movements, address)
    const { mandate } = (mandates.at(-1) ?? event).args
    const { baseDiscountBps, durationBpsPerDay, premiumBps } = (pricings.at(-1) ?? event).args.pricing
    return {
      address,
      token: lowercase(token),
      curator: lowercase(owners.at(-1)?.args.newOwner ?? curator),
      name,
      symbol,
      active: status.at(-1)?.args.active ?? false,
      supported_types_bitmap: mandate.supportedTypesBitmap,
      min_duration_days: mandate.minDurationDays,
      max_duration_days: mandate.maxDurationDays,
      min_face: mandate.minFace,
      max_face: mandate.maxFace,
      max_claim_face: mandate.maxClaimFace,
      max_issuer_face: mandate.maxIssuerFace,
      base_discount_bps: baseDiscountBps,
      duration_bps_per_day: durationBpsPerDay,
      premium_bps: [...premiumBps],
      notice_period: event.args.noticePeriod,
      ...figuresAfter(own),
      total_shares: sum(issues.map(({ args }) => (args.from === zeroAddress ? args.value : -args.value))),
      discount_earned: sum(own.map(({ gain }) => gain)),
      registered_block: event.blockNumber,
      registered_at: event.at,
      ...changeBy([event, ...status, ...mandates, ...pricings, ...owners, ...issues, ...own]),
    }
  })
}

/** A row for each claim type that the mandate supports now. */
export function vaultTermsOf(vaults: readonly VaultTruth[]) {
  return vaults.flatMap((vault) =>
    [...vault.supported_types_bitmap.toString(2)].reverse().flatMap((bit, claimType) => {
      if (bit === '0') return []
      const now = vault.base_discount_bps + (vault.premium_bps[claimType] ?? 0)
      return {
        vault: vault.address,
        claim_type: claimType,
        token: vault.token,
        active: vault.active,
        min_duration_days: vault.min_duration_days,
        max_duration_days: vault.max_duration_days,
        min_face: vault.min_face,
        max_face: vault.max_face,
        max_claim_face: vault.max_claim_face,
        max_issuer_face: vault.max_issuer_face,
        duration_bps_per_day: vault.duration_bps_per_day,
        total_bps_now: now,
        total_bps_month: now + 30 * vault.duration_bps_per_day,
        total_bps_quarter: now + 90 * vault.duration_bps_per_day,
      }
    }),
  )
}

/** A row for each vault whose last submission is neither in effect nor taken back. */
export function pendingTermsOf({ submitted, revokedTerms, mandates }: History) {
  return submitted.flatMap((event) => {
    const vault = lowercase(event.address)
    const own = [...by(submitted, vault), ...by(revokedTerms, vault), ...by(mandates, vault)]
    if (inOrder(own).at(-1) !== event) return []
    const { mandate, pricing, effectiveAt } = event.args
    return {
      vault,
      supported_types_bitmap: mandate.supportedTypesBitmap,
      min_duration_days: mandate.minDurationDays,
      max_duration_days: mandate.maxDurationDays,
      min_face: mandate.minFace,
      max_face: mandate.maxFace,
      max_claim_face: mandate.maxClaimFace,
      max_issuer_face: mandate.maxIssuerFace,
      base_discount_bps: pricing.baseDiscountBps,
      duration_bps_per_day: pricing.durationBpsPerDay,
      premium_bps: [...pricing.premiumBps],
      effective_at: effectiveAt,
      submitted_block: event.blockNumber,
      submitted_at: event.at,
    }
  })
}

/** @param linesAfter returns the lines of the vault after a movement */
export function capitalChangesOf<Lines extends object>(
  movements: readonly MovementTruth[],
  linesAfter: (movement: MovementTruth) => Lines,
) {
  return movements.map((event, index) => {
    const vault = lowercase(event.address)
    const { kind, amount, slice } = event
    const ofSlice = {
      claim_id: slice?.claimId ?? null,
      slice_index: slice?.sliceIndex ?? null,
      discount: slice ? slice.faceAmount - slice.advanceAmount : null,
    }
    const own = by(movements.slice(0, index + 1), vault)
    const discount_earned = sum(own.map(({ gain }) => gain))
    const figures = { ...figuresAfter(own), ...linesAfter(event), discount_earned }
    return { id: idOf(event), vault, kind, amount, ...ofSlice, ...figures, ...placeOf(event) }
  })
}

export function tokenOf(vaults: readonly VaultTruth[], address: Address): Address {
  const vault = vaults.find((one) => one.address === lowercase(address))
  return vault?.token ?? missing(`vault ${address}`)
}
