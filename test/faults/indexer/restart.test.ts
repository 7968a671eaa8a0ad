/**
 * A complete index whose indexer is started again far behind the chain: reads are answered, at the block that they
 * state.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTables } from '../../indexer/truth/tables.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../../support/indexer.ts'
import { startWorld } from '../../support/protocol.ts'
import * as act from '../../support/scenario.ts'
import { startReader } from './reader.ts'
import { undisturbed } from './reference.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
beforeAll(async () => {
  world = await startWorld()
  database = await createIndexedDatabase(world)
})
afterAll(async () => {
  await database?.remove()
  await world?.stop()
})

it('answers every read while it catches up, with blocks that never decrease', async () => {
  const { provider } = world.parties
  const vault = await act.createFundedVault(world, { token: world.usd, capital: 1000n })
  const first = await database.start()
  await first.ready()
  const before = await finalizeAndProject(world, database.pool)
  await first.stop()
  for (const assets of [1n, 2n, 3n]) {
    await act.deposit(world, { provider, vault, assets })
    await world.chain.mine({ blocks: 60 })
  }

  const reader = startReader(database.url)
  await (await database.start()).ready()
  await finalizeAndProject(world, database.pool)
  const blocks = await reader.stop()
  expect(blocks[0]).toBe(before)
  expect(blocks.at(-1)).toBeGreaterThan(before + 100n)
  expect(blocks).toEqual(blocks.toSorted((a, b) => Number(a - b)))
  expect(await readTables(database.pool)).toEqual((await undisturbed(world)).tables)
})
