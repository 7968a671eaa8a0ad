/** The terms of a vault in the model: submitted, put into effect, or taken back. */
import type { Address } from 'viem'
import { type Model, type Refusal, refuse, vaultOf } from './model.ts'
import type { ModelMandate, ModelPricing, ModelTerms } from './model-quote.ts'

export function submitTerms(model: Model, address: Address, terms: ModelTerms): Refusal | undefined {
  const vault = vaultOf(model, address)
  const highest = highestBps(terms)
  if (highest >= 10_000n) return refuse('InvalidPricing', highest)
  const isAtOnce = vault.noticePeriod === 0n || isNowhereLooser(terms, vault)
  if (isAtOnce) Object.assign(vault, terms, { pending: undefined })
  else vault.pending = { ...terms, effectiveAt: model.now + vault.noticePeriod }
  return undefined
}

export function acceptTerms(model: Model, address: Address): Refusal | undefined {
  const vault = vaultOf(model, address)
  const { pending } = vault
  if (!pending) return refuse('NoPendingTerms')
  if (model.now < pending.effectiveAt) return refuse('NoticeNotOver', pending.effectiveAt, model.now)
  const { mandate, pricing } = pending
  Object.assign(vault, { mandate, pricing, pending: undefined })
  return undefined
}

export function revokeTerms(model: Model, address: Address): Refusal | undefined {
  const vault = vaultOf(model, address)
  if (!vault.pending) return refuse('NoPendingTerms')
  vault.pending = undefined
  return undefined
}

function highestBps({ mandate, pricing }: ModelTerms): bigint {
  const premium = Math.max(0, ...pricing.premiumBps)
  return BigInt(pricing.baseDiscountBps + pricing.durationBpsPerDay * mandate.maxDurationDays + premium)
}

/** Whether the vault finances nothing more than before, and nothing at a lower rate: for each type and each day. */
function isNowhereLooser(next: ModelTerms, present: ModelTerms): boolean {
  return isWithin(next.mandate, present.mandate) && isAtLeast(next.pricing, present.pricing)
}

function isWithin(next: ModelMandate, present: ModelMandate): boolean {
  return (
    next.types.every((type) => present.types.includes(type)) &&
    next.minDurationDays >= present.minDurationDays &&
    next.maxDurationDays <= present.maxDurationDays &&
    next.minFace >= present.minFace &&
    next.maxFace <= present.maxFace &&
    next.maxClaimFace <= present.maxClaimFace &&
    next.maxIssuerFace <= present.maxIssuerFace
  )
}

function isAtLeast(next: ModelPricing, present: ModelPricing): boolean {
  return (
    next.baseDiscountBps >= present.baseDiscountBps &&
    next.durationBpsPerDay >= present.durationBpsPerDay &&
    present.premiumBps.every((premium, type) => (next.premiumBps[type] ?? 0) >= premium)
  )
}
