import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIndexedDatabase, type IndexedDatabase, projectedBlock } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { createFundedVault, executeFinancing, finalize, registerClaim } from '../support/scenario.ts'

describe('a history that contradicts itself', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  const databases: IndexedDatabase[] = []

  beforeAll(async () => {
    world = await startWorld()
  })

  afterAll(async () => {
    await Promise.all(databases.map((database) => database.remove()))
    await world?.stop()
  })

  it('stops the indexer with the event and what is wrong with it, and publishes nothing', async () => {
    const { usd: token, parties } = world
    const vault = await createFundedVault(world, { token, capital: 1_000_000_000n })
    const { claimId, receipt } = await registerClaim(world, {
      issuer: parties.issuer,
      beneficiary: parties.beneficiary.address,
      token,
      faceValue: 1_000_000n,
    })
    await executeFinancing(world, { user: parties.beneficiary, claimId, vault, faceAmount: 500_000n })
    await finalize(world)
    // Read from the block after the registration on, the financing is of a claim that nobody registered.
    const database = await createIndexedDatabase(world, { startBlock: Number(receipt.blockNumber) + 1 })
    databases.push(database)

    const { code, errors } = await (await database.start()).exited

    expect(code).toBe(1)
    expect(errors[0]).toBe(`Invariant(ClaimRegistry:SliceReserved): claim ${claimId} is unknown`)
    expect(await projectedBlock(database.pool)).toBeUndefined()
  })
})
