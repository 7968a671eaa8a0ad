/**
 * A first index of a long chain from several nodes of which one omits logs: no header is read for each block, so the
 * nodes must agree.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { RANGE_BYTES_MAX } from '../../indexer/nodes.ts'
import { undisturbed } from '../faults/indexer/reference.ts'
import { createIndexedDatabase, until } from '../support/indexer.ts'
import { type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'
import { registerClaim } from '../support/scenario.ts'
import { wrongAnswers } from './lies.ts'
import { askPadded, startLyingNode } from './lying-node.ts'
import { readTables } from './truth/tables.ts'

/** More blocks than those whose logs are proven. */
const BLOCKS_AFTER = 600
/** The logs of as many blocks are more than an answer of the node of a test may have. */
const MANY_BLOCKS = 20

let world: Awaited<ReturnType<typeof startWorld>>
let reference: Awaited<ReturnType<typeof undisturbed>>
const cleanups: (() => Promise<void>)[] = []
beforeAll(async () => {
  world = await startWorld()
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000_000n }
  await registerClaim(world, terms)
  await world.chain.mine({ blocks: BLOCKS_AFTER })
  // Its logs are read with those of its block alone.
  await registerClaim(world, terms)
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

  it('from a node whose logs are more than one answer may have, of many blocks or of one, has all rows', async () => {
    const ranges: number[] = []
    const node = await startNodeProxy(async (request) => {
      if (request.method !== 'eth_getLogs') return undefined
      const blocks = blocksOf(request)
      ranges.push(blocks)
      return blocks > 1 && blocks < MANY_BLOCKS
        ? undefined
        : askPadded(world.rpcUrl, request, RANGE_BYTES_MAX)
    }, world.rpcUrl)
    const database = await createIndexedDatabase(world)
    cleanups.push(database.remove, node.stop)
    const indexer = await database.start({ rpcUrls: [node.url] })
    await indexer.ready()
    expect(await readTables(database.pool)).toEqual(reference.tables)
    expect(ranges).toContain(1)
    expect(Math.max(...ranges)).toBeGreaterThan(MANY_BLOCKS)
  })
})

function blocksOf({ params: [filter] }: RpcRequest): number {
  const { fromBlock, toBlock } = Object(filter)
  return fromBlock === undefined ? 1 : Number(toBlock) - Number(fromBlock) + 1
}
