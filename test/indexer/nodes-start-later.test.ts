import { getBlock } from 'viem/actions'
import { afterAll, describe, expect, it } from 'vitest'
import { createIndexedDatabase, until } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { startProxy } from '../support/proxy.ts'

describe('an indexer whose nodes start later', () => {
  const cleanups: (() => unknown)[] = []
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  })

  async function unreachable() {
    const world = await startWorld()
    cleanups.push(world.stop)
    const node = await startProxy(new URL(world.rpcUrl))
    cleanups.push(node.stop)
    node.cut()
    const database = await createIndexedDatabase(world)
    cleanups.push(database.remove)
    return { world, node, database, rpcUrls: [node.url] }
  }

  it('starts without a node, and indexes once one answers', async () => {
    const { world, node, database, rpcUrls } = await unreachable()
    const { hash: genesis } = await getBlock(world.chain, { blockNumber: 0n })
    const lines: string[] = []
    const indexer = await database.start({
      rpcUrls,
      genesis,
      nodesStartLater: true,
      onLog: (line) => lines.push(line),
    })
    await until(async () => lines.some((line) => line.includes('Connected to database')))
    expect(lines.join('\n')).not.toContain('Connected to JSON-RPC')
    node.mend()
    expect(await indexer.ready()).toBe('PUBLISHED')
    await indexer.stop()
  })

  it('ends in order while it waits for a node', async () => {
    const { world, database, rpcUrls } = await unreachable()
    const { hash: genesis } = await getBlock(world.chain, { blockNumber: 0n })
    const lines: string[] = []
    const indexer = await database.start({
      rpcUrls,
      genesis,
      nodesStartLater: true,
      onLog: (line) => lines.push(line),
    })
    await until(async () => lines.some((line) => line.includes('Connected to database')))
    expect(await indexer.stop()).toMatchObject({ signal: null })
  })

  it('is refused without the hash of the genesis block', async () => {
    const { database, rpcUrls } = await unreachable()
    await expect(database.start({ rpcUrls, nodesStartLater: true })).rejects.toThrow(
      'needs the hash of the genesis block',
    )
  })
})
