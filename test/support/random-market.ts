/**
 * Random markets for routes: odd lots, shared and scarce liquidity, due dates and day boundaries within minutes of now.
 */
import fc from 'fast-check'
import type { Hex } from 'viem'
import type { World } from './protocol.ts'
import * as act from './scenario.ts'
import { outcomeOf } from './transactions.ts'

const DAY = 86_400

export type RandomVault = {
  mandate: act.Mandate
  pricing: { baseDiscountBps: number; durationBpsPerDay: number; premiumBps: number[] }
  /** Per mille of all claims' face. */
  capital: number
}

/** `due` in seconds from the moment that the market is made. */
export type RandomClaim = { face: bigint; due: number; claimType: number }

/** A slice of a claim that a vault has before the route, if the router accepts it; `share` is per mille of the face. */
export type RandomSlice = { claim: number; vault: number; share: number }

export type RandomMarket = { vaults: RandomVault[]; claims: RandomClaim[]; slices: RandomSlice[] }

const faces = fc.oneof(
  fc.bigInt({ min: 1n, max: 20_000n }),
  fc.bigInt({ min: 20_001n, max: 10n ** 10n }),
  fc.bigInt({ min: 1n, max: 10n ** 6n }).map((thousands) => thousands * 1_000_000n),
)

/** Most fall due around the end of a plan, or have a boundary of their days to due around the deadline. */
const dues = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 120, max: 2400 }) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 700 }))
      .map(([days, rest]) => days * DAY + rest),
  },
  { weight: 2, arbitrary: fc.integer({ min: DAY, max: 90 * DAY }) },
)

const claims = fc.record({ face: faces, due: dues, claimType: fc.integer({ min: 0, max: 4 }) })

const vaults = fc.record({
  mandate: fc.record({
    supportedTypesBitmap: fc.constantFrom(0b11111n, 0b11111n, 0b10111n, 0b00011n),
    minDurationDays: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 })),
    maxDurationDays: fc.constantFrom(30, 90, 90),
    minFace: fc.oneof(fc.constant(1n), fc.bigInt({ min: 1n, max: 10n ** 8n })),
    maxFace: fc.oneof(fc.constant(10n ** 30n), fc.bigInt({ min: 10n ** 8n, max: 10n ** 11n })),
    maxClaimFace: fc.oneof(fc.constant(10n ** 31n), fc.bigInt({ min: 10n ** 8n, max: 10n ** 10n })),
    maxIssuerFace: fc.oneof(
      fc.constant(2n ** 256n - 1n),
      fc.bigInt({ min: 10n ** 8n, max: 2n * 10n ** 10n }),
    ),
  }),
  pricing: fc.record({
    baseDiscountBps: fc.integer({ min: 0, max: 900 }),
    durationBpsPerDay: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
    premiumBps: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 5 }),
  }),
  capital: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 400, max: 2000 })),
})

export const randomMarkets: fc.Arbitrary<RandomMarket> = fc.record({
  vaults: fc.array(vaults, { minLength: 1, maxLength: 5 }),
  claims: fc.oneof(
    { weight: 4, arbitrary: fc.array(claims, { minLength: 1, maxLength: 5 }) },
    { weight: 1, arbitrary: fc.array(claims, { minLength: 6, maxLength: 15 }) },
  ),
  slices: fc.array(fc.record({ claim: fc.nat(), vault: fc.nat(), share: fc.integer({ min: 1, max: 400 }) }), {
    maxLength: 4,
  }),
})

/** Puts a market on chain, for the beneficiary, in dollars. */
export async function makeMarket(world: World, { vaults, claims, slices }: RandomMarket) {
  const now = await act.chainTime(world)
  const { issuer, beneficiary } = world.parties
  const claimIds: Hex[] = []
  for (const { face, due, claimType } of claims) {
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: face, claimType }
    claimIds.push((await act.registerClaim(world, { ...terms, dueDate: now + BigInt(due) })).claimId)
  }
  const total = claims.reduce((sum, { face }) => sum + face, 0n)
  const addresses: Hex[] = []
  for (const { mandate, pricing, capital } of vaults) {
    const assets = (total * BigInt(capital)) / 1000n
    const { vault } = await act.createVault(world, { token: world.usd, mandate, pricing })
    if (assets > 0n) await act.deposit(world, { provider: world.parties.provider, vault, assets })
    addresses.push(vault)
  }
  for (const slice of slices) {
    const at = slice.claim % claims.length
    const [claimId, terms, vault] = [claimIds[at], claims[at], addresses[slice.vault % addresses.length]]
    if (!claimId || !terms || !vault) throw new Error('a market has a claim and a vault')
    const faceAmount = (terms.face * BigInt(slice.share)) / 1000n
    await outcomeOf(act.executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount }))
  }
  return { claimIds, vaults: addresses }
}

/** Takes a market's vaults off the table again. */
export async function closeMarket(world: World, vaults: readonly Hex[]): Promise<void> {
  for (const vault of vaults) await act.setVaultActive(world, { vault, active: false })
}
