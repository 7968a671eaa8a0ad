/** Short reads over one connection: what each gets when others are long, many or fail, and when the connection does. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectPipeline, type Pipeline } from '../../api/projection/session/pipeline.ts'
import { toJson } from '../../api/projection/sql/json.ts'
import { toReading } from '../../api/projection/sql/statement.ts'
import { createEmptyProjection, EMPTY_AT } from '../support/empty-projection.ts'
import { startProxy } from '../support/proxy.ts'

const STATEMENTS_MAX = 32
const TIMEOUT_MS = 60_000
/**
 * A short statement takes less on the busiest machine, and more than one of them is less than the wait for an answer.
 */
const LIMITS = { statementMs: 1000, answerMs: 10_000 }

let database: Awaited<ReturnType<typeof createEmptyProjection>>
let admin: pg.Client
let line: Awaited<ReturnType<typeof startProxy>>
let pipeline: Pipeline
/** The connection that the pipeline has now. */
let client: pg.PoolClient
beforeAll(async () => {
  database = await createEmptyProjection()
  admin = database.admin
})
afterAll(() => database?.drop())
beforeEach(async () => {
  line = await startProxy(new URL(database.urls.gateway))
  pipeline = connectPipeline(throughLine(), TIMEOUT_MS, LIMITS)
  pipeline.pool.on('connect', (connected) => {
    client = connected
  })
  await expect.poll(() => pipeline.takes(ONE)).toBe(true)
})
afterEach(async () => {
  line.release()
  await pipeline.close()
  line.stop()
})

function throughLine(): string {
  const url = new URL(database.urls.gateway)
  url.port = new URL(line.url).port
  return url.href
}

const ONE = toReading(toJson(sql`1`), true)
const TWO = toReading(toJson(sql`2`), true)
const PROCESS = toReading(toJson(sql`pg_backend_pid()`), true)
/** Each is a statement of its own. */
const sleep = (seconds: number) =>
  toReading(toJson(sql`(select ${seconds}::float8 from pg_sleep(${seconds}))`), true)
const textOf = async (reading: typeof ONE) => (await pipeline.read(reading))?.text
const times = <T>(count: number, of: (i: number) => T) => Array.from({ length: count }, (_, i) => of(i))

describe('reads over one connection', () => {
  it('that are asked for in one turn are one message, and one process answers them', async () => {
    const first = await textOf(PROCESS)
    if (!(client instanceof pg.Client)) throw new Error('not a connection of pg')
    const { stream } = client.connection
    const several = vi.spyOn(stream, '_writev')
    const single = vi.spyOn(stream, '_write')
    const answers = await Promise.all(times(10, () => textOf(PROCESS)))
    expect(answers).toEqual(times(10, () => first))
    expect([several.mock.calls.length, single.mock.calls.length]).toEqual([1, 0])
  })

  it('are 32 at once, and each gets its own answer', async () => {
    const values = times(STATEMENTS_MAX, (i) => toReading(toJson(sql`${i}::int`), true))
    const answers = values.map(textOf)
    expect(pipeline.takes(ONE)).toBe(false)
    expect(await pipeline.read(ONE)).toBeUndefined()
    expect(await Promise.all(answers)).toEqual(times(STATEMENTS_MAX, String))
    expect(pipeline.takes(ONE)).toBe(true)
  })

  it('name the block that they are of', async () => {
    expect(await pipeline.read(ONE)).toMatchObject({ finalizedThrough: { timestamp: EMPTY_AT } })
  })

  it('are only those whose plan is good for all values', () => {
    expect(pipeline.takes(toReading(toJson(sql`1`), false))).toBe(false)
  })
})

describe('a read that is not short', () => {
  it('is left to a connection of its own, and those behind it have their answers', async () => {
    expect(await Promise.all([sleep(60), ONE, sleep(0), sleep(30), ONE].map(textOf))).toEqual([
      undefined,
      '1',
      '0',
      undefined,
      '1',
    ])
  })
})

describe('a connection', () => {
  it('that is being opened does not outlast the close of the pipeline', async () => {
    line.hold()
    const other = connectPipeline(throughLine(), TIMEOUT_MS, LIMITS)
    expect(other.takes(ONE)).toBe(false)
    await line.held()
    const closed = other.close()
    line.release()
    await expect.poll(() => other.pool.totalCount).toBe(0)
    await closed
    expect(other.takes(ONE)).toBe(false)
  })

  const isReplaced = async () => {
    await expect.poll(() => pipeline.takes(ONE)).toBe(true)
    expect(await textOf(ONE)).toBe('1')
  }

  it('that is lost fails no read, and the next reads have another', async () => {
    const before = await textOf(PROCESS)
    const under = [sleep(60), ONE, PROCESS].map(textOf)
    await admin.query('select pg_terminate_backend($1)', [before])
    expect(await Promise.all(under)).toEqual([undefined, undefined, undefined])
    await isReplaced()
    expect(await textOf(PROCESS)).not.toBe(before)
  })

  it('that answers nothing is given up, and fails no read', async () => {
    await textOf(ONE)
    line.hold()
    const answers = Promise.all([ONE, PROCESS, sleep(0)].map(textOf))
    await expect.poll(() => pipeline.pool.totalCount).toBe(0)
    expect(await answers).toEqual([undefined, undefined, undefined])
    line.release()
    await isReplaced()
  })

  it('is replaced once it has prepared much, and loses no read', async () => {
    const before = await textOf(PROCESS)
    const long = (i: number) => toReading(toJson(sql`${sql.raw(`'${String(i).repeat(6000)}'::text`)}`), true)
    const answers = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8].map(long).map(textOf))
    expect(answers).toEqual(times(9, (i) => `"${String(i).repeat(6000)}"`))
    expect(await textOf(PROCESS)).toBe(before)
    expect(await textOf(toReading(toJson(sql`'${sql.raw('x'.repeat(6000))}'::text`), true))).toHaveLength(
      6002,
    )
    await isReplaced()
    expect(await textOf(PROCESS)).not.toBe(before)
  })

  it('to a database that is gone is tried again, and reads are left to others meanwhile', async () => {
    line.cut()
    await expect.poll(() => pipeline.takes(ONE)).toBe(false)
    expect(await pipeline.read(ONE)).toBeUndefined()
    line.mend()
    await isReplaced()
  })
})

describe('a connection that cannot be opened', () => {
  it('for a certificate that is not there is opened once it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipeline-'))
    const certificate = join(folder, 'root.crt')
    const url = new URL(database.urls.gateway)
    url.searchParams.set('sslmode', 'disable')
    url.searchParams.set('sslrootcert', certificate)
    const other = connectPipeline(url.href, TIMEOUT_MS, LIMITS)
    expect(other.takes(ONE)).toBe(false)
    await pause(50)
    await writeFile(certificate, '')
    await expect.poll(() => other.takes(ONE), { timeout: TIMEOUT_MS }).toBe(true)
    await other.close()
    await rm(folder, { recursive: true })
  })
})

describe('a statement', () => {
  it('that another has prepared meanwhile is read over a connection of its own', async () => {
    await textOf({ text: `prepare "${TWO.name}" as select 1`, values: [], name: 'prepares' }).catch(() => {})
    expect(await pipeline.read(TWO)).toBeUndefined()
    expect(await textOf(ONE)).toBe('1')
  })
})

describe('a projection that is not published', () => {
  it('is the error of each read, and none after it is', async () => {
    await admin.query('alter table projection.router rename to other')
    const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error)
    const outcomes = await Promise.all(times(5, () => textOf(ONE).catch(codeOf)))
    // All but the first were sent for a statement that was not prepared then.
    expect(new Set(outcomes)).toEqual(new Set(['NOT_READY', undefined]))
    await admin.query('alter table projection.other rename to router')
    expect(await Promise.all(times(5, () => textOf(ONE)))).toEqual(times(5, () => '1'))
  })
})
