/** The auditor finds no difference while an indexer runs: rows and chain are always compared at the same block. */
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChain } from '../../api/chain/client.ts'
import { seededRandom } from '../../api/domain/random.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { publishedProjection } from '../../auditor/audit.ts'
import { createEvidence } from '../../auditor/chain/evidence.ts'
import { createMetrics } from '../../auditor/metrics.ts'
import { look, type Service } from '../../auditor/service.ts'
import { openStore, readProgress } from '../../auditor/store.ts'
import { playRandomHistory } from '../indexer/random-world.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startWorld } from '../support/protocol.ts'
import { manifestOf } from './audited.ts'

const SEED = Number(process.env.SEED ?? 31)

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
let pool: ReturnType<typeof createPool>
let service: Service
const lines: string[] = []

beforeAll(async () => {
  world = await startWorld()
  database = await createIndexedDatabase(world)
  await (await database.start()).ready()
  pool = createPool(database.urls.auditor, 3)
  const chain = createChain({ urls: [world.rpcUrl], timeout: NODE_TIMEOUT_MS })
  service = {
    auditor: {
      read: publishedProjection(createProjectionDb(pool)),
      chain,
      evidenceAt: createEvidence(chain, manifestOf(world)),
    },
    store: await openStore(pool),
    random: seededRandom(SEED),
    sampleRows: 20,
    metrics: createMetrics(),
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    clock: Date.now,
  }
})
afterAll(async () => {
  await pool?.end()
  await database?.remove()
  await world?.stop()
})

it(`finds no difference in any round while a random history is indexed (seed ${SEED})`, async () => {
  let isPlaying = true
  const playing = playRandomHistory(world, SEED, 40).finally(() => {
    isPlaying = false
  })
  let looks = 0
  while (isPlaying) {
    expect(await look(service)).toEqual([])
    looks += 1
  }
  await playing
  const block = await finalizeAndProject(world, database.pool)
  expect(await look(service)).toEqual([])
  expect(lines).toEqual([])
  expect((await readProgress(service.store))?.block).toBe(block)
  expect(looks).toBeGreaterThan(1)
})
