/** Work that is done before a read counts as cost: validation, and estimates of the database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATION_POINTS, pointsOfRequest } from '../../api/graphql/operation/measure/measure.ts'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'

/** Rows of a page of an export. */
const PAGE = 200
const ISSUER = `"0x${'11'.repeat(20)}"`

let gateway: ReadGateway
beforeAll(async () => {
  gateway = await startReadGateway({ RATE_LIMIT_COST: '100000' })
})
afterAll(() => gateway.stop())

const leftOf = ({ headers }: Response) => Number(/"cost";r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])

/** Points of a query besides its cost. */
const pointsOf = (query: string) => OPERATION_POINTS + pointsOfRequest(JSON.stringify({ query }))

async function send(query: string, address?: string): Promise<Response> {
  const request = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  }
  const client = address && { incoming: { socket: { remoteAddress: address } } }
  return gateway.app.request(GRAPHQL_PATH, request, client || {})
}

let questions = 0
/** A query that reads nothing. Each has a name of its own, since a kept answer costs nothing and states no cost. */
async function askNothing() {
  const query = `query Q${questions++} { __typename }`
  const response = await send(query)
  const { extensions } = await response.json()
  return { left: leftOf(response), cost: pointsOf(query) + extensions.cost.cost }
}

/** A page that fails for its cursor before it is read, so all of its cost stays spent. */
async function fail(rows: number, fields: string, address: string) {
  const query = `{ claims(first: ${rows}, after: "none") { nodes { ${fields} } } }`
  const response = await send(query, address)
  const { extensions } = await response.json()
  return { left: leftOf(response), cost: pointsOf(query) + extensions.cost.cost }
}

const fieldsOf = (count: number) => Array.from({ length: count }, (_, i) => `f${i}: claimId`).join(' ')
const MANY = fieldsOf(30)
/** The cost of two pages of one row is less than that of the longest, so pages can have any sum. */
const FEW = fieldsOf(5)
/** Points by which a budget can be more than a test asks for. */
const SLACK = 10

/** Spends the budget of an address until it has these points, or `SLACK` more. */
async function spendUntil(points: number, address: string): Promise<void> {
  const [one, two] = [await fail(1, FEW, address), await fail(2, FEW, address)]
  const eachRow = two.cost - one.cost
  expect(eachRow).toBeLessThanOrEqual(SLACK)
  const longest = one.cost + (PAGE - 1) * eachRow
  let { left, cost: most } = await fail(PAGE, MANY, address)
  while (left - points >= most + longest) left = (await fail(PAGE, MANY, address)).left
  while (left - points > SLACK) {
    // A page of one row can follow each but the last. A longer number of rows can cost a point more.
    const rest = left - points
    const spent = rest <= longest ? rest : Math.min(longest, rest - one.cost - SLACK)
    left = (await fail(1 + Math.floor((spent - one.cost - 1) / eachRow), FEW, address)).left
  }
  expect(left).toBeGreaterThanOrEqual(points)
}

let addresses = 0
const newAddress = () => `192.0.2.${addresses++}`

/** Whether a budget that has these points more than the cost that is stated, or a little more, is enough. */
async function isEnough(query: string, more: number): Promise<boolean> {
  // A kept answer costs nothing, and states no cost.
  const asNew = () => `${query} # ${`${questions++}`.padStart(6, '0')}`
  const { extensions } = await (await send(asNew(), newAddress())).json()
  const address = newAddress()
  await spendUntil(pointsOf(asNew()) + extensions.cost.cost + more, address)
  const response = await send(asNew(), address)
  expect([200, 429]).toContain(response.status)
  return response.status === 200
}

const ESTIMATE = 150

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

describe('a query that is refused', () => {
  it.each([
    ['as no GraphQL', '{', 'GRAPHQL_PARSE_FAILED'],
    ['by validation', '{ claims(first: 1) { nodes { noSuchField } } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'as too complex',
      `{ vaults(first: 200) { nodes { positions(first: 200) { nodes { id } } } } }`,
      'QUERY_TOO_COMPLEX',
    ],
  ])('%s costs the points of any other', async (_, query, code) => {
    const before = await askNothing()
    const { errors } = await (await send(query)).json()
    expect(errors[0].extensions.code).toBe(code)
    const after = await askNothing()
    expect(before.left - after.left - after.cost).toBe(pointsOf(query))
  })
})

describe('a filter', () => {
  it.each([
    '{ claims(first: 1, filter: { sliceCount: 3 }) { nodes { claimId } } }',
    `{ claims(first: 1, filter: { issuer_not: ${ISSUER}, state: ELIGIBLE }) { nodes { claimId } } }`,
    `{ account(address: ${ISSUER}) { claims(first: 1, filter: { sliceCount: 3 }) { nodes { claimId } } } }`,
  ])('costs an estimate of the database: %s', async (query) => {
    expect(await isEnough(query, ESTIMATE - 2 * SLACK)).toBe(false)
    expect(await isEnough(query, ESTIMATE)).toBe(true)
  })

  it.each([
    '{ claims(first: 1) { nodes { claimId state } } }',
    `{ claims(first: 1, filter: { issuer: ${ISSUER} }) { nodes { claimId faceValue } } }`,
    `{ account(address: ${ISSUER}) { claims(first: 1) { nodes { claimId dueDate } } } }`,
  ])('costs nothing more where one plan is good for all values: %s', async (query) => {
    expect(await isEnough(query, 0)).toBe(true)
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
  ])('%s costs an estimate of the database', async (_, query) => {
    expect(await isEnough(query, ESTIMATE - 2 * SLACK)).toBe(false)
  })

  it('of the totals of one parent costs nothing more', async () => {
    expect(await isEnough(`{ claimAggregates(filter: { issuer: ${ISSUER} }) { ${sums} } }`, 0)).toBe(true)
  })
})

describe('a count', () => {
  it('of all claims costs 500 more, and one that a filter leaves two estimates besides', async () => {
    const all = '{ claims(first: 1) { totalCount } }'
    expect(await isEnough(all, 500 - 2 * SLACK)).toBe(false)
    expect(await isEnough(all, 500)).toBe(true)
    const filtered = '{ claims(first: 1, filter: { sliceCount: 3 }) { totalCount } }'
    expect(await isEnough(filtered, 500 + 2 * ESTIMATE - 2 * SLACK)).toBe(false)
    expect(await isEnough(filtered, 500 + 2 * ESTIMATE)).toBe(true)
  })

  it('of the rows of each parent in a list costs nothing more', async () => {
    expect(await isEnough('{ issuers(first: 1) { nodes { claims(first: 1) { totalCount } } } }', 0)).toBe(
      true,
    )
  })
})

describe('an object that may not be projected', () => {
  const id = `0x${'ab'.repeat(32)}`

  it.each([
    ['a transaction', `{ transaction(hash: "${id}") { status } }`],
    ['an execution', `{ execution(executionId: "${id}") { status } }`],
  ])('costs 300 more: %s', async (_, query) => {
    expect(await isEnough(query, 300 - 2 * SLACK)).toBe(false)
    expect(await isEnough(query, 300)).toBe(true)
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
