/** Positions after events that move nothing, or only shares or assets, and after those that move both. */
import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { ordinalOf } from '../../api/domain/ordinal.ts'
import { positionChange, positionDay, vaultPosition } from '../../ponder.schema.ts'
import { createHandled, type PlayedEvent } from '../support/handlers.ts'

const vault = `0x${'a1'.repeat(20)}` as const
const token = `0x${'b1'.repeat(20)}` as const
const holder = `0x${'c1'.repeat(20)}` as const
const other = `0x${'c2'.repeat(20)}` as const

const DAY = 86_400n
/** The time of the deposit, whose shares are issued a second before. */
const START = 20_000n * DAY + 2n
const HELD_SINCE = START - 1n

const mandate = {
  ...{ supportedTypesBitmap: 0n, minDurationDays: 0, maxDurationDays: 9 },
  ...{ minFace: 1n, maxFace: 9n, maxClaimFace: 9n, maxIssuerFace: 9n },
}
const pricing = { baseDiscountBps: 0, durationBpsPerDay: 0, premiumBps: [] }
const terms = { name: 'V', symbol: 'v', noticePeriod: 0, mandate, pricing }

type Wallet = typeof holder | typeof other | typeof zeroAddress
const moved = (from: Wallet, to: Wallet, value: bigint): PlayedEvent => [
  'FinancingVault:Transfer',
  { from, to, value },
  { by: vault },
]
const deposited = (owner: Wallet, assets: bigint, shares: bigint, at?: bigint): PlayedEvent => [
  'FinancingVault:Deposit',
  { sender: owner, owner, assets, shares },
  { by: vault, ...(at !== undefined && { at }) },
]
const withdrawn = (owner: Wallet, assets: bigint, shares: bigint): PlayedEvent => [
  'FinancingVault:Withdraw',
  { sender: owner, receiver: owner, owner, assets, shares },
  { by: vault },
]

/** 100 shares for 60 assets, at `START`. */
const HELD: readonly PlayedEvent[] = [
  ['VaultRegistry:VaultRegistered', { vault, token, curator: other, ...terms }, { at: START - 2n }],
  moved(zeroAddress, holder, 100n),
  deposited(holder, 60n, 100n, START),
]

/** Plays events after the deposit. @returns what the last of them has changed */
async function playing(...events: readonly PlayedEvent[]) {
  const { db, play } = createHandled()
  await play(...HELD, ...events)
  const number = BigInt(HELD.length + events.length)
  const changes = ([0n, 1n] as const).map((offset) =>
    db.find(positionChange, { id: ordinalOf(number, 0n, offset) }),
  )
  const dayOf = (owner: Wallet) => db.find(positionDay, { vault, owner, day: START - (START % DAY) })
  const positionOf = (owner: Wallet) => db.find(vaultPosition, { vault, owner })
  const [own, counterpart] = await Promise.all(changes)
  return { own, counterpart, dayOf, positionOf }
}

describe('an event of shares', () => {
  it.each([
    [
      'a deposit that is worth no shares adds its cost',
      [deposited(holder, 5n, 0n)],
      {
        kind: 'DEPOSIT',
        assets: 5n,
        shares: 0n,
        sharesAfter: 100n,
        costBasisAfter: 65n,
        realizedGainAfter: 0n,
      },
      { deposited: 65n, withdrawn: 0n, shares: 100n, costBasis: 65n },
    ],
    [
      'a redemption of worthless shares realizes their cost as a loss',
      [moved(holder, zeroAddress, 40n), withdrawn(holder, 0n, 40n)],
      {
        ...{ kind: 'WITHDRAWAL', assets: 0n, shares: 40n, sharesAfter: 60n, costBasisAfter: 36n },
        realizedGainAfter: -24n,
      },
      { deposited: 60n, withdrawn: 0n, shares: 60n, costBasis: 36n },
    ],
  ] as const)('%s', async (_, events, change, day) => {
    const { own, dayOf, positionOf } = await playing(...events)
    expect(own).toMatchObject({ owner: holder, counterparty: null, ...change })
    expect(await dayOf(holder)).toMatchObject(day)
    const { sharesAfter: shares, costBasisAfter: costBasis } = change
    expect(await positionOf(holder)).toMatchObject({ shares, costBasis, since: HELD_SINCE })
  })

  it.each([
    ['a deposit of nothing', deposited(other, 0n, 0n)],
    ['a withdrawal of nothing', withdrawn(other, 0n, 0n)],
    ['a transfer of nothing', moved(holder, other, 0n)],
    ['a transfer from a wallet to itself', moved(holder, holder, 100n)],
  ])('is no change of a position, and makes nobody a holder: %s', async (_, event) => {
    const { own, counterpart, dayOf, positionOf } = await playing(event)
    expect([own, counterpart, await positionOf(other), await dayOf(other)]).toEqual([null, null, null, null])
    expect(await positionOf(holder)).toMatchObject({ shares: 100n, costBasis: 60n, since: HELD_SINCE })
  })

  it('that moves them is a change of both wallets, with their cost', async () => {
    const { own, counterpart, dayOf } = await playing(moved(holder, other, 50n))
    const transfer = { assets: 30n, shares: 50n, sharesAfter: 50n, costBasisAfter: 30n }
    expect(own).toMatchObject({ kind: 'SENT', owner: holder, counterparty: other, ...transfer })
    expect(counterpart).toMatchObject({ kind: 'RECEIVED', owner: other, counterparty: holder, ...transfer })
    expect(await dayOf(holder)).toMatchObject({ sent: 30n, received: 0n, shares: 50n, costBasis: 30n })
    expect(await dayOf(other)).toMatchObject({ sent: 0n, received: 30n, shares: 50n, costBasis: 30n })
  })
})

describe('the time since which a wallet has held shares without a break', () => {
  it.each([
    ['a part of them left', [moved(holder, other, 99n)], HELD_SINCE],
    ['it received more', [moved(holder, other, 9n), moved(other, holder, 9n)], HELD_SINCE],
    ['it deposited more', [moved(zeroAddress, holder, 7n), deposited(holder, 7n, 7n)], HELD_SINCE],
    ['all of them left', [moved(holder, other, 100n)], null],
    ['all of them came back', [moved(holder, other, 100n), moved(other, holder, 1n)], START + 2n],
  ] as const)('is kept or ends where %s', async (_, events, since) => {
    const { positionOf } = await playing(...events)
    expect(await positionOf(holder)).toMatchObject({ since })
  })
})
