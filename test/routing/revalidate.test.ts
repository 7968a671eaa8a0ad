import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { LegView, LensClaim, LensLeg, ReadableVault } from '../../api/chain/lens-types.ts'
import { discountAmount } from '../../api/domain/discount.ts'
import { bpsAt } from '../../api/eligibility/pricing.ts'
import { refuseTooSoon, revalidate } from '../../api/routing/revalidate.ts'
import type { RouteIntent } from '../../api/store/route-intent-row.ts'
import { code, coded } from '../support/coded.ts'
import { address, claim, DAY, DEADLINE, id, START, vault, window } from './seen.ts'

function look(
  change: { claim?: Partial<LensClaim>; vault?: Partial<ReadableVault>; faceAmount?: bigint } = {},
) {
  const seen = { claim: { ...claim, ...change.claim }, vault: { ...vault, ...change.vault } }
  const faceAmount = change.faceAmount ?? 1_000_000n
  const priced = discountAmount(faceAmount, bpsAt(seen.vault.pricing, seen.claim, START))
  const quote = { status: 'ANSWERED', reason: 'NONE', discountAmount: priced } as const
  return {
    leg: { claimId: seen.claim.claimId, vault: seen.vault.vault, faceAmount },
    view: { ...seen, quote },
  }
}

type Look = { leg: LensLeg; view: LegView }

function check(looks: Look[], request: Partial<RouteIntent['request']> = {}, paused = false) {
  const intent: RouteIntent = {
    intentId: '00000000-0000-4000-8000-000000000001',
    routeId: id('ff'),
    user: address('02'),
    status: 'CONSUMED',
    blockNumber: 1n,
    request: { claimIds: undefined, targetAdvance: 1n, routeDeadlineSeconds: 300, ...request },
    legs: looks.map(({ leg }) => leg),
    createdAt: new Date(0),
    expiresAt: new Date(0),
    userDeadline: DEADLINE,
  }
  return revalidate(intent, { paused, legs: looks.map(({ view }) => view) }, window)
}

/** The reason of a leg that the mandate rejects, with its two sides. */
function refusal(looks: Look[]) {
  const error = coded(() => check(looks))
  expect(error.code).toBe('MANDATE_REJECTED')
  const { reason, have, need } = error.facts ?? {}
  return { reason, have, need }
}

describe('re-validation', () => {
  it('binds the least advance of the window and reckons with the largest', () => {
    // 100 + 5 + 10 a day: 205 bps at the block, 195 once less than ten days are left, which is before the deadline.
    expect(check([look()])).toMatchObject([{ minimumAdvanceAmount: 979_500n, latestAdvanceAmount: 980_500n }])
  })

  it('needs liquidity for what the advance can grow to until the deadline, over all legs of the vault', () => {
    const fits = { fundableLiquidity: 980_500n }
    expect(check([look({ vault: fits })])).toHaveLength(1)
    expect(code(() => check([look({ vault: { fundableLiquidity: 980_499n } })]))).toBe(
      'INSUFFICIENT_LIQUIDITY',
    )
    const second = look({ vault: fits, claim: { claimId: id('0b') }, faceAmount: 1_000n })
    expect(code(() => check([look({ vault: fits }), second]))).toBe('INSUFFICIENT_LIQUIDITY')
  })

  it('counts on no more than the least advance to reach the target', () => {
    expect(check([look()], { targetAdvance: 979_500n })).toHaveLength(1)
    expect(code(() => check([look()], { targetAdvance: 979_501n }))).toBe('TARGET_NO_LONGER_MET')
  })

  it('refuses a claim that is due at the last second of the deadline, and takes one due a second later', () => {
    expect(code(() => check([look({ claim: { dueAt: DEADLINE } })]))).toBe('LEG_NOT_FINANCEABLE')
    expect(check([look({ claim: { dueAt: DEADLINE + 1n } })])).toHaveLength(1)
  })

  it('needs the shortest duration of the mandate at the deadline, not only at the block', () => {
    const shortest = { vault: { mandate: { ...vault.mandate, minDurationDays: 9 } } }
    expect(check([look({ ...shortest, claim: { dueAt: DEADLINE + 9n * DAY } })])).toHaveLength(1)
    const sooner = look({ ...shortest, claim: { dueAt: DEADLINE + 9n * DAY - 1n } })
    expect(refusal([sooner])).toEqual({ reason: 'DURATION_BELOW_MINIMUM', have: '8', need: '9' })
  })

  it('counts the slices that the vault has of the claim, and no others', () => {
    const slice = (holder: Hex, faceAmount: bigint) => ({ vault: holder, faceAmount })
    const holding = (second: bigint) => {
      const own = [slice(vault.vault, 100_000n), slice(vault.vault, second)]
      const allocations = [slice(address('0d'), 10n ** 9n), ...own]
      return look({ claim: { faceValue: 2_000_000n, allocations } })
    }
    expect(check([holding(100_000n)])).toHaveLength(1)
    expect(refusal([holding(100_001n)])).toEqual({
      reason: 'ABOVE_MAXIMUM_CLAIM_FACE',
      have: '1200001',
      need: '1200000',
    })
  })

  it('adds up what the issuer owes the vault, and the faces of all legs of the issuer there', () => {
    const mandate = { ...vault.mandate, maxIssuerFace: 2_100_000n }
    const owing = (face: bigint, claim: Partial<LensClaim> = {}) =>
      look({ claim, vault: { mandate, issuerFaces: new Map([[issuerOf(claim), face]]) } })
    const issuerOf = (claim: Partial<LensClaim>) => claim.issuer ?? look().view.claim.issuer
    expect(check([owing(1_100_000n)])).toHaveLength(1)
    const exceeded = { reason: 'ABOVE_MAXIMUM_ISSUER_FACE', have: '2100001', need: '2100000' }
    expect(refusal([owing(1_100_001n)])).toEqual(exceeded)
    expect(check([owing(100_000n), owing(100_000n)])).toHaveLength(2)
    expect(refusal([owing(100_001n), owing(100_001n)])).toEqual(exceeded)
    expect(check([owing(100_001n), owing(100_001n, { issuer: address('0e') })])).toHaveLength(2)
  })

  it('holds the face of one issuer against the limit of each of two vaults alone', () => {
    const mandate = { ...vault.mandate, maxIssuerFace: 1_000_000n }
    const second = { vault: address('0d'), mandate }
    const looks = [look({ vault: { mandate } }), look({ claim: { claimId: id('0b') }, vault: second })]
    expect(check(looks)).toHaveLength(2)
  })

  it('holds the advances of each of two vaults against the liquidity of that vault alone', () => {
    const fits = { fundableLiquidity: 980_500n }
    const second = { ...fits, vault: address('0d') }
    const looks = [look({ vault: fits }), look({ claim: { claimId: id('0b') }, vault: second })]
    expect(check(looks)).toHaveLength(2)
  })

  it('refuses what the specification lists, each with its code', () => {
    const refused = (...args: Parameters<typeof check>) => code(() => check(...args))
    expect(refused([look()], {}, true)).toBe('ROUTER_PAUSED')
    expect(refused([look({ claim: { beneficiary: address('09') } })])).toBe('LEG_NOT_FINANCEABLE')
    expect(refused([look({ claim: { state: 'NONE' } })])).toBe('LEG_NOT_FINANCEABLE')
    expect(refused([look({ claim: { state: 'FULLY_FUNDED' } })])).toBe('LEG_NOT_FINANCEABLE')
    expect(refused([look({ claim: { sliceCount: 8 } })])).toBe('LEG_NOT_FINANCEABLE')
    expect(refused([look({ claim: { financedFaceValue: 1n } })])).toBe('LEG_NOT_FINANCEABLE')
    expect(refused([look({ claim: { issuerActive: false } })])).toBe('ISSUER_INACTIVE')
    expect(refused([look({ vault: { active: false } })])).toBe('VAULT_INACTIVE')
    expect(refused([look({ vault: { token: address('07') } })])).toBe('TOKEN_MISMATCH')
    expect(refused([look({ claim: { claimType: 2 } })])).toBe('MANDATE_REJECTED')
    expect(refused([look({ claim: { dueAt: START + 11n * DAY } })])).toBe('MANDATE_REJECTED')
    expect(refused([look({ faceAmount: 999n })])).toBe('MANDATE_REJECTED')
    expect(refused([look()], { maxTotalFace: 999_999n })).toBe('TARGET_NO_LONGER_MET')
    expect(check([look()], { maxTotalFace: 1_000_000n })).toHaveLength(1)
  })

  it('refuses a quote that is missing, not acceptable, or not what the pricing says', () => {
    const { leg, view } = look()
    for (const quote of [
      { status: 'FAILED' },
      { status: 'ANSWERED', reason: 'FACE_EXCEEDS_REMAINING', discountAmount: 20_500n },
      { status: 'ANSWERED', reason: 'NONE', discountAmount: 20_499n },
    ] as const) {
      expect(code(() => check([{ leg, view: { ...view, quote } }]))).toBe('MANDATE_REJECTED')
    }
  })

  it('refuses a deadline within 30 seconds of now, by the clock or by the chain, whichever is ahead', () => {
    const clock = (seconds: bigint) => Number(seconds) * 1000
    expect(() => refuseTooSoon(DEADLINE, clock(DEADLINE - 31n), { timestamp: START })).not.toThrow()
    expect(code(() => refuseTooSoon(DEADLINE, clock(DEADLINE - 30n), { timestamp: START }))).toBe(
      'ROUTE_DEADLINE_TOO_SOON',
    )
    expect(code(() => refuseTooSoon(DEADLINE, clock(START), { timestamp: DEADLINE - 30n }))).toBe(
      'ROUTE_DEADLINE_TOO_SOON',
    )
  })
})
