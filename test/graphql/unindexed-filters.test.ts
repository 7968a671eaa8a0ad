/** A list of the query costs more where its filter leaves its rows to no index. */
import { afterAll, describe, expect, it } from 'vitest'
import { SCAN_COST } from '../../api/graphql/kit/filter.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { ask, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const ISSUER = `"0x${'11'.repeat(20)}"`
const HASH = `"0x${'ab'.repeat(32)}"`

async function costOf(filter: string, field = 'claims'): Promise<number> {
  const { data, extensions } = await ask(`{ ${field}(first: 1, filter: ${filter}) { __typename } }`)
  expect(data).not.toBeNull()
  return extensions.cost.cost
}
const scans = async (filter: string, field?: string) => (await costOf(filter, field)) >= SCAN_COST

describe('a filter', () => {
  it.each([
    '{ sliceCount: 3 }',
    '{ financedFaceValue_gte: "1" }',
    `{ issuer_not: ${ISSUER} }`,
    '{ state_not_in: [SETTLED] }',
    `{ OR: [{ issuer: ${ISSUER} }, { sliceCount: 3 }] }`,
    '{ AND: [{ sliceCount: 3 }, { financedFaceValue: "0" }] }',
    `{ sliceCount: 3, OR: [{ issuer: ${ISSUER} }, {}] }`,
  ])('%s has its rows by no index', async (filter) => {
    expect(await scans(filter)).toBe(true)
  })

  it.each([
    '{}',
    '{ sliceCount: null }',
    `{ documentHash_in: [${HASH}] }`,
    '{ claimType: 3 }',
    '{ financeable: true }',
    `{ sliceCount: 3, issuer: ${ISSUER} }`,
    `{ AND: [{ sliceCount: 3 }, { issuer: ${ISSUER} }] }`,
    `{ OR: [{ issuer: ${ISSUER} }, { documentHash: ${HASH}, sliceCount: 3 }] }`,
    '{ OR: [{ sliceCount: 3 }, {}] }',
    '{ OR: [] }',
  ])('%s has its rows by an index, or all rows', async (filter) => {
    expect(await scans(filter)).toBe(false)
  })

  it('costs the same as a variable, before the variable is coerced', async () => {
    const query = 'query ($filter: ClaimFilter) { claims(first: 1, filter: $filter) { __typename } }'
    for (const filter of [{ sliceCount: 3 }, { OR: { sliceCount: 3 } }]) {
      const { errors, extensions } = await ask(query, { filter })
      expect(errors).toBeUndefined()
      expect(extensions.cost.cost).toBeGreaterThanOrEqual(SCAN_COST)
    }
  })

  it('costs no more on a small table, and in the list of a parent', async () => {
    expect(await scans('{ active: true, minFace_gte: "1" }', 'vaults')).toBe(false)
    const { extensions } = await ask(
      `{ account(address: ${ISSUER}) { claims(first: 1, filter: { sliceCount: 3 }) { __typename } } }`,
    )
    expect(extensions.cost.cost).toBeLessThan(SCAN_COST)
  })

  it('fits an operation three times where no index has its rows', async () => {
    const lists = (count: number) =>
      Array.from(
        { length: count },
        (_, i) => `a${i}: claims(first: 1, filter: { sliceCount: ${i} }) { __typename }`,
      ).join(' ')
    expect((await ask(`{ ${lists(3)} }`)).errors).toBeUndefined()
    expect((await ask(`{ ${lists(4)} }`)).errors?.[0]?.extensions).toMatchObject({
      code: 'QUERY_TOO_COMPLEX',
    })
  })
})
