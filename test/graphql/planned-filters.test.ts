/** The estimate of the database for a filter counts as cost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'

const ISSUER = `"0x${'11'.repeat(20)}"`

let gateway: ReadGateway
beforeAll(async () => {
  gateway = await startReadGateway()
})
afterAll(() => gateway.stop())

const remaining = async (query: string) => {
  const response = await gateway.app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { errors, extensions } = await response.json()
  expect(errors).toBeUndefined()
  const left = Number(/"cost";r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1])
  return { left, cost: extensions.cost.cost }
}

/** The points that a query costs beside those that its answer states. */
async function estimateOf(query: string): Promise<number> {
  const before = await remaining('{ __typename }')
  const after = await remaining(query)
  return before.left - after.left - after.cost
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
