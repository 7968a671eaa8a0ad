/** A claim and a vault that may finance it, as the lens reads them at the start of a window. */
import type { Hex } from 'viem'
import type { LensClaim, ReadableVault } from '../../api/chain/lens-types.ts'

export const DAY = 86_400n
export const START = 1_800_000_000n
export const DEADLINE = START + 300n
export const window = { start: START, end: DEADLINE }
export const address = (byte: string): Hex => `0x${byte.repeat(20)}`
export const id = (byte: string): Hex => `0x${byte.repeat(32)}`

export const claim: LensClaim = {
  claimId: id('0a'),
  issuer: address('01'),
  issuerActive: true,
  beneficiary: address('02'),
  token: address('03'),
  faceValue: 1_000_000n,
  financedFaceValue: 0n,
  paidFaceValue: 0n,
  dueAt: START + 10n * DAY + 100n,
  claimType: 1,
  sliceCount: 0,
  state: 'ELIGIBLE',
  allocations: [],
}
export const vault: ReadableVault = {
  vault: address('0c'),
  readable: true,
  active: true,
  token: address('03'),
  fundableLiquidity: 10n ** 9n,
  mandate: {
    supportedTypesBitmap: 2n,
    minDurationDays: 0,
    maxDurationDays: 10,
    minFace: 1_000n,
    maxFace: 1_000_000n,
    maxClaimFace: 1_200_000n,
    maxIssuerFace: 2n ** 256n - 1n,
  },
  pricing: { baseDiscountBps: 100, durationBpsPerDay: 10, premiumBps: [0, 5] },
  issuerFaces: new Map(),
}
