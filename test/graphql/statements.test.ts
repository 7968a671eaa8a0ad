import { afterAll, describe, expect, it } from 'vitest'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { byResolvers, createClient } from './client.ts'

const { ask, takeStatements, stop, pool } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

/** Statements with which resolvers read the projection: not the transaction's own, nor the one that opens the snapshot. */
async function readsOf(query: string, variables?: Record<string, unknown>): Promise<string[]> {
  takeStatements()
  const { errors } = await ask(byResolvers(query), variables)
  expect(errors).toBeUndefined()
  const statements = takeStatements()
  expect(statements.filter((text) => text.startsWith('start transaction'))).toHaveLength(
    statements.length ? 1 : 0,
  )
  expect(statements.filter((text) => text === 'rollback')).toHaveLength(statements.length ? 1 : 0)
  return statements.filter((text) => text.includes('projection') && !text.includes('_ponder_checkpoint'))
}

describe('statements of one operation', () => {
  it('are none for what needs no data', async () => {
    takeStatements()
    await ask('{ __typename __schema { queryType { name } } }')
    expect(takeStatements()).toEqual([])
  })

  it('are one for a page of claims, whatever its size', async () => {
    for (const first of [1, 50, 200]) {
      expect(
        await readsOf('query ($first: Int) { claims(first: $first) { nodes { claimId } } }', { first }),
      ).toHaveLength(1)
    }
  })

  it('count a list only when its totalCount is asked for', async () => {
    expect(await readsOf('{ claims { nodes { claimId } totalCount } }')).toHaveLength(2)
  })

  it('are one for each relation, not for each row of it', async () => {
    const query = `query ($first: Int!) { claims(first: $first) { nodes {
      issuer { address } settlement { settledAt }
      allocations { vault { name } execution { executionId legs { claim { claimId } } } }
    } } }`
    expect(await readsOf(query, { first: 40 })).toHaveLength(8)
  })

  it('are one for the pages of all parents, and one for their counts', async () => {
    const query = `{ vaults(first: 50) { nodes {
      allocations(first: 3) { totalCount nodes { faceAmount } }
      capitalHistory(first: 2) { nodes { kind } }
      days(last: 5) { nodes { day } }
      positions(first: 5) { nodes { shares } }
    } } }`
    expect(await readsOf(query)).toHaveLength(6)
  })

  it('share what aliases ask alike, and are apart only for other arguments', async () => {
    const query = `query ($wallet: Address!) { account(address: $wallet) {
      a: claims(first: 2) { nodes { claimId } }
      b: claims(first: 2) { nodes { state } }
      c: claims(first: 3) { nodes { claimId } }
    } }`
    expect(await readsOf(query, { wallet: sharedAccount('wallet-1').address })).toHaveLength(2)
  })

  it('leave no connection behind, whether the operation succeeds or fails', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        ask(
          i % 2
            ? '{ claims(first: 1) { nodes { claimId } } }'
            : '{ _meta { finalizedThrough { blockNumber } } claims(after: "x") { nodes { claimId } } }',
        ),
      ),
    )
    expect(pool.idleCount).toBe(pool.totalCount)
    expect(pool.waitingCount).toBe(0)
  })
})

describe('one snapshot', () => {
  it('is what all statements of an operation read, however many there are', async () => {
    takeStatements()
    const { data, extensions } = await ask(
      '{ a: _meta { finalizedThrough { blockNumber } } claims { totalCount } vaults { totalCount } b: _meta { finalizedThrough { blockNumber } } }',
    )
    const statements = takeStatements()
    expect(statements.at(0)).toBe('start transaction isolation level repeatable read read only')
    expect(statements.at(-1)).toBe('rollback')
    expect(statements.filter((text) => text.includes('_ponder_checkpoint'))).toHaveLength(1)
    expect(data.a).toEqual(data.b)
    expect(data.a.finalizedThrough.blockNumber).toBe(extensions.finalizedThrough.blockNumber)
  })
})
