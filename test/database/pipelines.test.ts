/** Which connections short reads have in common. */
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectPipelines, type Pipelines } from '../../api/projection/session/pipeline.ts'
import { toJson } from '../../api/projection/sql/json.ts'
import { toReading } from '../../api/projection/sql/statement.ts'
import { createEmptyProjection } from '../support/empty-projection.ts'

const LOCK = 1
/** No statement ends before the lock is released. */
const LIMITS = { statementMs: 60_000, answerMs: 60_000 }

let database: Awaited<ReturnType<typeof createEmptyProjection>>
let admin: pg.Client
let pipelines: Pipelines
beforeAll(async () => {
  database = await createEmptyProjection()
  admin = database.admin
})
afterAll(() => database?.drop())
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

/** The processes of a short read and of sums, each of which waits until the short read is answered. */
async function whileLocked(sums: number) {
  await admin.query('select pg_advisory_lock($1)', [LOCK])
  const waiting = Array.from({ length: sums }, () => processOf(SUM))
  const short = await processOf(SHORT)
  await admin.query('select pg_advisory_unlock($1)', [LOCK])
  return { short, sums: await Promise.all(waiting) }
}

/** Resolves when both connections answer sums. */
async function openBoth(): Promise<void> {
  await isOpen(SUM)
  const processes = () => Promise.all([SUM, SUM].map(processOf))
  await expect.poll(async () => new Set(await processes()).size).toBe(2)
}

describe('reads that add up rows', () => {
  it('have two processes in turn, and no other short read waits for them', async () => {
    await openBoth()
    const { short, sums } = await whileLocked(3)
    const [first, second, third] = sums
    expect(first).toBeDefined()
    expect(second).toBeDefined()
    expect(third).toBe(first)
    expect(new Set([short, first, second]).size).toBe(3)
  })

  it('share the one that there is while the other cannot connect', async () => {
    await openBoth()
    const [lost, left] = (await whileLocked(2)).sums
    // As many as there are without the lost one: the administrator, short reads and the other.
    await admin.query(`alter database "${admin.database}" connection limit 3`)
    await admin.query('select pg_terminate_backend($1)', [lost])
    await expect.poll(() => pipelines.pools.map(({ totalCount }) => totalCount)).toContain(0)
    const { sums } = await whileLocked(3)
    await admin.query(`alter database "${admin.database}" connection limit -1`)
    expect(sums).toEqual([left, left, left])
  })
})
