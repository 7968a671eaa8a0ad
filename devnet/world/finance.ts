/** Finds money for claims as their owners would: mostly the cheapest vault, sometimes several claims in one route. */
import { OPERATOR } from './cast.ts'
import { type ClaimBook, fund, lend, type Market, type Offer, offersFor } from './market.ts'
import type { Action, LegPlan } from './plan.ts'
import { at, createRandom, type Random } from './random.ts'

/** Other claims of the owner that a route takes along. */
const COMPANIONS = 3
const FIRST_SHARES = [25, 40, 60, 100]

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

    const others = companions(claim).flatMap((other) => financeOne(other, random.pick(FIRST_SHARES)))
    const nonce = nonces.get(claim.beneficiary) ?? 0n
    nonces.set(claim.beneficiary, nonce + 1n)
    const submitter = random.chance(30) ? OPERATOR : claim.beneficiary
    return [
      ...deposits,
      { kind: 'executeRoute', user: claim.beneficiary, submitter, nonce, legs: [...first, ...others] },
    ]
  }
}

/** The cheapest vault that can pay; every fifth time the second cheapest, as habit has it. */
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

/** Where money is short, the vault's curator brings what is needed and a fifth more. */
function capitalFor({ vault, advanceAmount }: Offer): Action[] {
  if (vault.idle >= advanceAmount) return []
  const assets = ((advanceAmount - vault.idle) * 6n) / 5n + 1n
  const lender = vault.curator
  lend(vault, lender, assets)
  return [{ kind: 'deposit', vault: vault.index, lender, assets }]
}

/** Registered claims of the same owner and token that are meant to be financed and wait for it. */
function createCompanions(market: Market): (claim: ClaimBook) => ClaimBook[] {
  const groups = new Map<string, { claims: ClaimBook[]; from: number }>()
  for (const claim of market.claims) {
    if (claim.fate !== 'full' && claim.fate !== 'settled' && claim.fate !== 'partial') continue
    const key = groupKey(claim)
    const group = groups.get(key)
    if (group) group.claims.push(claim)
    else groups.set(key, { claims: [claim], from: 0 })
  }
  return (claim) => {
    const group = groups.get(groupKey(claim))
    if (!group) return []
    // Claims come in the order of registration, so those before the first open one need not be seen again.
    while (group.from < group.claims.length && at(group.claims, group.from).sliceCount > 0) group.from += 1
    return group.claims
      .slice(group.from, group.from + 2 * COMPANIONS)
      .filter((other) => other.registered && other.sliceCount === 0 && other.index !== claim.index)
      .slice(0, COMPANIONS)
  }
}

function groupKey(claim: ClaimBook): string {
  return `${claim.beneficiary}/${claim.token}`
}
