/** Reasons why a claim or a vault is refused: the first value that is, the last that is not, and the limit named. */
import { describe, expect, it } from 'vitest'
import type { LensClaim, LensQuote, LensVault, ReadableVault } from '../../api/chain/lens-types.ts'
import { discountAmount } from '../../api/domain/discount.ts'
import { beneficiaryRefusal, claimRefusal } from '../../api/eligibility/claim-refusal.ts'
import { judgeLeg } from '../../api/eligibility/leg.ts'
import { bpsAt } from '../../api/eligibility/pricing.ts'
import { largestFace, termsRefusal, vaultRefusal } from '../../api/eligibility/vault-refusal.ts'
import * as seen from './seen.ts'

const { address, DAY, START, window } = seen

const claim: LensClaim = { ...seen.claim, faceValue: 1_000n, dueAt: START + 10n * DAY + 300n }
const vault: ReadableVault = {
  ...seen.vault,
  mandate: {
    ...seen.vault.mandate,
    supportedTypesBitmap: 0b1010n,
    minFace: 100n,
    maxFace: 2_000n,
    maxClaimFace: 2_000n,
    maxIssuerFace: 5_000n,
  },
}
const withMandate = (change: Partial<ReadableVault['mandate']>) => ({
  mandate: { ...vault.mandate, ...change },
})

describe('a claim', () => {
  const refusal = (change: Partial<LensClaim>) => claimRefusal({ ...claim, ...change }, window)
  const financeable = 'ELIGIBLE or PARTIALLY_FUNDED'

  it.each<[string, Partial<LensClaim>, object]>([
    ['that nobody registered', { state: 'NONE' }, { reason: 'CLAIM_NOT_FOUND' }],
    [
      'that is fully funded',
      { state: 'FULLY_FUNDED' },
      { reason: 'CLAIM_NOT_FINANCEABLE', have: 'FULLY_FUNDED', need: financeable },
    ],
    [
      'that is closed',
      { state: 'CLOSED' },
      { reason: 'CLAIM_NOT_FINANCEABLE', have: 'CLOSED', need: financeable },
    ],
    [
      'due at the first second',
      { dueAt: START },
      { reason: 'CLAIM_PAST_DUE', have: START, need: START + 1n },
    ],
    [
      'due after the first second',
      { dueAt: START + 1n },
      { reason: 'DUE_WITHIN_DEADLINE', have: START + 1n, need: START + 301n },
    ],
    [
      'due in the last second',
      { dueAt: START + 300n },
      { reason: 'DUE_WITHIN_DEADLINE', have: START + 300n, need: START + 301n },
    ],
    [
      'whose slices are used',
      { state: 'PARTIALLY_FUNDED', sliceCount: 8 },
      { reason: 'NO_SLICES_REMAINING', have: 0, need: 1 },
    ],
    [
      'whose face is financed',
      { state: 'PARTIALLY_FUNDED', financedFaceValue: 1_000n },
      { reason: 'NO_REMAINING_FACE', have: 0n, need: 1n },
    ],
    ['of an inactive issuer', { issuerActive: false }, { reason: 'ISSUER_INACTIVE', have: claim.issuer }],
  ])('%s is refused', (_, change, expected) => {
    expect(refusal(change)).toEqual(expected)
  })

  it.each<[string, Partial<LensClaim>]>([
    ['that is eligible', {}],
    ['due after the last second', { dueAt: START + 301n }],
    ['with one slice left', { state: 'PARTIALLY_FUNDED', sliceCount: 7 }],
    ['with a face of 1 left', { state: 'PARTIALLY_FUNDED', financedFaceValue: 999n }],
  ])('%s is not', (_, change) => {
    expect(refusal(change)).toBeUndefined()
  })

  it('with several faults is refused for the first of them in the catalogue', () => {
    const faults: readonly (readonly [string, Partial<LensClaim>])[] = [
      ['CLAIM_NOT_FOUND', { state: 'NONE' }],
      ['CLAIM_NOT_FINANCEABLE', { state: 'CLOSED' }],
      ['CLAIM_PAST_DUE', { dueAt: START }],
      ['NO_SLICES_REMAINING', { sliceCount: 8 }],
      ['NO_REMAINING_FACE', { financedFaceValue: 1_000n }],
      ['ISSUER_INACTIVE', { issuerActive: false }],
    ]
    for (const [first, [reason]] of faults.entries()) {
      const rest = faults.slice(first).toReversed()
      const faulty = Object.assign({}, ...rest.map(([, change]) => change))
      expect(refusal(faulty)?.reason).toBe(reason)
    }
    const soon = { dueAt: START + 300n, sliceCount: 8 }
    expect(refusal(soon)?.reason).toBe('DUE_WITHIN_DEADLINE')
  })

  it('is financed by its beneficiary alone; an unknown one has a reason of its own', () => {
    expect(beneficiaryRefusal(claim, address('02'))).toBeUndefined()
    expect(beneficiaryRefusal(claim, address('09'))).toEqual({
      reason: 'NOT_BENEFICIARY',
      have: address('02'),
      need: address('09'),
    })
    expect(beneficiaryRefusal({ ...claim, state: 'NONE' }, address('09'))).toBeUndefined()
  })
})

describe('the discount of a claim in a vault', () => {
  const pricing = { baseDiscountBps: 100, durationBpsPerDay: 10, premiumBps: [0, 33, 7] }
  // Nine days and 86,399 seconds.
  const dueAt = START + 10n * DAY - 1n

  it.each([
    ['of the first type', 0, 0n],
    ['of a type with a premium', 1, 33n],
    ['of the last type with a premium', 2, 7n],
    ['of the type after it', 3, 0n],
    ['of the last type', 255, 0n],
  ])(
    'is that of the whole days until it is due, with the premium of its type: %s',
    (_, claimType, premium) => {
      expect(bpsAt(pricing, { claimType, dueAt }, START)).toBe(190n + premium)
    },
  )

  it('gets lower at the end of each day, and is all of the face at most', () => {
    const at = (time: bigint, change: Partial<typeof pricing> = {}) =>
      bpsAt({ ...pricing, ...change }, { claimType: 0, dueAt }, time)
    expect([dueAt - DAY, dueAt - DAY + 1n, dueAt].map((time) => at(time))).toEqual([110n, 100n, 100n])
    expect([9_909, 9_910, 9_911].map((baseDiscountBps) => at(START, { baseDiscountBps }))).toEqual([
      9_999n,
      10_000n,
      10_000n,
    ])
  })
})

const held = (faceAmount: bigint, by = vault.vault) => ({ vault: by, faceAmount, advanceAmount: faceAmount })

describe('the largest lot of a claim in a vault', () => {
  it.each<[string, bigint, Partial<LensClaim>, Partial<ReadableVault>]>([
    ['is its whole face', 1_000n, {}, {}],
    ['is the rest of its face', 400n, { financedFaceValue: 600n }, {}],
    ['is the largest lot of the mandate', 300n, {}, withMandate({ maxFace: 300n })],
    [
      'is the rest of the most of one claim',
      250n,
      { allocations: [held(150n), held(90n, address('0d'))] },
      withMandate({ maxClaimFace: 400n }),
    ],
    [
      'is the rest of the most of one issuer',
      220n,
      {},
      {
        ...withMandate({ maxIssuerFace: 700n }),
        issuerFaces: new Map([
          [claim.issuer, 480n],
          [address('0e'), 77n],
        ]),
      },
    ],
    [
      'is the smallest lot where less is left of the most of one claim',
      100n,
      { allocations: [held(350n)] },
      withMandate({ maxClaimFace: 400n }),
    ],
  ])('%s', (_, expected, ofClaim, ofVault) => {
    expect(largestFace({ ...claim, ...ofClaim }, { ...vault, ...ofVault })).toBe(expected)
  })
})

describe('a vault', () => {
  const quoteOf = (seen: ReadableVault, of: LensClaim): LensQuote => {
    const amount = discountAmount(largestFace(of, seen), bpsAt(seen.pricing, of, START))
    return { status: 'ANSWERED', reason: 'NONE', discountAmount: amount }
  }
  const refusal = (
    ofVault: Partial<ReadableVault>,
    ofClaim: Partial<LensClaim> = {},
    change: (quote: LensQuote) => LensQuote = (quote) => quote,
  ) => {
    const [seen, of] = [
      { ...vault, ...ofVault },
      { ...claim, ...ofClaim },
    ]
    return vaultRefusal(of, seen, change(quoteOf(seen, of)), window)
  }

  it.each<[string, Partial<ReadableVault>, Partial<LensClaim>, object]>([
    [
      'of another token',
      { token: address('04') },
      {},
      { reason: 'TOKEN_MISMATCH', have: address('04'), need: address('03') },
    ],
    ['that is inactive', { active: false }, {}, { reason: 'VAULT_INACTIVE' }],
    ['without the type', {}, { claimType: 2 }, { reason: 'TYPE_NOT_SUPPORTED', have: '1, 3', need: 2 }],
    [
      'that wants more days than are left at the end',
      withMandate({ minDurationDays: 11 }),
      {},
      { reason: 'DURATION_BELOW_MINIMUM', have: 10n, need: 11 },
    ],
    [
      'that wants the days that are left at the start alone',
      withMandate({ minDurationDays: 10 }),
      { dueAt: START + 10n * DAY },
      { reason: 'DURATION_BELOW_MINIMUM', have: 9n, need: 10 },
    ],
    [
      'that takes fewer days than there are at the start',
      withMandate({ maxDurationDays: 9 }),
      {},
      { reason: 'DURATION_EXCEEDED', have: 10n, need: 9 },
    ],
    [
      'that wants more than is left of the claim',
      {},
      { financedFaceValue: 901n },
      { reason: 'BELOW_MINIMUM_LOT', have: 99n, need: 100n },
    ],
    [
      'that holds too much of the claim',
      withMandate({ maxClaimFace: 400n }),
      { allocations: [held(301n)] },
      { reason: 'ABOVE_MAXIMUM_CLAIM_FACE', have: 401n, need: 400n },
    ],
    [
      'that is owed too much by the issuer',
      { ...withMandate({ maxIssuerFace: 400n }), issuerFaces: new Map([[claim.issuer, 301n]]) },
      {},
      { reason: 'ABOVE_MAXIMUM_ISSUER_FACE', have: 401n, need: 400n },
    ],
  ])('%s is refused', (_, ofVault, ofClaim, expected) => {
    expect(refusal(ofVault, ofClaim)).toEqual(expected)
  })

  it.each<[string, Partial<ReadableVault>, Partial<LensClaim>]>([
    ['within every limit', {}, {}],
    ['that wants as many days as are left at the end', withMandate({ minDurationDays: 10 }), {}],
    ['that wants as much as is left of the claim', {}, { financedFaceValue: 900n }],
    [
      'that may hold one smallest lot more of the claim',
      withMandate({ maxClaimFace: 400n }),
      { allocations: [held(300n)] },
    ],
    [
      'that may be owed one smallest lot more',
      { ...withMandate({ maxIssuerFace: 400n }), issuerFaces: new Map([[claim.issuer, 300n]]) },
      {},
    ],
  ])('%s is not', (_, ofVault, ofClaim) => {
    expect(refusal(ofVault, ofClaim)).toBeUndefined()
  })

  it('with several faults is refused for the first of them in the catalogue', () => {
    type Fault = readonly [
      string,
      Partial<ReadableVault['mandate']>,
      Partial<ReadableVault>,
      Partial<LensClaim>,
    ]
    const faults: readonly Fault[] = [
      ['TOKEN_MISMATCH', {}, { token: address('04') }, {}],
      ['VAULT_INACTIVE', {}, { active: false }, {}],
      ['TYPE_NOT_SUPPORTED', {}, {}, { claimType: 2 }],
      ['DURATION_BELOW_MINIMUM', { minDurationDays: 11 }, {}, {}],
      ['DURATION_EXCEEDED', { maxDurationDays: 9 }, {}, {}],
      ['BELOW_MINIMUM_LOT', {}, {}, { financedFaceValue: 901n }],
      ['ABOVE_MAXIMUM_CLAIM_FACE', { maxClaimFace: 400n }, {}, { allocations: [held(301n)] }],
      [
        'ABOVE_MAXIMUM_ISSUER_FACE',
        { maxIssuerFace: 400n },
        { issuerFaces: new Map([[claim.issuer, 301n]]) },
        {},
      ],
    ]
    for (const [first, [reason]] of faults.entries()) {
      const faulty = faults.slice(first).reduce(
        ({ of, by }, [, mandate, ofVault, ofClaim]) => ({
          of: { ...of, ...ofClaim },
          by: { ...by, ...ofVault, mandate: { ...by.mandate, ...mandate } },
        }),
        { of: claim, by: vault },
      )
      expect(refusal(faulty.by, faulty.of, () => ({ status: 'FAILED' }))?.reason).toBe(reason)
    }
    const narrow = { ...vault, ...withMandate({ maxFace: 500n, maxClaimFace: 500n, maxIssuerFace: 500n }) }
    expect(termsRefusal(claim, narrow, 501n, window)?.reason).toBe('ABOVE_MAXIMUM_LOT')
  })

  it('that cannot be read is refused', () => {
    const unreadable: LensVault = { vault: vault.vault, readable: false }
    expect(vaultRefusal(claim, unreadable, quoteOf(vault, claim), window)).toEqual({
      reason: 'QUOTE_REJECTED',
      have: 'the vault cannot be read',
    })
  })

  it('is refused unless it answers the quote of its own pricing', () => {
    const priced = discountAmount(1_000n, bpsAt(vault.pricing, claim, START))
    const quoting = (quote: LensQuote) => refusal({}, {}, () => quote)
    expect(quoting({ status: 'ANSWERED', reason: 'NONE', discountAmount: priced })).toBeUndefined()
    expect(quoting({ status: 'ANSWERED', reason: 'NONE', discountAmount: priced - 1n })).toEqual({
      reason: 'QUOTE_REJECTED',
      have: priced - 1n,
      need: priced,
    })
    expect(quoting({ status: 'NOT_ASKED' })).toEqual({ reason: 'QUOTE_REJECTED', have: 'NOT_ASKED' })
  })

  it('is refused for a lot that would cost all of its face, and not for one that advances a unit', () => {
    const expensive = { pricing: { baseDiscountBps: 9_999, durationBpsPerDay: 0, premiumBps: [] } }
    const costsAll = { ...expensive, ...withMandate({ minFace: 1n, maxFace: 100n }) }
    expect(refusal(costsAll)).toEqual({ reason: 'QUOTE_REJECTED', have: 100n, need: 99n })
    const advancesOne = {
      ...expensive,
      ...withMandate({ maxFace: 10_000n, maxClaimFace: 10_000n, maxIssuerFace: 10_000n }),
    }
    expect(refusal(advancesOne, { faceValue: 10_000n })).toBeUndefined()
  })
})

describe('a leg', () => {
  const leg = { claimId: claim.claimId, vault: vault.vault, faceAmount: 1_000n }
  const judge = (
    user: LensClaim['beneficiary'],
    ofClaim: Partial<LensClaim>,
    ofVault: Partial<ReadableVault>,
  ) => {
    const view = { claim: { ...claim, ...ofClaim }, vault: { ...vault, ...ofVault } }
    const judged = judgeLeg(user, leg, { ...view, quote: { status: 'FAILED' } }, window)
    return 'refusal' in judged ? judged.refusal.reason : undefined
  }

  it('is refused for its wallet, its claim, its face, its vault and its quote, in this order', () => {
    const [user, other] = [claim.beneficiary, address('09')]
    const less = { financedFaceValue: 1n }
    const closed = { ...less, state: 'CLOSED' } as const
    const inactive = { active: false }
    expect([
      judge(other, closed, inactive),
      judge(user, closed, inactive),
      judge(user, less, inactive),
      judge(user, {}, inactive),
      judge(user, {}, {}),
    ]).toEqual([
      'NOT_BENEFICIARY',
      'CLAIM_NOT_FINANCEABLE',
      'FACE_EXCEEDS_REMAINING',
      'VAULT_INACTIVE',
      'QUOTE_REJECTED',
    ])
  })
})
