/**
 * The model of gains and losses: a gain becomes part of the price over 30 days, a loss takes from what is not part of
 * it yet.
 */
import type { Address, Hex } from 'viem'
import { type Model, type ModelVault, type Refusal, refuse, State, sliceKey, vaultOf } from './model.ts'

const DAY = 86_400n
const PERIOD = 30n * DAY

/** Assets at cost less impairments, before what is locked. */
export function bookValueOf(vault: ModelVault): bigint {
  return vault.idleAssets + vault.outstandingAdvance - impairmentOf(vault)
}

export function impairmentOf({ impairments }: ModelVault): bigint {
  return [...impairments.values()].reduce((sum, amount) => sum + amount, 0n)
}

export function lockedProfitOf(vault: ModelVault, now: bigint): bigint {
  return vault.totalSupply === 0n ? bookValueOf(vault) : lockedAt(vault, now)
}

/** The part of the last lock that has not unlocked; a broken unit is still locked. */
function lockedAt({ unlocking: { amount, since, until } }: ModelVault, now: bigint): bigint {
  if (now >= until) return 0n
  const unlocked = (amount * (now - since)) / (until - since)
  return amount - unlocked
}

export function lockGain(vault: ModelVault, gain: bigint, now: bigint): void {
  if (gain === 0n) return
  const locked = lockedAt(vault, now)
  const unitSeconds = locked * (vault.unlocking.until - now) + gain * PERIOD
  const amount = locked + gain
  vault.unlocking = { amount, since: now, until: now + (locked === 0n ? PERIOD : unitSeconds / amount) }
}

/** The first deposit into a vault without shares starts the unlocking of what is left in it. */
export function lockRemains(vault: ModelVault, now: bigint): void {
  const amount = bookValueOf(vault)
  if (vault.totalSupply > 0n || amount === 0n) return
  vault.unlocking = { amount, since: now, until: now + PERIOD }
}

export type ModelImpairment = { vault: Address; claimId: Hex; sliceIndex: number; carryingValue: bigint }

export function impair(
  model: Model,
  { vault: address, claimId, sliceIndex, carryingValue }: ModelImpairment,
  caller: { address: Address; isCurator: boolean },
): Refusal | undefined {
  if (!caller.isCurator && carryingValue > 0n) return refuse('OwnableUnauthorizedAccount', caller.address)
  const claim = model.claims.get(claimId)
  const part = claim?.allocations[sliceIndex]
  const unpaid = claim?.state === State.PARTIALLY_FUNDED || claim?.state === State.FULLY_FUNDED
  if (!unpaid || part?.vault !== address) return refuse('NotOutstanding', claimId, BigInt(sliceIndex))
  const possibleFrom = claim.dueDate + (caller.isCurator ? 30n : 90n) * DAY
  if (model.now < possibleFrom) return refuse('ImpairmentTooEarly', claimId, possibleFrom, model.now)
  const vault = vaultOf(model, address)
  const key = sliceKey(claimId, sliceIndex)
  const current = part.advanceAmount - (vault.impairments.get(key) ?? 0n)
  if (carryingValue >= current) return refuse('CarryingValueNotLower', carryingValue, current)
  vault.impairments.set(key, part.advanceAmount - carryingValue)
  const locked = lockedAt(vault, model.now)
  const loss = current - carryingValue
  if (locked > 0n) {
    vault.unlocking = { ...vault.unlocking, amount: locked > loss ? locked - loss : 0n, since: model.now }
  }
  return undefined
}
