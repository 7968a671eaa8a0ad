/** Which connections short reads have in common. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toJson } from '../../api/projection/json.ts'
import { connectPipelines, type Pipelines } from '../../api/projection/pipelines.ts'
import { toReading } from '../../api/projection/statement.ts'
import { createDatabase } from '../support/postgres.ts'

const LOCK = 1
/** No statement ends before the lock is released. */
const LIMITS = { statementMs: 60_000, answerMs: 60_000 }

let database: Awaited<ReturnType<typeof createDatabase>>
let admin: pg.Client
let pipelines: Pipelines
beforeAll(async () => {
  database = await createDatabase()
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(`
    create table projection.router ();
    create table projection._ponder_meta as select '{"is_ready": 1}'::jsonb as value;
    create table projection._ponder_checkpoint as
      select '1700000123' || repeat('0', 32) || repeat('9', 33) as latest_checkpoint;
    grant select on all tables in schema projection to public`)
})
afterAll(async () => {
  await admin?.end()
  await database?.drop()
})
beforeEach(async () => {
  pipelines = connectPipelines(database.urls.gateway, LIMITS.answerMs, LIMITS)
  await isOpen(SHORT)
})
afterEach(() => pipelines.close())

/** Reads the process that answers, once nobody has the lock. */
const locked = sql`(select pg_backend_pid() from pg_advisory_xact_lock_shared(${sql.lit(LOCK)}))`
const SUM = toReading(toJson(locked), true, true)
const SHORT = toReading(toJson(sql`pg_backend_pid()`), true)
const processOf = async (reading: typeof SUM) => (await pipelines.read(reading))?.text
const isOpen = (reading: typeof SUM) => expect.poll(() => pipelines.takes(reading)).toBe(true)
const opened = () => pipelines.pools.map(({ totalCount }) => totalCount)

/** The processes of a short read and of sums, each of which waits until the short read is answered. */
async function whileLocked(sums: number) {
  await admin.query('select pg_advisory_lock($1)', [LOCK])
  const waiting = Array.from({ length: sums }, () => processOf(SUM))
  const short = await processOf(SHORT)
  await admin.query('select pg_advisory_unlock($1)', [LOCK])
  return { short, sums: await Promise.all(waiting) }
}

describe('reads that add up rows', () => {
  it('have two processes in turn, and no other short read waits for them', async () => {
    await isOpen(SUM)
    await expect.poll(() => opened()).toEqual([1, 1, 1])
    const { short, sums } = await whileLocked(3)
    const [first, second, third] = sums
    expect(first).toBeDefined()
    expect(second).toBeDefined()
    expect(third).toBe(first)
    expect(new Set([short, first, second]).size).toBe(3)
  })

  it('share the one that there is while the other cannot connect', async () => {
    const limit = (connections: number) =>
      admin.query(`alter database "${admin.database}" connection limit ${connections}`)
    // The administrator, short reads, and one of the two.
    await limit(3)
    await isOpen(SUM)
    const { sums } = await whileLocked(3)
    await limit(-1)
    expect(sums[0]).toBeDefined()
    expect(sums).toEqual([sums[0], sums[0], sums[0]])
  })
})
