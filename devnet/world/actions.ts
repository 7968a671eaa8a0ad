/** Applies scheduled actions to the market and returns the on-chain actions that they take. */

import { FADING_ISSUER, LENDERS, RECOURSE_WALLET, wholeTokens } from './accounts.ts'
import { createFinancier } from './finance.ts'
import { type ClaimBook, lend, type Market, pay, redeem, revoke, settle, type VaultBook } from './market.ts'
import type { Action } from './plan.ts'
import { at, createRandom, type Random } from './random.ts'
import type { ScheduledAction } from './schedule.ts'

/** Claims up to this many whole tokens may be paid back by their own beneficiary. */
const RECOURSE_LIMIT = 6_000
/** Whole tokens that stay in the nearly empty vault. */
const LAST_DROP = 87

/** @returns the on-chain actions of one scheduled action, none where no vault offers what it needs */
export function createScheduleRunner(
  seed: number,
  market: Market,
): (action: ScheduledAction, time: number) => Action[] {
  const random = createRandom(seed, 'errands')
  const finance = createFinancier(seed, market)
  const recourseLeft = new Map<number, bigint>()

  return (action, time) => {
    switch (action.kind) {
      case 'register':
        at(market.claims, action.claim).registered = true
        return [{ kind: 'register', claim: action.claim }]
      case 'revoke':
        revoke(at(market.claims, action.claim))
        return [{ kind: 'revoke', claim: action.claim }]
      case 'settle':
        return settlement(market, at(market.claims, action.claim), recourseLeft)
      case 'pay':
        return [partPayment(market, at(market.claims, action.claim), action.percent)]
      case 'finance':
        return finance(at(market.claims, action.claim), action.upToPercent, time)
      case 'lend':
        return newCapital(random, drawVault(random, market))
      case 'redeem':
        return withdrawal(random, drawVault(random, market))
      case 'reprice':
        return repricing(random, drawVault(random, market), time)
      case 'enlarge lots':
        return largerLots(drawVault(random, market), time)
      case 'accept terms':
        return market.vaults.flatMap((vault) => acceptance(vault, time))
      case 'retire vaults':
        return market.vaults.flatMap(retirement)
      case 'retire issuer':
        market.inactiveIssuers.add(FADING_ISSUER)
        return [{ kind: 'setIssuerActive', issuer: FADING_ISSUER, active: false }]
    }
  }
}

function drawVault(random: Random, market: Market): VaultBook {
  return random.pick(market.vaults.filter((vault) => vault.character === 'ordinary'))
}

function partPayment(market: Market, claim: ClaimBook, percent: number): Action {
  const faceAmount = (claim.faceValue * BigInt(percent)) / 100n
  pay(market, claim, faceAmount)
  return { kind: 'pay', claim: claim.index, payer: claim.issuer, faceAmount }
}

/** The issuer pays, sometimes the beneficiary. */
function settlement(market: Market, claim: ClaimBook, recourseLeft: Map<number, bigint>): Action[] {
  const { index, token, faceValue, paidFaceValue, beneficiary } = claim
  const unpaid = faceValue - paidFaceValue
  settle(market, claim)
  const left = recourseLeft.get(token) ?? wholeTokens(token, RECOURSE_LIMIT)
  if (beneficiary !== RECOURSE_WALLET || unpaid > left) {
    return [{ kind: 'settle', claim: index, payer: claim.issuer }]
  }
  recourseLeft.set(token, left - unpaid)
  return [
    // Exactly what is paid, so that nothing is left of it: a token may refuse to change an allowance that is not zero.
    { kind: 'approve', token, owner: beneficiary, spender: 'router', amount: unpaid },
    { kind: 'settle', claim: index, payer: beneficiary },
  ]
}

function newCapital(random: Random, vault: VaultBook): Action[] {
  const lender = random.pick(LENDERS)
  const assets = (vault.capital * BigInt(random.between(10, 80))) / 1_000n
  lend(vault, lender, assets)
  return [{ kind: 'deposit', vault: vault.index, lender, assets }]
}

/** At most a third of the lender's deposits, and half of the available liquidity. */
function withdrawal(random: Random, vault: VaultBook): Action[] {
  const lender = random.pick(LENDERS)
  const third = (vault.principal.get(lender) ?? 0n) / 3n
  const half = vault.idle / 2n
  const assets = ((third < half ? third : half) * BigInt(random.between(10, 90))) / 100n
  if (assets === 0n) return []
  redeem(vault, lender, assets)
  return [{ kind: 'withdraw', vault: vault.index, lender, assets }]
}

function repricing(random: Random, vault: VaultBook, time: number): Action[] {
  const { pricing } = vault
  const change = random.pick([-10, -5, 5, 10, 15])
  const next = { ...pricing, baseDiscountBps: pricing.baseDiscountBps + change }
  if (change > 0) {
    // Higher rates take effect at once.
    vault.pricing = next
    vault.pending = undefined
  } else {
    vault.pending = { mandate: vault.mandate, pricing: next, effectiveAt: time + vault.noticePeriod }
  }
  return [{ kind: 'submitTerms', vault: vault.index, mandate: vault.mandate, pricing: next }]
}

function acceptance(vault: VaultBook, time: number): Action[] {
  const { pending } = vault
  if (!pending || time < pending.effectiveAt) return []
  vault.mandate = pending.mandate
  vault.pricing = pending.pricing
  vault.pending = undefined
  return [{ kind: 'acceptTerms', vault: vault.index }]
}

function largerLots(vault: VaultBook, time: number): Action[] {
  const { mandate, pricing, noticePeriod } = vault
  const { maxFace, maxClaimFace } = mandate
  const larger = (face: bigint) => (face * 5n) / 4n
  const next = { ...mandate, maxFace: larger(maxFace), maxClaimFace: larger(maxClaimFace) }
  vault.pending = { mandate: next, pricing, effectiveAt: time + noticePeriod }
  return [{ kind: 'submitTerms', vault: vault.index, mandate: next, pricing }]
}

function retirement(vault: VaultBook): Action[] {
  if (vault.character === 'inactive') {
    vault.active = false
    return [{ kind: 'setVaultActive', vault: vault.index, active: false }]
  }
  return vault.character === 'nearly empty' ? LENDERS.map((lender) => emptied(vault, lender)) : []
}

function emptied(vault: VaultBook, lender: number): Action {
  const held = vault.principal.get(lender) ?? 0n
  const assets = held - wholeTokens(vault.token, lender === vault.curator ? LAST_DROP : 0)
  redeem(vault, lender, assets)
  return { kind: 'withdraw', vault: vault.index, lender, assets }
}
