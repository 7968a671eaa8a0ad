/** Which connections short reads have in common. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
  pipelines = connectPipelines(database.urls.gateway, LIMITS.answerMs, LIMITS)
})
afterAll(async () => {
  await pipelines?.close()
  await admin?.end()
  await database?.drop()
})

/** Reads the process that answers, once nobody has the lock. */
const locked = sql`(select pg_backend_pid() from pg_advisory_xact_lock_shared(${sql.lit(LOCK)}))`
const SUM = toReading(toJson(locked), true, true)
const SHORT = toReading(toJson(sql`pg_backend_pid()`), true)
const processOf = async (reading: typeof SUM) => (await pipelines.read(reading))?.text
const isOpen = (reading: typeof SUM) => expect.poll(() => pipelines.takes(reading)).toBe(true)

it('reads that add up rows have two processes in turn, and no other short read waits for them', async () => {
  await isOpen(SHORT)
  await isOpen(SUM)
  await admin.query('select pg_advisory_lock($1)', [LOCK])
  const first = processOf(SUM)
  // The second connection is opened once the first has something to do.
  await isOpen(SUM)
  const second = processOf(SUM)
  const third = processOf(SUM)
  const short = await processOf(SHORT)
  await admin.query('select pg_advisory_unlock($1)', [LOCK])
  const sums = await Promise.all([first, second, third])
  expect(sums[0]).toBeDefined()
  expect(sums[1]).toBeDefined()
  expect(sums[2]).toBe(sums[0])
  expect(new Set([...sums, short]).size).toBe(3)
})
