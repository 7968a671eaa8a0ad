/** The estimate of the database for a filter counts as cost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'

/** Rows of a page of an export. */
const PAGE = 200
const ISSUER = `"0x${'11'.repeat(20)}"`

let gateway: ReadGateway
beforeAll(async () => {
  gateway = await startReadGateway()
})
afterAll(() => gateway.stop())

const leftOf = ({ headers }: Response) => Number(/"cost";r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])

async function ask(query: string) {
  const response = await gateway.app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { errors, extensions } = await response.json()
  expect(errors).toBeUndefined()
  return { left: leftOf(response), cost: extensions.cost.cost }
}

let questions = 0
/** A query that reads nothing. Each has a name of its own, since a kept answer costs nothing and states no cost. */
const askNothing = () => ask(`query Q${questions++} { __typename }`)

/** The points that a query costs beside those that its answer states. */
async function estimateOf(query: string): Promise<number> {
  const before = await askNothing()
  const after = await ask(query)
  return before.left - after.left - after.cost
}

/** The points that an export costs, from its first page to its last, and its rows. */
async function download(list: string, filter: object) {
  const before = await askNothing()
  const response = await gateway.get(
    `/exports/${list}.csv?filter=${encodeURIComponent(JSON.stringify(filter))}`,
  )
  expect(response.status).toBe(200)
  const rows = (await response.text()).trim().split('\n').length - 1
  const after = await askNothing()
  return { points: before.left - after.left - after.cost, rows }
}

describe('a filter', () => {
  it.each([
    '{ claims(first: 1, filter: { sliceCount: 3 }) { nodes { claimId } } }',
    `{ claims(first: 1, filter: { issuer_not: ${ISSUER}, state: ELIGIBLE }) { nodes { claimId } } }`,
    `{ account(address: ${ISSUER}) { claims(first: 1, filter: { sliceCount: 3 }) { nodes { claimId } } } }`,
  ])('costs what the database estimates: %s', async (query) => {
    expect(await estimateOf(query)).toBeGreaterThan(0)
  })

  it.each([
    '{ claims(first: 1) { nodes { claimId state } } }',
    `{ claims(first: 1, filter: { issuer: ${ISSUER} }) { nodes { claimId faceValue } } }`,
    `{ account(address: ${ISSUER}) { claims(first: 1) { nodes { claimId dueDate } } } }`,
  ])('costs nothing more where one plan is good for all values: %s', async (query) => {
    expect(await estimateOf(query)).toBe(0)
  })
})

describe('an aggregate', () => {
  const sums = 'nodes { count faceValue { sum } }'
  const extremes = 'nodes { faceValue { max } }'

  it.each([
    ['of all totals', `{ claimAggregates(groupBy: state) { ${sums} } }`],
    ['of totals that a filter leaves', `{ claimAggregates(filter: { claimType: 1 }) { ${sums} } }`],
    ['of all rows', `{ claimAggregates(groupBy: state) { ${extremes} } }`],
    ['of rows that a filter leaves', `{ claimAggregates(filter: { sliceCount: 3 }) { ${sums} } }`],
  ])('%s costs what the database estimates', async (_, query) => {
    expect(await estimateOf(query)).toBeGreaterThan(0)
  })

  it('of the totals of one parent costs nothing more', async () => {
    expect(await estimateOf(`{ claimAggregates(filter: { issuer: ${ISSUER} }) { ${sums} } }`)).toBe(0)
  })
})

describe('a count', () => {
  it('of all claims costs 500 more, and one that a filter leaves what the database estimates', async () => {
    expect(await estimateOf('{ claims(first: 1) { totalCount } }')).toBe(500)
    const filtered = '{ claims(first: 1, filter: { sliceCount: 3 }) { totalCount } }'
    expect(await estimateOf(filtered)).toBeGreaterThan(500 + 2 * 150)
  })

  it('of the rows of each parent in a list costs nothing more', async () => {
    expect(await estimateOf('{ issuers(first: 1) { nodes { claims(first: 1) { totalCount } } } }')).toBe(0)
  })
})

describe('an export', () => {
  it('costs its first page, whatever the database estimates for its filter', async () => {
    const all = await download('claims', {})
    const filtered = await download('claims', { sliceCount_gte: 0 })
    expect(all.points).toBeGreaterThan(PAGE)
    // The value of the filter.
    expect(filtered.points - all.points).toBe(2)
  })

  it('costs no more for its other pages', async () => {
    const [short, long] = [
      await download('activity', { at_lte: '2020-01-01T00:00:00Z' }),
      await download('activity', { at_gte: '2020-01-01T00:00:00Z' }),
    ]
    expect(short.rows).toBe(0)
    expect(long.rows).toBeGreaterThan(PAGE)
    expect(long.points).toBe(short.points)
  })
})
