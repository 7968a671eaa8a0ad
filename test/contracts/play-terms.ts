/** Terms of vaults: submitted by the curator, put into effect by anyone, taken back. */
import type { Address } from 'viem'
import { acceptTerms, revokeTerms, submitTerms } from '../support/scenario.ts'
import { type Model, refuse, vaultOf } from './model.ts'
import type { ModelMandate, ModelPricing } from './model-quote.ts'
import * as modelled from './model-terms.ts'
import { type Attempt, pick } from './play.ts'
import type { Stage } from './stage.ts'
import type { StepOf } from './steps.ts'

/** A vault with pending terms; any vault while there is none. */
function vaultWithPending({ vaults }: Stage, model: Model, index: number): Address {
  const announced = vaults.filter((address) => vaultOf(model, address).pending)
  return pick(announced.length > 0 ? announced : vaults, index)
}

export function timeOfAcceptance(stage: Stage, model: Model, step: StepOf<'acceptTerms'>): bigint {
  const { pending } = vaultOf(model, vaultWithPending(stage, model, step.vault))
  const soon = model.now + BigInt(step.elapsed)
  if (!pending || step.wait === 'none') return soon
  const time = pending.effectiveAt - (step.wait === 'less' ? 1n : 0n)
  return time > model.now ? time : soon
}

export function playSubmit(stage: Stage, model: Model, step: StepOf<'submitTerms'>): Attempt {
  const { world } = stage
  const vault = pick(stage.vaults, step.vault)
  const present = vaultOf(model, vault)
  const terms = { mandate: mandateOf(present.mandate, step), pricing: pricingOf(present.pricing, step) }
  const curator = step.stray ? world.parties.relayer : world.parties.curator
  const { types, ...bounds } = terms.mandate
  const supportedTypesBitmap = types.reduce((bitmap, type) => bitmap | (1n << BigInt(type)), 0n)
  return {
    refusal: step.stray
      ? refuse('OwnableUnauthorizedAccount', curator.address)
      : modelled.submitTerms(model, vault, terms),
    act: () =>
      submitTerms(world, {
        curator,
        vault,
        mandate: { supportedTypesBitmap, ...bounds },
        pricing: terms.pricing,
      }),
  }
}

export function playAccept(stage: Stage, model: Model, step: StepOf<'acceptTerms'>): Attempt {
  const vault = vaultWithPending(stage, model, step.vault)
  const [sender] = stage.payers
  return {
    refusal: modelled.acceptTerms(model, vault),
    act: () => acceptTerms(stage.world, { sender, vault }),
  }
}

export function playRevokeTerms(stage: Stage, model: Model, step: StepOf<'revokeTerms'>): Attempt {
  const { world } = stage
  const vault = vaultWithPending(stage, model, step.vault)
  const curator = step.stray ? world.parties.relayer : world.parties.curator
  return {
    refusal: step.stray
      ? refuse('OwnableUnauthorizedAccount', curator.address)
      : modelled.revokeTerms(model, vault),
    act: () => revokeTerms(world, { curator, vault }),
  }
}

/** One bound becomes narrower or wider, and stays one that leaves room for a slice. */
function mandateOf(present: ModelMandate, { bound, widens }: StepOf<'submitTerms'>): ModelMandate {
  const { types, minDurationDays, maxDurationDays, minFace, maxFace, maxClaimFace, maxIssuerFace } = present
  switch (bound) {
    case 'none':
      return present
    case 'types':
      return { ...present, types: widens ? [...new Set([...types, 2])] : types.slice(0, 2) }
    case 'minDurationDays':
      return { ...present, minDurationDays: widens ? 0 : Math.min(minDurationDays + 1, maxDurationDays) }
    case 'maxDurationDays':
      return {
        ...present,
        maxDurationDays: widens ? maxDurationDays + 1 : Math.max(maxDurationDays - 1, minDurationDays),
      }
    case 'minFace':
      return { ...present, minFace: widens ? 1n : (minFace * 11n) / 10n }
    case 'maxFace':
      return { ...present, maxFace: widens ? maxFace + 1n : maxFace - maxFace / 10n }
    case 'maxClaimFace':
      return { ...present, maxClaimFace: widens ? maxClaimFace + 1n : maxClaimFace - maxClaimFace / 10n }
    case 'maxIssuerFace':
      return { ...present, maxIssuerFace: widens ? maxIssuerFace + 1n : maxIssuerFace - maxIssuerFace / 10n }
  }
}

/** Present rates that are raised by a hundredth of what is drawn, or those that are drawn. */
function pricingOf(present: ModelPricing, step: StepOf<'submitTerms'>): ModelPricing {
  const { baseDiscountBps, durationBpsPerDay, premiumBps } = step
  if (!step.raises) return { baseDiscountBps, durationBpsPerDay, premiumBps }
  return {
    baseDiscountBps: present.baseDiscountBps + Math.floor(baseDiscountBps / 100),
    durationBpsPerDay: present.durationBpsPerDay,
    premiumBps: present.premiumBps,
  }
}
