/** Pairs of claims and vaults that may become legs of a route, and the vaults that are left out for their liquidity. */
import { describe, expect, it } from 'vitest'
import type { LensClaim, Market, ReadableVault } from '../../api/chain/lens-types.ts'
import { discountAmount } from '../../api/domain/discount.ts'
import { bpsAt } from '../../api/eligibility/pricing.ts'
import { largestFace } from '../../api/eligibility/vault-refusal.ts'
import { collectCandidates } from '../../api/routing/candidates.ts'
import { coded } from '../support/coded.ts'
import * as seen from './seen.ts'

const { address, id, START, window } = seen
const claim = (byte: string, change: Partial<LensClaim> = {}): LensClaim => ({
  ...seen.claim,
  claimId: id(byte),
  ...change,
})
const vault = (byte: string, change: Partial<ReadableVault> = {}): ReadableVault => ({
  ...seen.vault,
  vault: address(byte),
  // The price holds until the end of the window.
  pricing: { baseDiscountBps: 100, durationBpsPerDay: 0, premiumBps: [] },
  ...change,
})

function market(claims: readonly LensClaim[], vaults: readonly ReadableVault[], paused = false): Market {
  const probes = claims.map((of) =>
    vaults.map((by) => {
      const amount = discountAmount(largestFace(of, by), bpsAt(by.pricing, of, START))
      return { status: 'ANSWERED', reason: 'NONE', discountAmount: amount } as const
    }),
  )
  return { paused, claims, vaults, probes }
}
const collect = (...given: Parameters<typeof market>) =>
  collectCandidates(market(...given), seen.claim.beneficiary, window)

describe('a vault', () => {
  it('is left out where it has less than the advance of its smallest lot, and not where it has just that', () => {
    // The smallest lot of 1000 costs 10.
    const of = (fundableLiquidity: bigint) => collect([claim('0a')], [vault('0c', { fundableLiquidity })])
    expect(of(990n).candidates).toMatchObject([{ vault: address('0c'), minFace: 1_000n }])
    const { candidates, filteredOut } = of(989n)
    expect([candidates, filteredOut]).toMatchObject([
      [],
      [{ reason: 'NO_ELIGIBLE_VAULT', vaults: [{ reason: 'NO_LIQUIDITY', have: 989n, need: 990n }] }],
    ])
  })

  it('needs liquidity of a unit at least, though its smallest lot advances nothing', () => {
    const mandate = { ...seen.vault.mandate, minFace: 1n }
    const of = (fundableLiquidity: bigint) =>
      collect([claim('0a')], [vault('0c', { fundableLiquidity, mandate })])
    expect(of(1n).candidates).toHaveLength(1)
    expect(of(0n).filteredOut).toMatchObject([{ vaults: [{ reason: 'NO_LIQUIDITY', have: 0n, need: 1n }] }])
  })
})

describe('the liquidity that a plan may use', () => {
  it('is that of each vault, less what the prices of all of its claims can drop until the end of the window', () => {
    // 200 basis points at the block, 190 at the end of the window.
    const pricing = { baseDiscountBps: 100, durationBpsPerDay: 10, premiumBps: [] }
    const falling = vault('0c', { pricing, fundableLiquidity: 1_000_000n })
    const { vaultLiquidity } = collect([claim('0a'), claim('0b')], [falling, vault('0d')])
    // (10^6 + 1) * 9800 / 9810, rounded down, less a unit for each claim.
    expect(vaultLiquidity).toEqual(
      new Map([
        [address('0c'), 998_979n],
        [address('0d'), 10n ** 9n],
      ]),
    )
  })
})

describe('a claim of another wallet', () => {
  it('is left out as such, whatever else is wrong with it', () => {
    const foreign = claim('0a', { beneficiary: address('09'), state: 'CLOSED' })
    expect(collect([foreign], [vault('0c')]).filteredOut).toMatchObject([{ reason: 'NOT_BENEFICIARY' }])
  })
})

describe('the candidates', () => {
  it('are in the order of claim and vault, whatever the order of the request and of the registry', () => {
    const claims = [claim('0b'), claim('0a')]
    const vaults = [vault('0d'), vault('0c')]
    const pairs = collect(claims, vaults).candidates.map((one) => [one.claimId, one.vault])
    expect(pairs).toEqual(['0a', '0b'].flatMap((of) => ['0c', '0d'].map((by) => [id(of), address(by)])))
  })

  it('have a limit for each issuer and vault, where two claims or more share a limit of the mandate', () => {
    const mandate = { ...seen.vault.mandate, maxIssuerFace: 5_000_000n }
    const limited = vault('0c', { mandate, issuerFaces: new Map([[seen.claim.issuer, 2_000_000n]]) })
    const other = { issuer: address('0e') }
    const claims = [claim('0a'), claim('0b', other), claim('0f')]
    expect(collect(claims, [limited, vault('0d')]).issuerLimits).toEqual([
      { vault: address('0c'), claimIds: [id('0a'), id('0f')], maxFace: 3_000_000n },
    ])
  })

  it('have no limit of a vault that has too little liquidity', () => {
    const mandate = { ...seen.vault.mandate, maxIssuerFace: 5_000_000n }
    const of = (fundableLiquidity: bigint) =>
      collect([claim('0a'), claim('0b')], [vault('0c', { mandate, fundableLiquidity })]).issuerLimits
    expect(of(10n ** 9n)).toHaveLength(1)
    expect(of(0n)).toEqual([])
  })

  it('have one limit for each of two vaults that limit the same issuer', () => {
    const limited = (suffix: string, maxIssuerFace: bigint) =>
      vault(suffix, { mandate: { ...seen.vault.mandate, maxIssuerFace } })
    const vaults = [limited('0c', 4_000_000n), limited('0d', 5_000_000n)]
    const claimIds = [id('0a'), id('0b')]
    expect(collect([claim('0a'), claim('0b')], vaults).issuerLimits).toEqual([
      { vault: address('0c'), claimIds, maxFace: 4_000_000n },
      { vault: address('0d'), claimIds, maxFace: 5_000_000n },
    ])
  })
})

describe('the token of the amounts', () => {
  const euros = { token: address('04') }

  it('is that of the claims that a vault takes', () => {
    expect(collect([claim('0a'), claim('0b', euros)], [vault('0c')]).token).toBe(address('03'))
  })

  it('is that of all claims where no vault takes any, and none where these have two', () => {
    expect(collect([claim('0a'), claim('0b', { state: 'NONE', ...euros })], []).token).toBe(address('03'))
    expect(collect([claim('0a'), claim('0b', euros)], []).token).toBeUndefined()
    expect(collect([claim('0a')], [vault('0c')], true)).toMatchObject({
      candidates: [],
      token: address('03'),
      filteredOut: [{ claimId: id('0a'), reason: 'ROUTER_PAUSED' }],
    })
  })

  it('is one: claims in two tokens that vaults take are refused, by the ids of two of them', () => {
    const both = [vault('0c'), vault('0d', euros)]
    const claims = [claim('0a'), claim('0b'), claim('0f', euros)]
    expect(coded(() => collect(claims, both))).toMatchObject({
      code: 'MIXED_TOKENS',
      facts: {
        claimId: id('0a'),
        token: address('03'),
        otherClaimId: id('0f'),
        otherToken: address('04'),
      },
    })
  })

  it('is not that of a claim whose vault has too little liquidity', () => {
    const empty = vault('0d', { ...euros, fundableLiquidity: 0n })
    expect(collect([claim('0a'), claim('0f', euros)], [vault('0c'), empty])).toMatchObject({
      token: address('03'),
      candidates: [{ claimId: id('0a'), vault: address('0c') }],
      filteredOut: [
        {
          claimId: id('0f'),
          reason: 'NO_ELIGIBLE_VAULT',
          vaults: [{ reason: 'TOKEN_MISMATCH' }, { vault: address('0d'), reason: 'NO_LIQUIDITY' }],
        },
      ],
    })
  })
})
