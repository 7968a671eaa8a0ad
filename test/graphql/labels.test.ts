/** Labels of claim types and issuers in answers: as the operator's file has them. */
import { parse } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { plan } from '../../api/graphql/operation/plan/plan.ts'
import { toShape } from '../../api/graphql/operation/shape.ts'
import { schema } from '../../api/graphql/schema.ts'
import { loadLabels } from '../../deployments/labels.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const labels = loadLabels(31_337)
const { app, ask, takeStatements, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const node = z.object({
  claimId: z.string(),
  claimType: z.int(),
  claimTypeLabel: z.string().nullable(),
  issuer: z.object({ address: z.string(), label: z.string().nullable() }),
})
const CLAIMS =
  '{ claims(first: 200) { nodes { claimId claimType claimTypeLabel issuer { address label } } } }'

async function claimsOf(query: string) {
  const { data } = await ask(query)
  return z.array(node).parse(data.claims.nodes)
}

describe('labels', () => {
  it('are those of the file, in one statement', async () => {
    takeStatements()
    const claims = await claimsOf(CLAIMS)
    expect(takeStatements().filter((text) => /claim_type|issuer/.test(text))).toHaveLength(1)
    for (const { claimType, claimTypeLabel, issuer } of claims) {
      expect(claimTypeLabel).toBe(labels.claimTypes[claimType] ?? null)
      expect(issuer.label).toBe(labels.issuers[issuer.address] ?? null)
    }
    // The demo market has an issuer without a label.
    const ofIssuers = claims.map(({ issuer }) => issuer.label)
    expect(new Set(ofIssuers.map((label) => label === null))).toEqual(new Set([true, false]))
    expect(claims.every(({ claimTypeLabel }) => claimTypeLabel !== null)).toBe(true)
  })

  it('are beside the claim types of terms and groups, and null for a group over all types', async () => {
    const { data, errors } = await ask(`{
      vaultTerms(claimType: 1, first: 1) { nodes { claimTypeLabel } }
      byType: claimAggregates(groupBy: claimType) { nodes { claimType claimTypeLabel } }
      all: claimAggregates(groupBy: state) { nodes { claimTypeLabel } }
      settlementAggregates(groupBy: claimType) { nodes { claimType claimTypeLabel } }
      allocationAggregates(groupBy: claimType) { nodes { claimType claimTypeLabel } }
    }`)
    expect(errors).toBeUndefined()
    expect(data.vaultTerms.nodes).toEqual([{ claimTypeLabel: labels.claimTypes[1] }])
    const groups = [data.byType, data.settlementAggregates, data.allocationAggregates].flatMap(
      ({ nodes }) => nodes,
    )
    expect(groups.length).toBeGreaterThan(3)
    for (const { claimType, claimTypeLabel } of groups)
      expect(claimTypeLabel).toBe(labels.claimTypes[claimType])
    for (const { claimTypeLabel } of data.all.nodes) expect(claimTypeLabel).toBeNull()
  })

  it('are the same over REST', async () => {
    for (const { claimId, claimTypeLabel, issuer } of (await claimsOf(CLAIMS)).slice(0, 10)) {
      const response = await app.request(`/api/v1/claims/${claimId}`)
      expect(await response.json()).toMatchObject({ claimTypeLabel, issuerLabel: issuer.label })
    }
  })
})

it('labels are written once for all statements, which are kept', () => {
  let writes = 0
  const read = () => {
    writes += 1
    return 'One'
  }
  const issuers = Object.defineProperty({}, `0x${'1'.repeat(40)}`, { enumerable: true, get: read })
  const gateway = {
    labels: { claimTypes: {}, issuers },
    router: sharedWorld().manifest.contracts.financingRouter,
  }
  for (const first of [1, 2, 3]) {
    const document = parse(`{ issuers(first: ${first}) { nodes { label again: label } } }`)
    const shape = toShape({ schema, document })
    expect(shape && plan(shape, gateway).statement.values).toContain(`{"0x${'1'.repeat(40)}":"One"}`)
  }
  expect(writes).toBe(1)
})
