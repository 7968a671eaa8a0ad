/**
 * A typed client against the committed schema: what a query selects is what its answer has, or this file does not
 * compile.
 */
import { GraphQLClient } from 'graphql-request'
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { type Amount, graphql, type ResultOf } from '../../packages/client/src/index.ts'
import { serveHttp } from '../support/serve.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const CLAIMS_DUE = graphql(`
  query ClaimsDue($first: Int!) {
    claims(first: $first, filter: { state_in: [ELIGIBLE, PARTIALLY_FUNDED] }, orderBy: dueDate, orderDirection: asc) {
      nodes {
        claimId
        state
        remainingFace
        daysToDue
        beneficiary { balances { symbol balance } }
        settlements { nodes { faceAmount } }
      }
    }
  }
`)

type Claim = ResultOf<typeof CLAIMS_DUE>['claims']['nodes'][number]

expectTypeOf<Claim>().toEqualTypeOf<{
  claimId: `0x${string}`
  state: 'ELIGIBLE' | 'PARTIALLY_FUNDED' | 'FULLY_FUNDED' | 'SETTLED' | 'REVOKED' | 'CLOSED'
  remainingFace: Amount
  daysToDue: number | null
  beneficiary: { balances: { symbol: string; balance: Amount }[] | null }
  settlements: { nodes: { faceAmount: Amount }[] }
}>()

const gateway = createClient(sharedWorld().databaseUrl)
let url: string
let server: Awaited<ReturnType<typeof serveHttp>>

beforeAll(async () => {
  server = await serveHttp(gateway.app.fetch)
  url = server.url + GRAPHQL_PATH
})
afterAll(async () => {
  await server.close()
  await gateway.stop()
})

it('answers what the types of the query promise', async () => {
  const { claims } = await new GraphQLClient(url).request(CLAIMS_DUE, { first: 5 })
  expect(claims.nodes).toHaveLength(5)
  for (const claim of claims.nodes) {
    expect(BigInt(claim.remainingFace)).toBeGreaterThanOrEqual(0n)
    expect(claim.beneficiary.balances?.length).toBeGreaterThan(0)
    for (const { faceAmount } of claim.settlements.nodes) expect(BigInt(faceAmount)).toBeGreaterThan(0n)
  }
})
