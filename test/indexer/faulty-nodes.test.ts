/**
 * For any answer of a node, the projection equals that of a correct node, or indexing waits for a correct answer and
 * logs the fault.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import type { World } from '../support/protocol.ts'
import { registerClaim } from '../support/scenario.ts'
import { actUntil } from './act-until.ts'
import { failures, wrongAnswers } from './lies.ts'
import { startLyingNode } from './lying-node.ts'
import { allRows } from './same-rows.ts'
import { startWorldAmongOthers, type WorldAmongOthers } from './wrong-chains.ts'

let chains: WorldAmongOthers
let world: World
let reference: IndexedDatabase
beforeAll(async () => {
  chains = await startWorldAmongOthers()
  world = chains.world
  reference = await createIndexedDatabase(world)
  await (await reference.start()).ready()
})
afterAll(async () => {
  await reference?.remove()
  await chains?.stop()
})

function register() {
  const { issuer, beneficiary } = world.parties
  return registerClaim(world, {
    issuer,
    beneficiary: beneficiary.address,
    token: world.usd,
    faceValue: 1_000_000n,
  })
}

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

  async function expectReferenceRows(): Promise<void> {
    await finalizeAndProject(world, reference.pool)
    await finalizeAndProject(world, database.pool)
    const expected = await allRows(reference.pool)
    expect(expected.claim?.length).toBeGreaterThan(0)
    expect(await allRows(database.pool)).toEqual(expected)
  }

  const actsUntil = (happened: () => boolean) => actUntil(happened, register, { world, pool: database.pool })

  it.each(Object.entries(wrongAnswers))('that %s', async (_name, { lieFor, logged }) => {
    const from = log.length
    node.lieWith(lieFor(await chains.overtake()))
    await actsUntil(() => log.slice(from).some((line) => logged.test(line)))
    if (hasSpare) await expectReferenceRows()
    node.lieWith(undefined)
    await register()
    await expectReferenceRows()
  })

  it.each(Object.entries(failures))('that %s', async (_name, lie) => {
    node.lieWith(lie)
    await actsUntil(node.hasLied)
    if (hasSpare) await expectReferenceRows()
    node.lieWith(undefined)
    await register()
    await expectReferenceRows()
  })
})
