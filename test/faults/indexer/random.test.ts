/**
 * Random faults leave the rows of an undisturbed index. Only `npm run test:faults` plays them: FAULTS_TERMINATED,
 * FAULTS_CRASHES, FAULTS_KILLED and FAULTS_BAD_NODES are their numbers; FAULTS_SEED selects them.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LyingNode, startLyingNode } from '../../indexer/lying-node.ts'
import { playRandomHistory } from '../../indexer/random-world.ts'
import { readTables } from '../../indexer/truth/tables.ts'
import { startWorldAmongOthers, type WorldAmongOthers } from '../../indexer/wrong-chains.ts'
import { type DurablePostgres, startDurablePostgres } from '../../support/durable-postgres.ts'
import { until } from '../../support/indexer.ts'
import { playEpisodes } from './episodes.ts'
import { hasReached } from './progress.ts'
import { undisturbed } from './reference.ts'
import { type Supervised, supervise } from './supervised.ts'

const SEED = Number(process.env.FAULTS_SEED ?? 14)
const COUNTS = {
  terminated: Number(process.env.FAULTS_TERMINATED ?? 1),
  crashes: Number(process.env.FAULTS_CRASHES ?? 1),
  killed: Number(process.env.FAULTS_KILLED ?? 1),
  badNodes: Number(process.env.FAULTS_BAD_NODES ?? 1),
}
/** A long run needs more time than the limit of a test. */
const MINUTES_PER_EPISODE = 2

let chains: WorldAmongOthers
let nodes: readonly [LyingNode, LyingNode]
let postgres: DurablePostgres
let indexer: Supervised

beforeAll(async () => {
  ;[chains, postgres] = await Promise.all([startWorldAmongOthers(), startDurablePostgres()])
  const { world } = chains
  nodes = [await startLyingNode(world.rpcUrl), await startLyingNode(world.rpcUrl)]
  const rpcUrls = nodes.map(({ url }) => url)
  indexer = await supervise(world, postgres.urls.indexer, { rpcUrls })
})
afterAll(async () => {
  await indexer?.stop()
  await postgres?.remove()
  for (const node of nodes ?? []) await node.stop()
  await chains?.stop()
})

it(`has the rows of an undisturbed index after random faults (seed ${SEED}, ${JSON.stringify(COUNTS)})`, {
  timeout: 600_000 + Object.values(COUNTS).reduce((a, b) => a + b) * MINUTES_PER_EPISODE * 60_000,
}, async () => {
  const { world, overtake: wrongChains } = chains
  const scene = await playRandomHistory(world, SEED, 5)
  await playEpisodes({ scene, postgres, indexer, nodes, wrongChains }, COUNTS, SEED)
  const { block, tables } = await undisturbed(world)
  await until(() => hasReached(postgres.pool, block))
  expect(await readTables(postgres.pool)).toEqual(tables)
  for (const rows of Object.values(tables)) expect(rows.length).toBeGreaterThan(0)
})
