/** Each change of a status is stored with its time, and stays readable as of its block. */
import type { Context } from 'ponder:registry'
import { expect, it } from 'vitest'
import { issuer, router, statusVersion, token, vault, vaultVersion } from '../../ponder.schema.ts'
import { createHandled, type PlayedEvent } from '../support/handlers.ts'

const subject = `0x${'a1'.repeat(20)}` as const
const other = `0x${'b1'.repeat(20)}` as const
const mandate = {
  ...{ supportedTypesBitmap: 0n, minDurationDays: 0, maxDurationDays: 9 },
  ...{ minFace: 1n, maxFace: 9n, maxClaimFace: 9n, maxIssuerFace: 9n },
}
const pricing = { baseDiscountBps: 0, durationBpsPerDay: 0, premiumBps: [] }
const named = { name: 'V', symbol: 'v' }

type Db = Context['db']
/** Status and time of the last change. An issuer has no block of it. */
type Found = { status: boolean; changedAt: bigint; changedBlock?: bigint } | null
type Subject = {
  kind: string
  /** The event that adds the subject, if it has one of its own. */
  added: readonly PlayedEvent[]
  changed: (status: boolean) => PlayedEvent
  find: (db: Db) => Promise<Found>
  /** The status as of the block of a change. */
  findAt: (db: Db, block: bigint) => Promise<boolean | undefined>
}

const versionAt = async (db: Db, block: bigint) => (await db.find(statusVersion, { subject, block }))?.status

const SUBJECTS: readonly Subject[] = [
  {
    kind: 'an issuer',
    added: [],
    changed: (active) => ['IssuerRegistry:IssuerStatusChanged', { issuer: subject, active }],
    find: async (db) => {
      const row = await db.find(issuer, { address: subject })
      return row && { ...row, status: row.active }
    },
    findAt: versionAt,
  },
  {
    kind: 'a token',
    added: [['TokenRegistry:TokenAdded', { token: subject, ...named, decimals: 6 }]],
    changed: (listed) => ['TokenRegistry:TokenStatusChanged', { token: subject, listed }],
    find: async (db) => {
      const row = await db.find(token, { address: subject })
      return row && { ...row, status: row.listed }
    },
    findAt: versionAt,
  },
  {
    kind: 'a vault',
    added: [
      [
        'VaultRegistry:VaultRegistered',
        { vault: subject, token: other, curator: other, ...named, noticePeriod: 0, mandate, pricing },
      ],
    ],
    changed: (active) => ['VaultRegistry:VaultStatusChanged', { vault: subject, active }],
    find: async (db) => {
      const row = await db.find(vault, { address: subject })
      return row && { ...row, status: row.active }
    },
    findAt: async (db, block) => (await db.find(vaultVersion, { vault: subject, block }))?.active,
  },
  {
    kind: 'the router',
    added: [],
    changed: (paused) => [
      paused ? 'FinancingRouter:Paused' : 'FinancingRouter:Unpaused',
      {},
      { by: subject },
    ],
    find: async (db) => {
      const row = await db.find(router, { id: subject })
      return row && { ...row, status: row.paused }
    },
    findAt: versionAt,
  },
]

it.each(SUBJECTS)(
  '$kind has its last status since its last change, and each one at its block',
  async (of) => {
    const { db, play } = createHandled()
    await db.insert(router).values({ id: subject, paused: false, changedBlock: 0n, changedAt: 0n })
    await play(...of.added)
    const first = BigInt(of.added.length) + 1n
    const statuses = [true, false, true, false]
    for (const [index, status] of statuses.entries()) {
      const block = first + BigInt(index)
      const at = 1_000n * block
      const [name, args, place] = of.changed(status)
      await play([name, args, { ...place, at }])
      const found = await of.find(db)
      expect(found).toMatchObject({ status, changedAt: at })
      if (of.kind !== 'an issuer') expect(found).toMatchObject({ changedBlock: block })
    }
    const kept = await Promise.all(statuses.map((_, index) => of.findAt(db, first + BigInt(index))))
    expect(kept).toEqual(statuses)
  },
)

it.each(SUBJECTS)('$kind has the last status of a block in which it changes several times', async (of) => {
  const { db, play } = createHandled()
  await db.insert(router).values({ id: subject, paused: false, changedBlock: 0n, changedAt: 0n })
  await play(...of.added)
  const first = BigInt(of.added.length) + 1n
  const kept: (boolean | undefined)[] = []
  for (const [index, statuses] of [
    [true, false],
    [true, false, true],
  ].entries()) {
    const changes = statuses.map((status, place): PlayedEvent => {
      const [name, args, by] = of.changed(status)
      return [name, args, { ...by, isInSameBlock: place > 0 }]
    })
    await play(...changes)
    kept.push((await of.find(db))?.status, await of.findAt(db, first + BigInt(index)))
  }
  expect(kept).toEqual([false, false, true, true])
})
