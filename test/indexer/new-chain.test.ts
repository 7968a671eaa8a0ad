import { afterAll, describe, expect, it } from 'vitest'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { registerClaim } from '../support/scenario.ts'

describe('a development chain that began anew', () => {
  const cleanups: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  })

  async function newWorld() {
    const world = await startWorld()
    cleanups.push(world.stop)
    return world
  }

  async function claimsAfter(world: Awaited<ReturnType<typeof startWorld>>, database: IndexedDatabase) {
    await finalizeAndProject(world, database.pool)
    const { rows } = await database.pool.query('SELECT id, face_value FROM projection.claim')
    return rows
  }

  it('is indexed from its own blocks, though its id and its addresses are those of the one before', async () => {
    const before = await newWorld()
    const { claimId: old } = await register(before, 1_000n)
    const database = await createIndexedDatabase(before)
    cleanups.push(database.remove)
    const indexer = await database.start()
    await indexer.ready()
    expect(await claimsAfter(before, database)).toEqual([{ id: old, face_value: '1000' }])
    await indexer.stop()

    const after = await newWorld()
    expect(after.protocol).toEqual(before.protocol)
    const { claimId } = await register(after, 2_000n)
    const successor = await database.start({ rpcUrls: [after.rpcUrl] })
    expect(successor.schema).not.toBe(indexer.schema)
    await successor.ready()
    expect(await claimsAfter(after, database)).toEqual([{ id: claimId, face_value: '2000' }])
  })
})

async function register(world: Awaited<ReturnType<typeof startWorld>>, faceValue: bigint) {
  const { issuer, beneficiary } = world.parties
  const registered = await registerClaim(world, {
    issuer,
    beneficiary: beneficiary.address,
    token: world.usd,
    faceValue,
  })
  await world.chain.mine({ blocks: 2 })
  return registered
}
