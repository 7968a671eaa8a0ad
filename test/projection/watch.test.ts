/**
 * The one watcher of a process, over a published checkpoint that the test moves; its clock stands still unless moved.
 */
import { getEventListeners } from 'node:events'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createWaitForBlock,
  openAt,
  readAt,
  WAIT_AHEAD_MAX,
  type WaitForBlock,
} from '../../api/projection/session/at-block.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { openSnapshot, readInSnapshot, readSnapshot } from '../../api/projection/session/snapshot.ts'
import { type ProjectionWatch, watchProjection } from '../../api/projection/session/watch.ts'
import { toJson } from '../../api/projection/sql/json.ts'
import { toReading } from '../../api/projection/sql/statement.ts'
import { createDatabase } from '../support/postgres.ts'
import { startProxy } from '../support/proxy.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let client: pg.Client
let watch: ProjectionWatch
const stay = new AbortController().signal

beforeEach(async () => {
  database = await createDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  watch = watchProjection(database.url, pino({ level: 'silent' }), 60_000)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await watch.close()
  await client.end()
  await database.drop()
})

const checkpoint = (block: number) =>
  `1700000123${'31337'.padStart(16, '0')}${String(block).padStart(16, '0')}${'9'.repeat(33)}`

async function publish(block: number): Promise<void> {
  await client.query(`
    create schema if not exists projection;
    create table projection.router ();
    create table projection._ponder_meta as select '{"is_ready": 1}'::jsonb as value;
    create table projection._ponder_checkpoint as select '${checkpoint(block)}' as latest_checkpoint`)
}

/** Commits a later block, with or without the notification that Ponder sends with it. */
async function advance(block: number, notify = true): Promise<void> {
  await client.query(`
    update projection._ponder_checkpoint set latest_checkpoint = '${checkpoint(block)}';
    ${notify ? "select pg_notify('projection_live_query', '[]')" : ''}`)
}

/** Processes of Postgres that serve the watch, with the last thing each was asked. */
async function connections(): Promise<{ pid: number; query: string }[]> {
  const { rows } = await client.query(
    "select pid, query, query_start from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
  )
  return rows
}

/** The block of the latest state, if that is certain. */
const blockOf = () => watch.latest()?.finalizedThrough.blockNumber

/** The value of a promise that is resolved; undefined for one that is not. */
function valueNow<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))])
}

async function connect(): Promise<pg.Client> {
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  return other
}

/** Resolves when the watch has looked for the first time. */
async function looked(): Promise<void> {
  while ((await connections()).every(({ query }) => query !== 'rollback'));
}

/**
 * Lets as much time pass as it takes, each step after an answer of the database: its statements have a timeout too.
 */
async function inTime<T>(promise: Promise<T>, stepMs = 1000): Promise<T> {
  let isSettled = false
  const settled = promise.finally(() => {
    isSettled = true
  })
  while (!isSettled) {
    await vi.advanceTimersByTimeAsync(stepMs)
    await client.query('select')
  }
  return settled
}

/** A watch with its own timeouts behind a line, once it is certain of its state. */
async function watchBehindLine() {
  const line = await startProxy(new URL(database.url))
  const through = new URL(database.url)
  through.port = new URL(line.url).port
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (text) => void warnings.push(text) })
  const behind = watchProjection(through.href, log)
  onTestFinished(async () => {
    line.stop()
    await behind.close()
  })
  while (!behind.latest()) await client.query('select')
  return { behind, line, warnings }
}

describe('a block that is waited for', () => {
  it('resolves at once where the block is reached', async () => {
    await publish(42)
    const reached = watch.reached(42n, stay)
    await expect.poll(blockOf).toBe(42n)
    expect(await valueNow(reached)).toEqual({ blockNumber: 42n, timestamp: 1_700_000_123n })
  })

  it("resolves on Ponder's own notification, without a poll at intervals", async () => {
    await publish(42)
    const reached = watch.reached(43n, stay)
    await looked()
    await advance(43)
    await expect.poll(blockOf).toBe(43n)
    expect((await valueNow(reached))?.blockNumber).toBe(43n)
  })

  it('is seen at the next look where nothing notifies', async () => {
    await publish(42)
    const reached = watch.reached(43n, stay)
    await looked()
    await advance(43, false)
    expect((await inTime(reached))?.blockNumber).toBe(43n)
  })

  it('resolves when a read of the process has seen it, before any poll has', async () => {
    await publish(42)
    const reached = watch.reached(43n, stay)
    await looked()
    const through = { blockNumber: 43n, timestamp: 7n }
    watch.observe(through)
    expect(await valueNow(reached)).toBe(through)
  })

  it('leaves nothing at the signal of the request that waited', async () => {
    await publish(42)
    const { signal } = new AbortController()
    const reached = watch.reached(43n, signal)
    await looked()
    watch.observe({ blockNumber: 43n, timestamp: 7n })
    await reached
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('is seen over another connection where the present one is without an answer for two seconds', async () => {
    await publish(42)
    const { behind, line, warnings } = await watchBehindLine()
    const reached = behind.reached(43n, stay)
    line.silence()
    await advance(43)
    // The next poll, and its timeout.
    await vi.advanceTimersByTimeAsync(1000)
    await vi.advanceTimersByTimeAsync(2000)
    expect(warnings).toHaveLength(1)
    expect((await inTime(reached, 10))?.blockNumber).toBe(43n)
  })

  it('is seen within seconds once there is an index, however long there was none', async () => {
    const reached = watch.reached(42n, stay)
    // Each poll fails, and ends with this statement.
    const polls = new Set<string>()
    while (polls.size < 12) {
      await vi.advanceTimersByTimeAsync(2000)
      const { rows } = await client.query(
        "select query_start::text as at from pg_stat_activity where datname = current_database() and query = 'rollback'",
      )
      for (const { at } of rows) polls.add(at)
    }
    await publish(42)
    let [isSeen, seconds] = [false, 0]
    const seen = reached.then(() => {
      isSeen = true
    })
    for (; !isSeen; seconds += 1) {
      await vi.advanceTimersByTimeAsync(1000)
      await client.query('select')
    }
    await seen
    // A pause that was doubled after each poll would have more than a quarter of an hour.
    expect(seconds).toBeLessThan(120)
  })

  it('is waited for by many over one connection, each until its own', async () => {
    await publish(42)
    const blocks = [43n, 44n, 50n]
    const reached = blocks.flatMap((block) => Array.from({ length: 20 }, () => watch.reached(block, stay)))
    await looked()
    expect(await connections()).toHaveLength(1)
    await advance(44)
    expect(new Set(await Promise.all(reached.slice(0, 40)))).toEqual(new Set([await reached[0]]))
    await advance(51)
    expect((await reached[59])?.blockNumber).toBe(51n)
    expect(await connections()).toHaveLength(1)
  })

  it('is waited for through a lost connection, and while there is no index', async () => {
    vi.useRealTimers()
    const reached = watch.reached(42n, stay)
    while ((await connections()).length === 0);
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await publish(42)
    expect((await reached)?.blockNumber).toBe(42n)
  })
})

describe('a request that waits', () => {
  it('waits for a block up to 128 ahead, and not for one beyond', async () => {
    await publish(42)
    const wait = createWaitForBlock(watch, 1, () => () => {})
    expect(await wait(42n, 42n + WAIT_AHEAD_MAX, stay)).toBe(true)
    expect(await wait(42n, 42n + WAIT_AHEAD_MAX + 1n, stay)).toBe(false)
  })

  it('leaves when it has waited, or when its client leaves; one that is not admitted does not wait', async () => {
    await publish(42)
    let waiting = 0
    const admit = () => {
      waiting += 1
      return () => {
        waiting -= 1
      }
    }
    const leaving = new AbortController()
    const left = createWaitForBlock(watch, 60_000, admit)(42n, 43n, leaving.signal)
    expect(waiting).toBe(1)
    leaving.abort()
    await expect(left).rejects.toThrow()
    expect(waiting).toBe(0)
    const patient = createWaitForBlock(watch, 60_000, admit)(42n, 43n, stay)
    await advance(43)
    expect([await patient, waiting]).toEqual([true, 0])
    expect(await createWaitForBlock(watch, 60_000, () => undefined)(43n, 44n, stay)).toBe(false)
  })
})

describe('a read that waited', () => {
  const reads = [
    [
      'a snapshot',
      async (pool: pg.Pool, wait: WaitForBlock, minBlock: bigint) => {
        const { snapshot, close } = await openAt(
          wait,
          () => openSnapshot(createProjectionDb(pool)),
          minBlock,
          stay,
        )
        await close()
        return snapshot.finalizedThrough.blockNumber
      },
    ],
    [
      'one statement',
      async (pool: pg.Pool, wait: WaitForBlock, minBlock: bigint) => {
        const one = toReading(toJson(sql`1`), true)
        const read = () => readSnapshot(createProjectionDb(pool), (snapshot) => readInSnapshot(snapshot, one))
        return (await readAt(wait, read, minBlock, stay)).finalizedThrough.blockNumber
      },
    ],
  ] as const

  it.each(reads)(
    'as %s has the block or a later one, and is refused at an earlier one than that',
    async (_, read) => {
      await publish(42)
      const pool = createPool(database.url, 1)
      onTestFinished(() => pool.end())
      const reach = (block: number) => async () => {
        await advance(block)
        return true
      }
      await expect(read(pool, reach(43), 44n)).rejects.toMatchObject({
        code: 'PROJECTION_BEHIND',
        facts: { minBlock: 44, finalizedThrough: 43 },
      })
      expect(await read(pool, reach(44), 44n)).toBe(44n)
      expect(await read(pool, reach(46), 45n)).toBe(46n)
      await expect(read(pool, async () => false, 47n)).rejects.toMatchObject({
        facts: { minBlock: 47, finalizedThrough: 46 },
      })
      expect(pool.idleCount).toBe(1)
    },
  )
})

describe('who waits no longer', () => {
  it('has left, or is sent away when the watch is closed', async () => {
    await publish(42)
    const leaving = new AbortController()
    const left = watch.reached(43n, leaving.signal)
    const kept = watch.reached(43n, stay)
    leaving.abort()
    expect(await left).toBeUndefined()
    await watch.close()
    expect(await kept).toBeUndefined()
    expect(await watch.reached(1n, stay)).toBeUndefined()
  })

  it('has left before, though the block is there', async () => {
    await publish(42)
    expect(await watch.reached(42n, AbortSignal.abort())).toBeUndefined()
  })
})

describe('the latest state', () => {
  /** Resolves when the watch is certain of some state; reads of Postgres take real time. */
  async function certain() {
    for (;;) {
      const state = watch.latest()
      if (state) return state
      await client.query('select')
    }
  }

  it('is not known before it is read, and is the same object while nothing changes', async () => {
    await publish(42)
    expect(watch.latest()).toBeUndefined()
    const state = await certain()
    expect(state.finalizedThrough.blockNumber).toBe(42n)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await certain()).toBe(state)
  })

  it('is not known from a notification to the read after it', async () => {
    await publish(42)
    await certain()
    await advance(43)
    while (blockOf() === 42n) await client.query('select')
    expect((await certain()).finalizedThrough.blockNumber).toBe(43n)
  })

  it('is not known after a read during which a notification came', async () => {
    await publish(42)
    const [holder, next] = [await connect(), await connect()]
    /** Resolves when as many statements wait for the table. */
    const waiting = async (count: number) => {
      const query = `select from pg_locks where not granted and relation = 'projection._ponder_meta'::regclass
        and database = (select oid from pg_database where datname = current_database())`
      while ((await client.query(query)).rowCount !== count);
    }
    // The read has its snapshot, which is of block 42, and waits.
    await holder.query('begin; lock projection._ponder_meta')
    expect(watch.latest()).toBeUndefined()
    await waiting(1)
    await advance(43)
    // The lock is free for this client after the read, and for the next read after this client.
    const locked = next.query('begin; lock projection._ponder_meta')
    await waiting(2)
    await holder.end()
    await locked
    await waiting(1)
    expect(watch.latest()).toBeUndefined()
    await next.end()
    expect((await certain()).finalizedThrough.blockNumber).toBe(43n)
  })

  it('is read again each second where nothing notifies', async () => {
    await publish(42)
    await certain()
    await advance(43, false)
    await vi.advanceTimersByTimeAsync(1000)
    while (blockOf() === 42n) await client.query('select')
    expect((await certain()).finalizedThrough.blockNumber).toBe(43n)
  })

  it('is another one when another index is published at the same block', async () => {
    await publish(42)
    const before = await certain()
    await client.query('drop table projection.router; create table projection.router ()')
    await vi.advanceTimersByTimeAsync(1000)
    while (watch.latest() === before) await client.query('select')
    const after = await certain()
    expect(after.finalizedThrough).toEqual(before.finalizedThrough)
    expect(after).not.toBe(before)
  })

  it('is not known once a read has seen a later block, until that is read here too', async () => {
    await publish(42)
    await certain()
    watch.observe({ blockNumber: 42n, timestamp: 0n })
    expect(blockOf()).toBe(42n)
    watch.observe({ blockNumber: 43n, timestamp: 0n })
    expect(watch.latest()).toBeUndefined()
    // A poll of a replica that lags reads the earlier block again.
    await vi.advanceTimersByTimeAsync(1000)
    while ((await connections()).length === 0) await client.query('select')
    for (let reads = 0; reads < 20; reads += 1) {
      await vi.advanceTimersByTimeAsync(1000)
      expect(watch.latest()).toBeUndefined()
      await client.query('select')
    }
    await advance(43)
    expect((await certain()).finalizedThrough.blockNumber).toBe(43n)
  })

  it('is known for two seconds after the last poll that was answered', async () => {
    vi.useRealTimers()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    await publish(42)
    const { behind, line } = await watchBehindLine()
    line.silence()
    await vi.advanceTimersByTimeAsync(2000)
    expect(behind.latest()?.finalizedThrough.blockNumber).toBe(42n)
    await vi.advanceTimersByTimeAsync(1)
    expect(behind.latest()).toBeUndefined()
  })

  it('is not known while the connection is lost', async () => {
    await publish(42)
    await certain()
    await client.query('update projection._ponder_meta set value = \'{"is_ready": 0}\'')
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    while (watch.latest() !== undefined) await client.query('select')
    await client.query('update projection._ponder_meta set value = \'{"is_ready": 1}\'')
    await vi.advanceTimersByTimeAsync(8000)
    expect((await certain()).finalizedThrough.blockNumber).toBe(42n)
  })
})

describe('a watch that nobody waits on', () => {
  it('asks nothing', async () => {
    await publish(42)
    expect(await connections()).toEqual([])
    await watch.reached(42n, stay)
    await vi.advanceTimersByTimeAsync(1000)
    const [before] = await connections()
    await vi.advanceTimersByTimeAsync(5000)
    await advance(43)
    expect(await connections()).toEqual([before])
  })
})
