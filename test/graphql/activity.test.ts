/**
 * Subjects of the entries of activity: an execution's claim and vault are those of its legs where all legs share them.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { readCsv } from '../rest/csv.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { app, ask, takeStatements, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

type Leg = { claim: { claimId: string }; vault: { address: string } }
type Entry = {
  kind: string
  wallet: { address: string }
  claim: { claimId: string } | null
  vault: { address: string } | null
  execution: { executionId: string; legs: Leg[] } | null
}

const { data } = await ask(`{ activity(first: 200, filter: { kind: EXECUTION }) { nodes {
  kind wallet { address } claim { claimId } vault { address }
  execution { executionId legs { claim { claimId } vault { address } } } } } }`)
const entries: Entry[] = data.activity.nodes

/** The one value that there is; null where there are several. */
function only(values: readonly string[]): string | null {
  const [first = null, ...others] = new Set(values)
  return others.length === 0 ? first : null
}

const expected = entries.map(({ execution }) => ({
  executionId: execution?.executionId,
  claimId: only((execution?.legs ?? []).map(({ claim }) => claim.claimId)),
  vault: only((execution?.legs ?? []).map(({ vault }) => vault.address)),
}))

describe('activity of kind EXECUTION', () => {
  it('is of executions with one claim and one vault, and of executions with several', () => {
    expect(expected.some(({ claimId, vault }) => claimId !== null && vault !== null)).toBe(true)
    expect(expected.some(({ claimId, vault }) => claimId === null && vault === null)).toBe(true)
  })

  it('names the claim and the vault that all legs share, and null where there are several, over GraphQL', () => {
    expect(
      entries.map(({ execution, claim, vault }) => ({
        executionId: execution?.executionId,
        claimId: claim?.claimId ?? null,
        vault: vault?.address ?? null,
      })),
    ).toEqual(expected)
  })

  it('names the same over REST', async () => {
    const found = []
    for (const wallet of new Set(entries.map((entry) => entry.wallet.address))) {
      const response = await app.request(`/api/v1/activity/${wallet}?limit=200`)
      const { items } = await response.json()
      found.push(...items.filter(({ kind }: { kind: string }) => kind === 'EXECUTION'))
    }
    const byId = new Map(
      found.map(({ executionId, claimId, vault }) => [executionId, { executionId, claimId, vault }]),
    )
    expect(expected.map(({ executionId }) => byId.get(executionId))).toEqual(expected)
  })

  it('names the same in an export', async () => {
    const filter = encodeURIComponent(JSON.stringify({ kind: 'EXECUTION' }))
    const query = `columns=executionId,claimId,vault&filter=${filter}`
    const response = await app.request(`/api/v1/exports/activity.csv?${query}`)
    const [, ...rows] = readCsv(await response.text())
    expect(rows).toEqual(
      expected.map(({ executionId, claimId, vault }) => [executionId, claimId ?? '', vault ?? '']),
    )
  })

  it('reads the legs of a whole page in one statement', async () => {
    takeStatements()
    await ask('{ activity(first: 50) { nodes { claim { claimId } vault { address } } } }')
    expect(takeStatements().filter((text) => text.includes('execution_leg'))).toHaveLength(1)
  })
})
