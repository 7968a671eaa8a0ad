/** An indexer that starts, with a published index or without one, while a node gives wrong answers. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { wrongAnswers } from '../../indexer/lies.ts'
import { type LyingNode, startLyingNode } from '../../indexer/lying-node.ts'
import { readTables } from '../../indexer/truth/tables.ts'
import { startWorldAmongOthers, type WorldAmongOthers } from '../../indexer/wrong-chains.ts'
import {
  createIndexedDatabase,
  finalizeAndProject,
  type IndexedDatabase,
  until,
} from '../../support/indexer.ts'
import { registerClaim } from '../../support/scenario.ts'
import { catchUp, hasReached } from './progress.ts'
import { undisturbed } from './reference.ts'
import { type Supervised, supervise } from './supervised.ts'

let chains: WorldAmongOthers
let node: LyingNode
let database: IndexedDatabase
let indexer: Supervised
beforeAll(async () => {
  chains = await startWorldAmongOthers()
  await register()
  node = await startLyingNode(chains.world.rpcUrl)
  database = await createIndexedDatabase(chains.world)
  indexer = await supervise(chains.world, database.urls.indexer, { rpcUrls: [node.url] })
  await catchUp(chains.world, database.pool)
})
afterAll(async () => {
  await indexer?.stop()
  await database?.remove()
  await node?.stop()
  await chains?.stop()
})

function register() {
  const { issuer, beneficiary } = chains.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: chains.world.usd, faceValue: 1_000_000n }
  return registerClaim(chains.world, terms)
}

it.each([
  ['gives no logs', /bloom filter denies/],
  [
    'serves another chain of the same id and genesis block',
    /serves another chain: it does not contain block/,
  ],
  [
    'serves another chain of the same id',
    /serves another chain: it does not contain block|the genesis block/,
  ],
] as const)('waits while the node %s, then has the rows of an undisturbed index', async (name, fault) => {
  const from = indexer.log.length
  const isNamed = () => indexer.log.slice(from).some((line) => fault.test(JSON.stringify(line)))
  node.lieWith(wrongAnswers[name].lieFor(await chains.overtake()))
  await register()
  const { number } = await chains.world.chain.getBlock()
  await chains.world.chain.mine({ blocks: 2 })
  indexer.kill()
  await until(async () => isNamed() || (await hasReached(database.pool, number)))
  node.lieWith(undefined)
  await catchUp(chains.world, database.pool)
  expect(await readTables(database.pool)).toEqual((await undisturbed(chains.world)).tables)
})

describe('an indexer uses the second of two nodes where the first one', () => {
  async function nodesWith(name: keyof typeof wrongAnswers) {
    node.lieWith(wrongAnswers[name].lieFor(await chains.overtake()))
    return [node.url, chains.world.rpcUrl]
  }

  it('lacks the block that it has indexed last', async () => {
    await indexer.stop()
    const rpcUrls = await nodesWith('serves another chain of the same id and genesis block')
    indexer = await supervise(chains.world, database.urls.indexer, { rpcUrls })
    await register()
    await catchUp(chains.world, database.pool)
    expect(await readTables(database.pool)).toEqual((await undisturbed(chains.world)).tables)
    await indexer.logged(({ msg = '' }) =>
      /^node 1 of 2 serves another chain: it does not contain block .*; it is not used$/.test(msg),
    )
  })

  it('has not the genesis block that it is to begin with', async () => {
    const { hash: genesis } = await chains.world.chain.getBlock({ blockNumber: 0n })
    const rpcUrls = await nodesWith('serves another chain of the same id')
    const first = await createIndexedDatabase(chains.world)
    onTestFinished(first.remove)
    const lines: string[] = []
    await (await first.start({ rpcUrls, genesis, onLog: (line) => void lines.push(line) })).ready()
    await finalizeAndProject(chains.world, first.pool)
    expect(await readTables(first.pool)).toEqual((await undisturbed(chains.world)).tables)
    expect(lines.join()).toMatch(/node 1 of 2 serves the genesis block [^;]*; it is not used/)
  })
})
