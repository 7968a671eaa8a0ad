/**
 * A first index of a long chain from several nodes of which one omits logs: no header is read for each block, so the
 * nodes must agree.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { undisturbed } from '../faults/indexer/reference.ts'
import { createIndexedDatabase, until } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { registerClaim } from '../support/scenario.ts'
import { wrongAnswers } from './lies.ts'
import { startLyingNode } from './lying-node.ts'
import { readTables } from './truth/tables.ts'

/** More blocks than those whose logs are proven. */
const BLOCKS_AFTER = 600

let world: Awaited<ReturnType<typeof startWorld>>
let reference: Awaited<ReturnType<typeof undisturbed>>
const cleanups: (() => Promise<void>)[] = []
beforeAll(async () => {
  world = await startWorld()
  const { issuer, beneficiary } = world.parties
  await registerClaim(world, {
    issuer,
    beneficiary: beneficiary.address,
    token: world.usd,
    faceValue: 1_000_000n,
  })
  await world.chain.mine({ blocks: BLOCKS_AFTER })
  reference = await undisturbed(world)
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})
afterAll(() => world?.stop())

async function indexerWith(spares: readonly string[], log: string[]) {
  const node = await startLyingNode(world.rpcUrl)
  node.lieWith(wrongAnswers['gives no logs'].lieFor())
  const database = await createIndexedDatabase(world)
  cleanups.push(database.remove, node.stop)
  const onLog = (line: string) => void log.push(line)
  const indexer = await database.start({ rpcUrls: [node.url, ...spares], onLog })
  return { node, database, indexer }
}

describe('a first index', () => {
  it('from two nodes of which one gives no logs waits until they agree, and names the fault', async () => {
    const log: string[] = []
    const { node, database, indexer } = await indexerWith([world.rpcUrl], log)
    await until(async () => log.some((line) => /nodes give different logs of one range of blocks/.test(line)))
    node.lieWith(undefined)
    await indexer.ready()
    expect(await readTables(database.pool)).toEqual(reference.tables)
  })

  it('from three nodes of which one gives no logs has all rows', async () => {
    const { database, indexer } = await indexerWith([world.rpcUrl, world.rpcUrl], [])
    await indexer.ready()
    expect(await readTables(database.pool)).toEqual(reference.tables)
  })
})
