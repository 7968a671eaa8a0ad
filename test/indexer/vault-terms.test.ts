/** The terms of a vault for each claim type follow its mandate, its pricing and its status. */
import { describe, expect, it } from 'vitest'
import { vaultTerms } from '../../ponder.schema.ts'
import { createHandled, type PlayedEvent } from '../support/handlers.ts'

const vault = `0x${'a1'.repeat(20)}` as const
const token = `0x${'b1'.repeat(20)}` as const
const curator = `0x${'c1'.repeat(20)}` as const

/** The first and the last claim type, and others around the ends of bytes. */
const TYPES = [0, 1, 7, 8, 254, 255]
const bitmapOf = (types: readonly number[]) => types.reduce((bits, type) => bits | (1n << BigInt(type)), 0n)

const mandateOf = (types: readonly number[]) => ({
  supportedTypesBitmap: bitmapOf(types),
  minDurationDays: 1,
  maxDurationDays: 90,
  minFace: 2n,
  maxFace: 3n,
  maxClaimFace: 4n,
  maxIssuerFace: 5n,
})
const pricingOf = (baseDiscountBps: number) => ({
  baseDiscountBps,
  durationBpsPerDay: 2,
  premiumBps: [10, 20],
})
const registered = (types: readonly number[]): PlayedEvent => [
  'VaultRegistry:VaultRegistered',
  {
    ...{ vault, token, curator, name: 'V', symbol: 'v', noticePeriod: 0 },
    ...{ mandate: mandateOf(types), pricing: pricingOf(100) },
  },
]
const status = (active: boolean): PlayedEvent => ['VaultRegistry:VaultStatusChanged', { vault, active }]
const mandate = (types: readonly number[]): PlayedEvent => [
  'FinancingVault:MandateChanged',
  { mandate: mandateOf(types) },
  { by: vault },
]
const pricing = (baseDiscountBps: number): PlayedEvent => [
  'FinancingVault:PricingChanged',
  { pricing: pricingOf(baseDiscountBps) },
  { by: vault },
]

/** The terms after the events: claim type, status, and rates at once, after 30 and after 90 days. */
async function termsAfter(...events: readonly PlayedEvent[]) {
  const { db, play } = createHandled()
  await play(...events)
  const rows = await Promise.all(TYPES.map((claimType) => db.find(vaultTerms, { vault, claimType })))
  return rows.flatMap((row) =>
    row ? [[row.claimType, row.active, row.totalBpsNow, row.totalBpsMonth, row.totalBpsQuarter]] : [],
  )
}

const ENDS = [0, 255]
const active = [registered(ENDS), status(true)] as const
const terms = (of: readonly number[], isActive: boolean, base = 100) =>
  of.map((type) => {
    const now = base + (type === 0 ? 10 : type === 1 ? 20 : 0)
    return [type, isActive, now, now + 60, now + 180]
  })

describe('the terms of a vault', () => {
  it.each([
    ['that is registered are inactive', [registered(ENDS)], terms(ENDS, false)],
    ['that is activated are active', active, terms(ENDS, true)],
    ['that is deactivated are inactive', [...active, status(false)], terms(ENDS, false)],
    ['that is activated again are active', [...active, status(false), status(true)], terms(ENDS, true)],
    [
      'are those of the claim types of its last mandate',
      [...active, mandate(TYPES), mandate([1, 8, 255])],
      terms([1, 8, 255], true),
    ],
    ['are none after a mandate of no claim type', [...active, mandate([]), status(false)], []],
    [
      'that is inactive change with its mandate and pricing, and stay inactive',
      [...active, status(false), mandate([0, 7, 254]), pricing(500)],
      terms([0, 7, 254], false, 500),
    ],
    ['change with each pricing', [...active, pricing(500), pricing(300)], terms(ENDS, true, 300)],
  ] as const)('%s', async (_, events, expected) => {
    expect(await termsAfter(...events)).toEqual(expected)
  })
})
