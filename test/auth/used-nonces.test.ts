import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '../../api/projection/session/database.ts'
import { createStore } from '../../api/store/database.ts'
import { migrateStore } from '../../api/store/migrations/migrate.ts'
import { pruneStore } from '../../api/store/prune.ts'
import { isRevoked, revokeToken } from '../../api/store/revoked-tokens.ts'
import { spendNonce } from '../../api/store/used-nonces.ts'
import { createSharedCounts } from '../../api/store/wallet-rate-limits.ts'
import { rejection } from '../support/coded.ts'
import { createBareDatabase } from '../support/postgres.ts'
import { createTestStore } from '../support/store.ts'

const now = 1_800_000_000
let world: Awaited<ReturnType<typeof createTestStore>>

beforeAll(async () => {
  world = await createTestStore()
})
afterAll(() => world.stop())

describe('a nonce', () => {
  it('is spent once', async () => {
    await spendNonce(world.store, 'once', now)
    expect(await rejection(spendNonce(world.store, 'once', now))).toBe('NONCE_USED')
  })

  it('asked for by fifty at once goes to exactly one', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => spendNonce(world.store, 'contended', now)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is forgotten when it has long expired, and not before', async () => {
    await spendNonce(world.store, 'old', now - 3601)
    await spendNonce(world.store, 'recent', now - 3599)
    await pruneStore(world.store, now * 1000)
    await spendNonce(world.store, 'old', now)
    expect(await rejection(spendNonce(world.store, 'recent', now))).toBe('NONCE_USED')
  })
})

it('the end of a session is remembered for an hour after its token expires: clocks of gateways may differ', async () => {
  for (const [id, age] of [
    ['old', 3601],
    ['recent', 3599],
  ] as const)
    await revokeToken(world.store, { id, expiresAt: now - age })
  await pruneStore(world.store, now * 1000)
  expect(await isRevoked(world.store, { id: 'old' })).toBe(false)
  expect(await isRevoked(world.store, { id: 'recent' })).toBe(true)
})

it('the count of a window is kept until the window is long over', async () => {
  const hitsOf = async (key: string) => (await createSharedCounts(world.store, Date.now, 600)(key)).hits
  expect([await hitsOf('wallet'), await hitsOf('wallet')]).toEqual([1, 2])
  await pruneStore(world.store, Date.now())
  expect(await hitsOf('wallet')).toBe(3)
  await pruneStore(world.store, Date.now() + 86_400_000)
  const { rows } = await world.pool.query('select key from gateway.wallet_rate_limit')
  expect(rows).toEqual([])
})

describe('the migrations', () => {
  it('do nothing the second time, also when replicas start together', async () => {
    await spendNonce(world.store, 'kept', now)
    await Promise.all([migrateStore(world.pool), migrateStore(world.pool), migrateStore(world.pool)])
    expect(await rejection(spendNonce(world.store, 'kept', now))).toBe('NONCE_USED')
  })

  it('build the schema once when replicas start together on an empty database', async () => {
    const database = await createBareDatabase()
    const pool = createPool(database.url, 10)
    await Promise.all([migrateStore(pool), migrateStore(pool), migrateStore(pool)])
    await spendNonce(createStore(pool), 'first', now)
    await pool.end()
    await database.drop()
  })
})
