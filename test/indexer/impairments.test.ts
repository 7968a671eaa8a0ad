/** The sums of what was written down count each impairment, of one slice and of several. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createIndexedDatabase,
  finalizeAndProject,
  type IndexedDatabase,
  untilProjected,
} from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let indexed: IndexedDatabase

beforeAll(async () => {
  world = await startWorld()
  indexed = await createIndexedDatabase(world)
  const { issuer, beneficiary, curator } = world.parties
  const vault = await act.createFundedVault(world, { token: world.usd, capital: 1_000_000n })
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 300_000n }
  const { claimId, attestation } = await act.registerClaim(world, terms)
  for (const faceAmount of [100_000n, 200_000n])
    await act.executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount })
  await act.travelTo(world, attestation.dueDate + 30n * act.DAY + 1n)
  const impair = (sliceIndex: number, carryingValue: bigint) =>
    act.impair(world, { caller: curator, vault, claimId, sliceIndex, carryingValue })
  // Advances of 99,000 and 198,000.
  await impair(0, 98_000n)
  await impair(1, 178_000n)
  await impair(0, 97_700n)
  const indexer = await indexed.start()
  await indexer.ready()
  await untilProjected(indexed.pool, await finalizeAndProject(world, indexed.pool))
})
afterAll(async () => {
  await indexed?.remove()
  await world?.stop()
})

it.each([
  [
    'of each slice',
    'select impairment as sum from projection.allocation order by slice_index',
    [1_300n, 20_000n],
  ],
  ['of a vault', 'select outstanding_impairment as sum from projection.vault', [21_300n]],
  ['of a day of the vault', 'select sum(impaired) as sum from projection.vault_day', [21_300n]],
  ['of a day of the issuer', 'select sum(impaired) as sum from projection.issuer_day', [21_300n]],
  ['of a day of the token', 'select sum(impaired) as sum from projection.token_day', [21_300n]],
  [
    'of the face of a vault, which counts once',
    'select impaired_face as sum from projection.vault',
    [300_000n],
  ],
])('%s is the sum of its impairments', async (_, query, sums) => {
  const { rows } = await indexed.pool.query(query)
  expect(rows.map(({ sum }) => BigInt(sum))).toEqual(sums)
})
