/** Finances claims as their owners would: mostly by the cheapest vault, sometimes several claims in one route. */
import { financeableStates } from '../../api/domain/claim.ts'
import { OPERATOR } from './accounts.ts'
import { type ClaimBook, fund, lend, type Market, type Offer, offersFor } from './market.ts'
import type { Action, LegPlan } from './plan.ts'
import { at, createRandom, type Random } from './random.ts'

/** Other claims of the owner that a route takes along. */
const COMPANIONS = 3
/** How far down the owner's list they are looked for. */
const WINDOW = 12
/** A companion is financed up to one of these shares, in percent. */
const SHARES = [30, 50, 75]

export function createFinancier(
  seed: number,
  market: Market,
): (claim: ClaimBook, upToPercent: number, time: number) => Action[] {
  const random = createRandom(seed, 'finance')
  const nonces = new Map<number, bigint>()
  const companions = createCompanions(market)

  return (claim, upToPercent, time) => {
    const deposits: Action[] = []
    const financeOne = (candidate: ClaimBook, percent: number): LegPlan[] => {
      const offer = chooseOffer(random, market, candidate, percent, time)
      if (!offer) return []
      deposits.push(...capitalFor(offer))
      return [fund(candidate, offer)]
    }
    const first = financeOne(claim, upToPercent)
    const leg = first[0]
    if (!leg) return []
    if (random.chance(40)) return [...deposits, { kind: 'financeDirect', leg }]

    const others = companions(claim).flatMap((other) => financeOne(other, shareOf(random, other)))
    const nonce = nonces.get(claim.beneficiary) ?? 0n
    nonces.set(claim.beneficiary, nonce + 1n)
    const submitter = random.chance(30) ? OPERATOR : claim.beneficiary
    return [
      ...deposits,
      { kind: 'executeRoute', user: claim.beneficiary, submitter, nonce, legs: [...first, ...others] },
    ]
  }
}

/** The cheapest vault that can pay; in one of five cases the second cheapest. */
function chooseOffer(
  random: Random,
  market: Market,
  claim: ClaimBook,
  upToPercent: number,
  time: number,
): Offer | undefined {
  const wanted = (claim.faceValue * BigInt(upToPercent)) / 100n - claim.financedFaceValue
  if (wanted <= 0n) return undefined
  const offers = offersFor(market, claim, wanted, time)
  const payable = offers.filter(({ vault, advanceAmount }) => vault.idle >= advanceAmount)
  return payable[random.chance(20) ? 1 : 0] ?? payable[0] ?? offers[0]
}

/** Where liquidity is short, the vault's curator deposits what is missing and a fifth more. */
function capitalFor({ vault, advanceAmount }: Offer): Action[] {
  if (vault.idle >= advanceAmount) return []
  const assets = ((advanceAmount - vault.idle) * 6n) / 5n + 1n
  const lender = vault.curator
  lend(vault, lender, assets)
  return [{ kind: 'deposit', vault: vault.index, lender, assets }]
}

function shareOf(random: Random, claim: ClaimBook): number {
  return isPartial(claim) ? random.pick(SHARES) : 100
}

function isPartial({ outcome }: ClaimBook): boolean {
  return outcome === 'partial' || outcome === 'closed'
}

/** Registered claims of the same owner and token that are meant to be financed and wait for it. */
function createCompanions(market: Market): (claim: ClaimBook) => ClaimBook[] {
  const groups = new Map<string, { claims: ClaimBook[]; from: number }>()
  for (const claim of market.claims) {
    const key = groupKey(claim)
    const group = groups.get(key)
    if (group) group.claims.push(claim)
    else groups.set(key, { claims: [claim], from: 0 })
  }
  return (claim) => {
    const group = groups.get(groupKey(claim))
    if (!group) return []
    // Claims come in the order of registration, so those before the first waiting one need not be checked again.
    while (group.from < group.claims.length && !isWaiting(at(group.claims, group.from))) group.from += 1
    return group.claims
      .slice(group.from, group.from + WINDOW)
      .filter((other) => other.registered && isWaiting(other) && other.index !== claim.index)
      .slice(0, COMPANIONS)
  }
}

function isWaiting(claim: ClaimBook): boolean {
  if (!financeableStates.includes(claim.state)) return false
  return isPartial(claim) ? claim.sliceCount === 0 : claim.outcome === 'full' || claim.outcome === 'settled'
}

function groupKey(claim: ClaimBook): string {
  return `${claim.beneficiary}/${claim.token}`
}
