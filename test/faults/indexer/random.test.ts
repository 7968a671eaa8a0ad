/**
 * After random faults the rows are those of an undisturbed index. `npm run test:faults` injects 270: FAULTS_TERMINATED, FAULTS_CRASHES
 * and FAULTS_KILLED set their number, FAULTS_SEED selects them.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { playRandomHistory } from '../../indexer/random-world.ts'
import { readTables } from '../../indexer/truth/tables.ts'
import { until } from '../../support/indexer.ts'
import { startWorld } from '../../support/protocol.ts'
import { type DurablePostgres, startDurablePostgres } from './durable-postgres.ts'
import { playEpisodes } from './episodes.ts'
import { hasReached } from './progress.ts'
import { undisturbed } from './reference.ts'
import { type Supervised, supervise } from './supervised.ts'

const SEED = Number(process.env.FAULTS_SEED ?? 14)
const COUNTS = {
  terminated: Number(process.env.FAULTS_TERMINATED ?? 1),
  crashes: Number(process.env.FAULTS_CRASHES ?? 1),
  killed: Number(process.env.FAULTS_KILLED ?? 1),
}
/** A long run needs more time than the limit of a test. */
const MINUTES_PER_EPISODE = 2

let world: Awaited<ReturnType<typeof startWorld>>
let postgres: DurablePostgres
let indexer: Supervised

beforeAll(async () => {
  ;[world, postgres] = await Promise.all([startWorld(), startDurablePostgres()])
  indexer = await supervise(world, postgres.urls.indexer)
})
afterAll(async () => {
  await indexer?.stop()
  await postgres?.remove()
  await world?.stop()
})

it(`has the rows of an undisturbed index after random faults (seed ${SEED}, ${JSON.stringify(COUNTS)})`, {
  timeout: 600_000 + Object.values(COUNTS).reduce((a, b) => a + b) * MINUTES_PER_EPISODE * 60_000,
}, async () => {
  const scene = await playRandomHistory(world, SEED, 5)
  await playEpisodes({ scene, postgres, indexer }, COUNTS, SEED)
  const { block, tables } = await undisturbed(world)
  await until(() => hasReached(postgres.pool, block))
  expect(await readTables(postgres.pool)).toEqual(tables)
  for (const rows of Object.values(tables)) expect(rows.length).toBeGreaterThan(0)
})
