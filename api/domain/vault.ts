import { BPS_DENOMINATOR } from './limits.ts'
import type { BaseUnits } from './money.ts'
import type { UnixSeconds } from './time.ts'

type Capital = { idleAssets: BaseUnits; outstandingAdvance: BaseUnits }
/** Books of a vault after an event, from which the value of its shares follows. */
export type Books = Capital & {
  outstandingImpairment: BaseUnits
  totalShares: BaseUnits
  unlockingAmount: BaseUnits
  unlockingSince: UnixSeconds
  unlockingUntil: UnixSeconds
}

/** Idle assets plus the carrying value of outstanding allocations: their advances at cost less impairments. */
function bookValue({ idleAssets, outstandingAdvance, outstandingImpairment }: Books): BaseUnits {
  return idleAssets + outstandingAdvance - outstandingImpairment
}

/** Gains that are not part of the share price at a time, as `lockedProfit` of the contract. */
export function lockedProfit(vault: Books, now: UnixSeconds): BaseUnits {
  const { unlockingAmount, unlockingSince, unlockingUntil } = vault
  // Assets of a vault without shares belong to nobody.
  if (vault.totalShares === 0n) return bookValue(vault)
  if (now >= unlockingUntil) return 0n
  const unlocked = (unlockingAmount * (now - unlockingSince)) / (unlockingUntil - unlockingSince)
  return unlockingAmount - unlocked
}

/** Computes the value of all shares at a time: book value less locked gains, as `totalAssets` of the contract. */
export function totalAssets(vault: Books, now: UnixSeconds): BaseUnits {
  return bookValue(vault) - lockedProfit(vault, now)
}

/**
 * Assets per share as the contract converts (ERC-4626 with one virtual asset and share): what `shares` are worth,
 * rounded down.
 */
function assetsOf(vault: Books, shares: bigint, now: UnixSeconds): BaseUnits {
  return (shares * (totalAssets(vault, now) + 1n)) / (vault.totalShares + 1n)
}

/**
 * Computes the value of one whole share at a time, as `convertToAssets` of the contract. A share has the decimals of
 * the token.
 */
export function sharePrice(vault: Books, decimals: number, now: UnixSeconds): BaseUnits {
  return assetsOf(vault, 10n ** BigInt(decimals), now)
}

/**
 * Change of the share price since the first deposit, which buys a base unit of shares for each of assets; basis points,
 * rounded down.
 */
export function yieldToDateBps(vault: Books, now: UnixSeconds): bigint {
  return assetsOf(vault, BPS_DENOMINATOR, now) - BPS_DENOMINATOR
}

/** `outstandingAdvance` over all assets at cost in basis points, rounded down; 0 where there are no assets. */
export function utilizationBps({ idleAssets, outstandingAdvance }: Capital): number {
  const total = idleAssets + outstandingAdvance
  return total === 0n ? 0 : Number((outstandingAdvance * BPS_DENOMINATOR) / total)
}
