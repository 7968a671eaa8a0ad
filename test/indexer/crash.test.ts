/** An indexer that was killed, at whatever moment, ends in the rows of one that was not. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Indexer } from '../../indexer/service/indexer.ts'
import * as projection from '../../ponder.schema.ts'
import {
  createIndexedDatabase,
  finalizeAndProject,
  type IndexedDatabase,
  until,
  untilProjected,
} from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import type { Scene } from './random-actions.ts'
import { playRandomHistory, playSteps } from './random-world.ts'

const SEED = 7
const STEPS = 25

let world: Awaited<ReturnType<typeof startWorld>>
let scene: Scene
const databases: IndexedDatabase[] = []

beforeAll(async () => {
  world = await startWorld()
  scene = await playRandomHistory(world, SEED, STEPS)
  // The backfill covers what is final at the start.
  await world.chain.mine({ blocks: 2 })
})

afterAll(async () => {
  await Promise.all(databases.map((database) => database.remove()))
  await world?.stop()
})

async function newDatabase(): Promise<IndexedDatabase> {
  const database = await createIndexedDatabase(world)
  databases.push(database)
  return database
}

describe('an indexer that is killed', () => {
  it('during its backfill and again while it follows the chain ends in the rows of an undisturbed one', async () => {
    const calm = await newDatabase()
    const crashed = await newDatabase()
    await (await calm.start()).ready()

    const first = await crashed.start()
    await untilBackfillBegan(crashed, first)
    expect((await first.kill()).signal).toBe('SIGKILL')

    const second = await crashed.start()
    await second.ready()
    await playSteps(scene, SEED + 1, 5)
    await finalizeAndProject(world, calm.pool)
    // Some of the new events are in the projection by now, perhaps not all.
    expect((await second.kill()).signal).toBe('SIGKILL')
    await playSteps(scene, SEED + 2, 5)

    const third = await crashed.start()
    await third.ready()
    const block = await finalizeAndProject(world, calm.pool)
    await untilProjected(crashed.pool, block)
    const rows = await everyRow(calm.pool)
    expect(await everyRow(crashed.pool)).toEqual(rows)
    for (const table of Object.values(rows)) expect(table.length).toBeGreaterThan(0)
  })
})

/** The tables are there and nothing is ready: events are being fetched and indexed. */
async function untilBackfillBegan({ pool }: IndexedDatabase, { schema }: Indexer): Promise<void> {
  await until(async () => {
    const { rows } = await pool.query('SELECT to_regclass($1) IS NOT NULL AS exists', ['ponder_sync.logs'])
    if (!rows[0]?.exists) return false
    const fetched = await pool.query('SELECT 1 FROM ponder_sync.logs LIMIT 1')
    return fetched.rowCount === 1
  })
  const { rows } = await pool.query(`SELECT value->>'is_ready' AS ready FROM "${schema}"._ponder_meta`)
  expect(rows).toEqual([{ ready: '0' }])
}

/** Every table of the projection with its rows in the order of their text. */
async function everyRow(pool: pg.Pool): Promise<Record<string, string[]>> {
  const tables = await pool.query(
    `SELECT viewname AS name FROM pg_views WHERE schemaname = 'projection' AND viewname NOT LIKE '\\_ponder%' ORDER BY 1`,
  )
  const contents: Record<string, string[]> = {}
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(
      `SELECT to_jsonb(t)::text AS row FROM projection."${name}" t ORDER BY 1`,
    )
    contents[name] = rows.map(({ row }) => row)
  }
  expect(tables.rowCount).toBe(Object.keys(projection).length)
  return contents
}
