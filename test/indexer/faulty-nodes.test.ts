/** For any answer of a node, the projection equals that of a correct node, or indexing waits for a correct answer and logs the fault. */
import { numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase, until } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { registerClaim } from '../support/scenario.ts'
import { fromChain, type Lie, startLyingNode } from './lying-node.ts'
import { allRows } from './same-rows.ts'
import { nodeAt } from './verify/anvil-block.ts'

const NO_BLOOM = `0x${'00'.repeat(256)}`
const block = z.looseObject({ logsBloom: z.string() })
const logs = z.array(z.looseObject({ data: z.string() }))

let world: Awaited<ReturnType<typeof startWorld>>
/** Has the chain id and the genesis block of the world, and more blocks. */
let twin: Awaited<ReturnType<typeof startWorld>>
let other: Awaited<ReturnType<typeof startWorld>>
let reference: IndexedDatabase
beforeAll(async () => {
  const timestamp = Math.floor(Date.now() / 1000)
  world = await startWorld({ timestamp })
  twin = await startWorld({ timestamp })
  other = await startWorld({ timestamp: timestamp - 1_000_000 })
  await register(twin)
  for (const chain of [twin.chain, other.chain]) await chain.mine({ blocks: 200 })
  reference = await createIndexedDatabase(world)
  await (await reference.start()).ready()
})
afterAll(async () => {
  await reference.remove()
  for (const each of [world, twin, other]) await each.stop()
})

function register(where: typeof world) {
  const { issuer, beneficiary } = where.parties
  return registerClaim(where, {
    issuer,
    beneficiary: beneficiary.address,
    token: where.usd,
    faceValue: 1_000_000n,
  })
}

/** Of the logs of one block, and of the same logs in receipts, gives what `change` makes of them. */
const logsAs =
  (change: (found: z.output<typeof logs>) => unknown): Lie =>
  async ({ method }, truth) =>
    method === 'eth_getLogs' ? { result: change(logs.parse(await truth())) } : undefined

const LIES: readonly [string, Lie, RegExp][] = [
  ['gives no logs', logsAs(() => []), /bloom filter denies/],
  [
    'gives no logs, and blocks whose bloom filter is empty',
    async (request, truth) => {
      if (request.method === 'eth_getLogs') return { result: [] }
      if (!request.method.startsWith('eth_getBlockBy')) return undefined
      const found = block.nullable().parse(await truth())
      return { result: found && { ...found, logsBloom: NO_BLOOM } }
    },
    /hash that its header does not have/,
  ],
  ['leaves out one log', logsAs((found) => found.slice(1)), /bloom filter denies|than its receipts hold/],
  [
    'alters one log',
    logsAs((found) => found.map((log) => ({ ...log, data: log.data.replace(/^0x../, '0xff') }))),
    /than its receipts hold/,
  ],
  [
    'serves another chain of the same id',
    (...asked) => fromChain(other.rpcUrl)(...asked),
    /serves the genesis block/,
  ],
  [
    'serves another chain of the same id and genesis block',
    (...asked) => fromChain(twin.rpcUrl)(...asked),
    /serves another chain: it does not contain block/,
  ],
  [
    'states another chain id',
    ({ method }) => (method === 'eth_chainId' ? { result: '0xa' } : undefined),
    /serves chain 10, not 31337/,
  ],
]

describe.each([
  ['the first of two nodes', true],
  ['the only node', false],
])('%s', (_, hasSpare) => {
  let node: Awaited<ReturnType<typeof startLyingNode>>
  let database: IndexedDatabase
  const log: string[] = []
  beforeAll(async () => {
    node = await startLyingNode(world.rpcUrl)
    database = await createIndexedDatabase(world)
    const indexer = await database.start({
      rpcUrls: [node.url, ...(hasSpare ? [world.rpcUrl] : [])],
      onLog: (line) => void log.push(line),
    })
    await indexer.ready()
  })
  afterEach(() => node.lieWith(undefined))
  afterAll(async () => {
    await database.remove()
    await node.stop()
  })

  const untilLogged = async (fault: RegExp) => {
    const from = log.length
    return () => until(async () => log.slice(from).some((line) => fault.test(line)))
  }

  async function expectReferenceRows(): Promise<void> {
    await finalizeAndProject(world, reference.pool)
    await finalizeAndProject(world, database.pool)
    const expected = await allRows(reference.pool)
    expect(expected.claim?.length).toBeGreaterThan(0)
    expect(await allRows(database.pool)).toEqual(expected)
  }

  it.each(LIES)('that %s', async (_name, lie, fault) => {
    const named = await untilLogged(fault)
    node.lieWith(lie)
    await register(world)
    await world.chain.mine({ blocks: 2 })
    await named()
    if (hasSpare) await expectReferenceRows()
    node.lieWith(undefined)
    await register(world)
    await expectReferenceRows()
  })

  it('that gives a lower finalized block', async () => {
    await register(world)
    await expectReferenceRows()
    node.lieWith(({ params }, truth) =>
      params[0] === 'finalized' ? truth().then((found) => lowered(found)) : undefined,
    )
    await register(world)
    await world.chain.mine({ blocks: 2 })
    if (hasSpare) await expectReferenceRows()
    node.lieWith(undefined)
    await expectReferenceRows()
  })

  async function lowered(found: unknown) {
    const { number } = z.looseObject({ number: z.string() }).parse(found)
    const params = [numberToHex(BigInt(number) - 4n), true]
    return { result: await nodeAt(world.rpcUrl)({ method: 'eth_getBlockByNumber', params }) }
  }
})

describe('a backfill', () => {
  const noLogs: Lie = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined)
  const cleanups: (() => Promise<void>)[] = []
  beforeAll(async () => {
    await register(world)
    await finalizeAndProject(world, reference.pool)
  })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup()
  })

  async function indexerWith(spares: readonly string[], log: string[]) {
    const node = await startLyingNode(world.rpcUrl)
    node.lieWith(noLogs)
    const database = await createIndexedDatabase(world)
    cleanups.push(database.remove, node.stop)
    const onLog = (line: string) => void log.push(line)
    const indexer = await database.start({ rpcUrls: [node.url, ...spares], onLog })
    return { node, database, indexer }
  }

  it('from two nodes of which one gives no logs waits until they agree, and names the fault', async () => {
    const log: string[] = []
    const { node, database, indexer } = await indexerWith([world.rpcUrl], log)
    await until(async () => log.some((line) => /nodes give different logs of one range of blocks/.test(line)))
    node.lieWith(undefined)
    await indexer.ready()
    expect(await allRows(database.pool)).toEqual(await allRows(reference.pool))
  })

  it('from three nodes of which one gives no logs has all rows', async () => {
    const { database, indexer } = await indexerWith([world.rpcUrl, world.rpcUrl], [])
    await indexer.ready()
    expect(await allRows(database.pool)).toEqual(await allRows(reference.pool))
  })
})
