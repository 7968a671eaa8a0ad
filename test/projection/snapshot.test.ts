import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { toCodedError } from '../../api/errors.ts'
import { cancelOnAbort } from '../../api/projection/session/cancel.ts'
import { connectControl } from '../../api/projection/session/control.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { openSnapshot, readSnapshot } from '../../api/projection/session/snapshot.ts'
import { parseCheckpoint } from '../../api/projection/session/state.ts'
import { setUp } from '../../api/projection/session/statement.ts'
import { createDatabase } from '../support/postgres.ts'
import { sharedWorld } from '../support/world.ts'

describe('a snapshot of the projection', () => {
  const pool = createPool(sharedWorld().databaseUrl, 2)
  const db = createProjectionDb(pool)
  afterAll(() => pool.end())

  it('names the finalized block it is of', async () => {
    const { blockNumber, timestamp } = await readSnapshot(db, async (snapshot) => snapshot.finalizedThrough)
    const { rows } = await pool.query('select max(registered_block) as block from projection.claim')
    expect(blockNumber).toBeGreaterThanOrEqual(rows[0].block)
    expect(timestamp).toBeGreaterThan(1_700_000_000n)
  })

  it('sees nothing that was committed after it was opened', async () => {
    const name = `seen_${process.pid}`
    const exists = sql<{ oid: string | null }>`select oid from pg_class where relname = ${name}`
    try {
      await readSnapshot(db, async (snapshot) => {
        await pool.query(`create table gateway.${name} ()`)
        expect((await exists.execute(db)).rows).toHaveLength(1)
        expect((await exists.execute(snapshot.db)).rows).toHaveLength(0)
      })
    } finally {
      await pool.query(`drop table gateway.${name}`)
    }
  })

  it.each([
    ['0', undefined],
    ['12345ms', 12_345],
  ])('may last %s, idle or not, and is the work of one process', async (limit, deadlineMs) => {
    const { snapshot, close } = await openSnapshot(db, deadlineMs === undefined ? {} : { deadlineMs })
    const settings = sql`
      select current_setting('transaction_timeout') as transaction, current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('max_parallel_workers_per_gather') as workers`
    const { rows } = await settings.execute(snapshot.db).finally(close)
    expect(rows).toEqual([{ transaction: limit, statement: '0', idle: limit, workers: '0' }])
  })

  it('that is one statement has settings of its connection', async () => {
    const client = await pool.connect()
    await client.query(`set DateStyle to German; set jit to on; set max_parallel_workers_per_gather to 2`)
    const process = await setUp(client)
    const { rows } = await client.query(`
      select pg_backend_pid() as process, (timestamp 'epoch')::text as text, current_setting('jit') as jit,
        current_setting('max_parallel_workers_per_gather') as workers`)
    client.release(true)
    expect(rows).toMatchObject([{ process, text: '1970-01-01 00:00:00', jit: 'off', workers: '0' }])
  })

  it('has amounts as exact integers, in lists, too', async () => {
    const { rows } = await pool.query(`
      select 9007199254740993::int8 as place, 2::numeric ^ 200 as amount, array[2::numeric ^ 70, 3] as amounts,
        '{}'::numeric[] as none`)
    const [place, amount] = [9_007_199_254_740_993n, 2n ** 200n]
    expect(rows).toEqual([{ place, amount, amounts: [2n ** 70n, 3n], none: [] }])
  })

  it('cannot write', async () => {
    const write = readSnapshot(db, ({ db }) => sql`create table gateway.other ()`.execute(db))
    await expect(write).rejects.toMatchObject({ code: '25006' })
  })

  it('gives its connection back, after a failure too', async () => {
    for (let i = 0; i < 5; i += 1) {
      await expect(readSnapshot(db, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    }
    expect(await readSnapshot(db, async () => 'read')).toBe('read')
    expect(pool.idleCount).toBe(pool.totalCount)
  })

  it('that loses its connection fails as an outage, and leaves the pool fit for the next', async () => {
    const small = createPool(sharedWorld().databaseUrl, 1)
    small.on('error', () => {})
    const own = createProjectionDb(small)
    const lost = readSnapshot(own, async (snapshot) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(snapshot.db)
      await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      return sql`select 1`.execute(snapshot.db)
    })
    expect(toCodedError(await lost.catch((error: unknown) => error)).code).toBe('DATABASE_UNAVAILABLE')
    expect(await readSnapshot(own, async () => 'read')).toBe('read')
    await small.end()
  })

  it('cancels what it reads for a client that left before it was open', async () => {
    const control = connectControl(sharedWorld().databaseUrl, 60_000, pino({ level: 'silent' }))
    onTestFinished(() => control.close())
    const abort = { signal: AbortSignal.abort(), cancel: control.cancel }
    const { snapshot, close } = await openSnapshot(db, { abort })
    const read = sql`select pg_sleep(20)`.execute(snapshot.db).finally(close)
    await expect(read).rejects.toMatchObject({ code: '57014' })
  })

  it('gives its connection back when its cancellation has ended, which would cancel the next statement', async () => {
    const small = createPool(sharedWorld().databaseUrl, 1)
    const order: string[] = []
    const cancel = async () => {
      await pause(200)
      order.push('cancelled')
    }
    const abort = { signal: AbortSignal.abort(), cancel }
    const { close } = await openSnapshot(createProjectionDb(small), { abort })
    const closed = close()
    await small.query('select 1')
    order.push('next')
    await closed
    expect(order).toEqual(['cancelled', 'next'])
    await small.end()
  })

  it('starts with the view that the indexer replaces first, so that it never straddles a publication', async () => {
    const { rows } = await pool.query(`
      select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = 'projection' and relkind = 'v' order by pg_class.oid limit 1`)
    expect(rows).toEqual([{ relname: 'router' }])
  })
})

describe('a cancellation with a deadline', () => {
  it('does not begin after the statement has ended', async () => {
    const cancelled: number[] = []
    const cancel = async (backendPid: number) => void cancelled.push(backendPid)
    const abort = { signal: new AbortController().signal, cancel }
    await cancelOnAbort(abort, 42, 10)()
    const stop = cancelOnAbort(abort, 43, 10)
    await expect.poll(() => cancelled).toContain(43)
    await stop()
    expect(cancelled).not.toContain(42)
  })
})

describe('a cancellation for a client that leaves', () => {
  const left: number[] = []
  const cancel = async (backendPid: number) => void left.push(backendPid)

  it('does not begin after the statement has ended: another may use the connection', async () => {
    const leaving = new AbortController()
    await cancelOnAbort({ signal: leaving.signal, cancel }, 44)()
    leaving.abort()
    expect(left).not.toContain(44)
  })

  it('ends with the statement, also where its deadline passes, too', async () => {
    const stop = cancelOnAbort({ signal: AbortSignal.abort(), cancel }, 45, 1)
    const passed = () => left.filter((pid) => pid === 46).length
    const stopOther = cancelOnAbort({ signal: AbortSignal.abort(), cancel }, 46)
    await expect.poll(passed).toBeGreaterThan(2)
    await stop()
    const [before, round] = [left.filter((pid) => pid === 45).length, passed()]
    await expect.poll(passed).toBeGreaterThan(round + 3)
    await stopOther()
    expect(left.filter((pid) => pid === 45)).toHaveLength(before)
  })

  it('fails no read where the connection that cancels fails', async () => {
    const failing = () => Promise.reject(new Error('no connection'))
    const stop = cancelOnAbort({ signal: AbortSignal.abort(), cancel: failing }, 47)
    await expect(stop()).resolves.toBeUndefined()
  })
})

describe('before the first index is complete', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  it('answers NOT_READY while there is no schema to read', async () => {
    const pool = createPool(database.url, 1)
    const read = () => readSnapshot(createProjectionDb(pool), async () => 'read')
    await expect(read()).rejects.toMatchObject({ code: 'NOT_READY', status: 503 })
    await expect(read()).rejects.toMatchObject({ code: 'NOT_READY', status: 503 })
    await pool.end()
  })

  it('answers NOT_READY while the index is not complete, however far its checkpoint is', async () => {
    const pool = createPool(database.url, 1)
    const checkpoint = `1700000123${'31337'.padStart(16, '0')}${'42'.padStart(16, '0')}${'9'.repeat(33)}`
    await pool.query(`
      create schema if not exists projection;
      create table projection.router ();
      create table projection._ponder_meta as select '{"is_ready": 0}'::jsonb as value;
      create table projection._ponder_checkpoint as select '${checkpoint}' as latest_checkpoint`)
    const read = () => readSnapshot(createProjectionDb(pool), async () => 'read')
    await expect(read()).rejects.toMatchObject({ code: 'NOT_READY', status: 503 })
    await pool.query(`update projection._ponder_meta set value = '{"is_ready": 1}'`)
    expect(await read()).toBe('read')
    await pool.query('delete from projection._ponder_checkpoint')
    await expect(read()).rejects.toMatchObject({ code: 'NOT_READY', status: 503 })
    await pool.end()
  })
})

describe('the checkpoint', () => {
  it('has time and block', () => {
    const checkpoint = `1700000123${'31337'.padStart(16, '0')}${'42'.padStart(16, '0')}${'9'.repeat(33)}`
    expect(parseCheckpoint(checkpoint)).toEqual({ blockNumber: 42n, timestamp: 1_700_000_123n })
  })

  it('is refused in any other shape, lest a newer indexer be misread', () => {
    for (const text of ['', '0', '9'.repeat(74), '9'.repeat(76), `${'9'.repeat(74)}x`]) {
      expect(() => parseCheckpoint(text)).toThrow('Not a checkpoint')
    }
  })
})
