/** One process writes a schema: others wait, and the one that has the lock keeps it until it releases it. */
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connected, transaction } from '../../indexer/service/connection.ts'
import { startIndexer } from '../../indexer/service/indexer.ts'
import { excludeWriter, takeWriterLock, type WriterLock } from '../../indexer/service/writer-lock.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

let database: TestDatabase
let databaseUrl: string
const locks: WriterLock[] = []
beforeEach(async () => {
  database = await createDatabase()
  databaseUrl = database.urls.indexer
})
afterEach(async () => {
  for (const lock of locks.splice(0)) await lock.release()
  await database.drop()
})

async function take(
  schema: string,
  onWait: () => void = () => {},
  signal?: AbortSignal,
): Promise<WriterLock> {
  const lock = await takeWriterLock({ databaseUrl, schema, onWait, signal })
  locks.push(lock)
  return lock
}

const isFree = (schema: string) =>
  connected(databaseUrl, (client) => transaction(client, () => excludeWriter(client, schema)))

describe('the lock of a writer', () => {
  it('is that of its schema: others of the schema wait, and get it when it is released', async () => {
    const first = await take('a')
    expect([await isFree('a'), await isFree('b')]).toEqual([false, true])
    const waits: string[] = []
    await take('b', () => waits.push('b'))
    let second: Promise<WriterLock> | undefined
    await new Promise<void>((resolve) => {
      second = take('a', () => {
        waits.push('a')
        resolve()
      })
    })
    await first.release()
    await first.lost
    await second
    expect(waits).toEqual(['a'])
    expect(await isFree('a')).toBe(false)
  })

  it('is not given up when its signal aborts: its writer stops first', async () => {
    const end = new AbortController()
    await take('a', () => {}, end.signal)
    end.abort()
    const waiting = new AbortController()
    const next = take('a', () => waiting.abort(new Error('the wait has ended')), waiting.signal)
    await expect(next).rejects.toThrow('the wait has ended')
    expect(await isFree('a')).toBe(false)
  })

  it('is not taken where the signal has aborted before', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(take('a', () => {}, stopped)).rejects.toThrow('stopped')
    expect(await isFree('a')).toBe(true)
    await take('a')
    await expect(take('a', () => {}, stopped)).rejects.toThrow('stopped')
  })

  it('is released where the start fails that has taken it', async () => {
    await connected(databaseUrl, (client) =>
      client.query('create table projection._version (of_another_program text)'),
    )
    const start = startIndexer({
      ...{ chainId: 1, rpcUrls: ['http://127.0.0.1:1'], databaseUrl, port: 0, schema: 'a' },
      ...{ nodesStartLater: true, genesis: `0x${'1'.repeat(64)}` },
    })
    await expect(start).rejects.toThrow('column "schema"')
    expect(await isFree('a')).toBe(true)
  })

  it('outlives the time after which the server ends idle sessions', async () => {
    const administrator = new pg.Client({ connectionString: database.url })
    await administrator.connect()
    await administrator.query(
      `do $$ begin execute format('alter database %I set idle_session_timeout = 200', current_database()); end $$`,
    )
    await administrator.end()
    await take('a')
    const idle = new pg.Client({ connectionString: databaseUrl })
    idle.on('error', () => {})
    const ended = new Promise((resolve) => idle.once('end', resolve))
    await idle.connect()
    await idle.query('select 1')
    await ended
    expect(await isFree('a')).toBe(false)
  })
})
