/** The id of a request, as Postgres shows it. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, createProjectionDb, type PooledDb } from '../../api/projection/session/database.ts'
import { openSnapshot } from '../../api/projection/session/snapshot.ts'
import { createStatementReader } from '../../api/projection/session/statement.ts'
import { toJson } from '../../api/projection/sql/json.ts'
import { toReading } from '../../api/projection/sql/statement.ts'
import { createDatabase } from '../support/postgres.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: PooledDb

beforeAll(async () => {
  database = await createDatabase()
  const client = new pg.Client({ connectionString: database.urls.indexer })
  await client.connect()
  await client.query(`
    create table projection.router ();
    create table projection._ponder_meta as select '{"is_ready": 1}'::jsonb as value;
    create table projection._ponder_checkpoint as
      select '1700000123' || repeat('0', 32) || repeat('9', 33) as latest_checkpoint`)
  await client.end()
  // One connection, so that what one read leaves behind is seen by the next.
  db = createProjectionDb(createPool(database.urls.gateway, 1))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const nameNow = sql<{ name: string }>`select current_setting('application_name') as name`

it('is the name of the application while a snapshot is open, cut to 63 bytes', async () => {
  const open = await openSnapshot(db, { requestId: 'a-request' })
  const during = await nameNow.execute(open.snapshot.db)
  await open.close()
  expect([during.rows, (await nameNow.execute(db)).rows]).toEqual([
    [{ name: 'gateway a-request' }],
    [{ name: '' }],
  ])
  const long = await openSnapshot(db, { requestId: 'x'.repeat(255) })
  expect((await nameNow.execute(long.snapshot.db)).rows).toEqual([{ name: `gateway ${'x'.repeat(55)}` }])
  await long.close()
})

it('is a comment of a statement that is not prepared, and no part of one that is', async () => {
  const read = createStatementReader()
  const limits = {
    deadlineMs: 600_000,
    abort: { signal: new AbortController().signal, cancel: async () => {} },
    requestId: 'a-request',
  }
  const json = toJson(sql`(select query from pg_stat_activity where pid = pg_backend_pid())`)
  const filtered = await read(db, toReading(json, false), limits)
  const byKey = await read(db, toReading(json, true), limits)
  expect(filtered.text).toMatch(/^"\/\* request a-request \*\/ /)
  expect(byKey.text).toMatch(/^"\\n? *select state/)
  expect(byKey.text).not.toContain('a-request')
})
