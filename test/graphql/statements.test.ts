import { afterAll, describe, expect, it } from 'vitest'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { ask, takeStatements, stop, pool } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

async function statementsOf(query: string, variables?: Record<string, unknown>): Promise<string[]> {
  takeStatements()
  const { errors } = await ask(query, variables)
  expect(errors).toBeUndefined()
  // The plan of a filter is looked at first.
  return takeStatements().filter((text) => !text.startsWith('explain'))
}

const WALLET = sharedAccount('wallet-1').address

describe('statements of one operation', () => {
  it('are none for what needs no data', async () => {
    expect(await statementsOf('{ __typename __schema { queryType { name } } }')).toEqual([])
    const byDefault = 'query ($name: String! = "Query") { __type(name: $name) { name } }'
    expect(await statementsOf(byDefault)).toEqual([])
  })

  it.each([
    ['a page of any size', '{ claims(first: 200) { nodes { claimId } } }'],
    ['a page and its count', '{ claims { nodes { claimId } totalCount } }'],
    [
      'relations of relations',
      `{ claims(first: 40) { nodes {
        issuer { address } settlements(first: 1) { nodes { settledAt } }
        allocations { vault { name } execution { executionId legs { claim { claimId } } } }
      } } }`,
    ],
    [
      'the pages of all parents, and their counts',
      `{ vaults(first: 50) { nodes {
        allocations(first: 3) { totalCount nodes { faceAmount } }
        capitalHistory(first: 2) { totalCount nodes { kind } }
        days(last: 5) { nodes { day } }
        positions(first: 5) { nodes { shares } }
      } } }`,
    ],
    [
      'aliases',
      `{ account(address: "${WALLET}") {
        a: claims(first: 2) { nodes { claimId } }
        b: claims(first: 2) { nodes { state } }
        c: claims(first: 3) { nodes { claimId } }
      } }`,
    ],
    [
      'the block and the schema beside rows',
      '{ _meta { finalizedThrough { blockNumber } } __schema { queryType { name } } claims { totalCount } }',
    ],
  ])('are one for %s, in no transaction', async (_, query) => {
    // The first read of a connection sets it up.
    await ask('{ vaults(first: 1) { nodes { address } } }')
    expect(await statementsOf(query)).toHaveLength(1)
  })

  it('leave no connection behind, whether the operation succeeds or fails', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        ask(
          i % 2
            ? '{ claims(first: 1) { nodes { claimId } } }'
            : `{ claimAggregates(groupBy: [dueDay]) { nodes { faceValue { min } } } claims(after: "x") { nodes { claimId } } }`,
        ),
      ),
    )
    expect(pool.idleCount).toBe(pool.totalCount)
    expect(pool.waitingCount).toBe(0)
  })

  it('names the block of the extensions in _meta', async () => {
    const { data, extensions } = await ask(
      '{ _meta { finalizedThrough { blockNumber timestamp } } vaults { totalCount } }',
    )
    expect(data._meta.finalizedThrough).toEqual(extensions.finalizedThrough)
  })
})
