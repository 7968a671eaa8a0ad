/** Which version the views show. The versions here have one table and the two that Ponder keeps; no indexer runs. */
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PublicationOptions, publish } from '../../indexer/service/publish.ts'
import { lockVersions, registerVersion } from '../../indexer/service/version.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

const GENESIS = `0x${'1'.repeat(64)}` as const
const OTHER_GENESIS = `0x${'2'.repeat(64)}` as const

let database: TestDatabase
let client: pg.Client
beforeEach(async () => {
  database = await createDatabase()
  client = new pg.Client({ connectionString: database.urls.indexer })
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

const version = (schema: string, genesis: PublicationOptions['version']['genesis'] = GENESIS) => ({
  schema,
  chainId: 1,
  genesis,
})

/** @param event place of the last event in the block */
const checkpoint = (block: number, event = 0) =>
  `${'1'.repeat(10)}${'1'.padStart(16, '0')}${`${block}`.padStart(16, '0')}${`${event}`.padStart(33, '0')}`

/** A version that was started and is complete through a block. */
async function complete(schema: string, block: number, genesis = GENESIS, table = 'claim') {
  await registerVersion(database.urls.indexer, version(schema, genesis))
  await client.query(`create schema ${schema}`)
  await client.query(`create table ${schema}.${table} (id text)`)
  await client.query(`create table ${schema}._ponder_meta as select 'app' as key, $1::jsonb as value`, [
    JSON.stringify({ is_ready: 1, table_names: [table] }),
  ])
  await client.query(`create table ${schema}._ponder_checkpoint (latest_checkpoint text)`)
  await client.query(`insert into ${schema}._ponder_checkpoint values ($1)`, [checkpoint(block)])
}

const index = (schema: string, block: number, event = 0) =>
  client.query(`update ${schema}._ponder_checkpoint set latest_checkpoint = $1`, [checkpoint(block, event)])

/** A publication is aborted where it has to wait, unless `change` has it go on. */
function publishVersion(schema: string, change: Partial<PublicationOptions> = {}) {
  const end = new AbortController()
  return publish({
    databaseUrl: database.urls.indexer,
    version: version(schema),
    republish: false,
    onBehind: () => end.abort(),
    signal: end.signal,
    ...change,
  })
}

/** The views, each with the schema that it reads. */
async function served(): Promise<string[]> {
  const { rows } = await client.query<{ view: string }>(
    `select view_name || ' of ' || table_schema as view from information_schema.view_table_usage
     where view_schema = 'projection' order by 1`,
  )
  return rows.map(({ view }) => view)
}

const viewsOf = (schema: string, table = 'claim') => [
  `_ponder_checkpoint of ${schema}`,
  `_ponder_meta of ${schema}`,
  `${table} of ${schema}`,
]

describe('a publication', () => {
  it('moves all views to a later version, and drops those that it does not have', async () => {
    await complete('a', 5)
    await complete('b', 5, GENESIS, 'vault')
    expect(await publishVersion('a')).toBe('PUBLISHED')
    expect(await served()).toEqual(viewsOf('a'))
    expect(await publishVersion('b')).toBe('PUBLISHED')
    expect(await served()).toEqual(viewsOf('b', 'vault'))
  })

  it('refuses a version that was started before the published one, whichever was complete first', async () => {
    await complete('a', 5)
    await complete('b', 5)
    expect(await publishVersion('b')).toBe('PUBLISHED')
    expect(await publishVersion('a')).toBe('SUPERSEDED')
    expect(await served()).toEqual(viewsOf('b'))
    expect(await publishVersion('b')).toBe('PUBLISHED')
  })

  it('refuses a version that is started again after a later one was published', async () => {
    await complete('a', 5)
    await complete('b', 5)
    await publishVersion('b')
    await registerVersion(database.urls.indexer, version('a'))
    expect(await publishVersion('a')).toBe('SUPERSEDED')
    expect(await served()).toEqual(viewsOf('b'))
  })

  it('goes back on request, and the replaced version is superseded from then on', async () => {
    await complete('a', 3)
    await complete('b', 5)
    await publishVersion('b')
    expect(await publishVersion('a', { republish: true })).toBe('PUBLISHED')
    expect(await served()).toEqual(viewsOf('a'))
    expect(await publishVersion('b')).toBe('SUPERSEDED')
    expect(await publishVersion('a')).toBe('PUBLISHED')
  })

  it('waits until the version is as far as the published one', async () => {
    await complete('a', 5)
    await complete('b', 4)
    await publishVersion('a')
    let publication: Promise<string> | undefined
    await new Promise<void>((behind) => {
      publication = publishVersion('b', { onBehind: behind })
    })
    await index('a', 6)
    await index('b', 5)
    expect(await served()).toEqual(viewsOf('a'))
    await index('b', 6)
    expect(await publication).toBe('PUBLISHED')
    expect(await served()).toEqual(viewsOf('b'))
  })

  it('reports once that the published version is ahead, however often it looks', async () => {
    await complete('a', 5)
    await complete('b', 4)
    await publishVersion('a')
    const hold = async () => {
      await client.query('begin')
      await lockVersions(client)
    }
    await hold()
    let reports = 0
    const onBehind = () => {
      reports += 1
    }
    const end = new AbortController()
    const publication = publishVersion('b', { onBehind, signal: end.signal }).catch(() => 'ended')
    for (let look = 0; look < 3; look += 1) {
      await untilWaiting(1)
      await client.query('rollback')
      await hold()
    }
    end.abort()
    await client.query('rollback')
    expect([await publication, reports]).toEqual(['ended', 1])
  })

  it('does not wait for events of the block that the published version is at, which may be no longer indexed', async () => {
    await complete('a', 5)
    await complete('b', 5)
    await index('a', 5, 7)
    await publishVersion('a')
    expect(await publishVersion('b')).toBe('PUBLISHED')
  })

  it('waits for a block that the published version is about to commit, so that no read goes back', async () => {
    await complete('a', 5)
    await complete('b', 5)
    await publishVersion('a')
    await client.query('begin')
    await index('a', 6)
    const outcome = publishVersion('b').catch(() => 'behind')
    expect(await Promise.race([outcome, untilWaiting(1, 'transactionid')])).toBe('waiting')
    await client.query('commit')
    expect(await outcome).toBe('behind')
    expect(await served()).toEqual(viewsOf('a'))
  })

  it('ends its wait with its signal', async () => {
    await complete('a', 5)
    await complete('b', 4)
    await publishVersion('a')
    await expect(publishVersion('b')).rejects.toThrow('aborted')
    expect(await served()).toEqual(viewsOf('a'))
  })

  it('compares no blocks of different chains', async () => {
    await complete('a', 5)
    await publishVersion('a')
    await complete('b', 1, OTHER_GENESIS)
    const other = { version: version('b', OTHER_GENESIS) }
    expect(await publishVersion('b', other)).toBe('PUBLISHED')
    expect(await publishVersion('a')).toBe('PUBLISHED')
    expect(await served()).toEqual(viewsOf('a'))
  })

  it('restores views that were dropped with their schema', async () => {
    await complete('a', 5)
    await publishVersion('a')
    await client.query('drop schema a cascade')
    expect(await served()).toEqual([])
    await complete('a', 2)
    expect(await publishVersion('a')).toBe('PUBLISHED')
    expect(await served()).toEqual(viewsOf('a'))
  })

  it.each(['claim', '_ponder_meta', '_ponder_checkpoint'])(
    'restores the view %s where it alone was dropped',
    async (view) => {
      await complete('a', 5)
      await publishVersion('a')
      await client.query(`drop view projection.${view}`)
      expect(await publishVersion('a')).toBe('PUBLISHED')
      expect(await served()).toEqual(viewsOf('a'))
    },
  )

  it('takes no account of a version whose schema was dropped: neither of its start nor of its block', async () => {
    await complete('a', 3)
    await complete('b', 5)
    await publishVersion('b')
    await client.query('drop schema b cascade')
    expect(await publishVersion('a')).toBe('PUBLISHED')
    expect(await served()).toEqual(viewsOf('a'))
    await client.query('drop schema a cascade')
    await complete('c', 1)
    expect(await publishVersion('c')).toBe('PUBLISHED')
    expect(await served()).toEqual(viewsOf('c'))
  })

  it('describes its views, also those that stay', async () => {
    await complete('a', 5)
    const describedAs = async () => {
      const text = `select col_description('projection.claim'::regclass, 1) as words`
      return (await client.query(text)).rows[0]?.words
    }
    await publishVersion('a')
    expect(await describedAs()).toBe('Id of the claim.')
    await client.query(`comment on column projection.claim.id is 'of an earlier release'`)
    await publishVersion('a')
    expect(await describedAs()).toBe('Id of the claim.')
  })

  it('takes place only if its check passes, which a version needs once', async () => {
    await complete('a', 5)
    const verify = async () => ['a claim is missing']
    await expect(publishVersion('a', { verify })).rejects.toThrow(
      'a lacks events of the chain, 1 differences: a claim is missing',
    )
    expect(await served()).toEqual([])
    const checked: string[] = []
    await publishVersion('a', {
      verify: async (schema) => {
        checked.push(schema)
        return []
      },
    })
    expect([checked, await served()]).toEqual([['a'], viewsOf('a')])
    expect(await publishVersion('a', { verify })).toBe('PUBLISHED')
  })

  it('of an index that lacks events is refused with the first five differences and the number of all', async () => {
    await complete('a', 5)
    const verify = async () => Array.from({ length: 7 }, (_, number) => `difference ${number}`)
    await expect(publishVersion('a', { verify })).rejects.toThrow(
      /^a lacks events of the chain, 7 differences: (?:difference [0-3]; ){4}difference 4$/,
    )
  })

  it('notifies readers, and from then on with each block of the version', async () => {
    await complete('a', 5)
    const reader = new pg.Client({ connectionString: database.urls.gateway })
    await reader.connect()
    let notifications = 0
    reader.on('notification', () => {
      notifications++
    })
    await reader.query('listen projection_live_query')
    await publishVersion('a')
    await expect.poll(() => notifications).toBe(1)
    await index('a', 6)
    await expect.poll(() => notifications).toBe(2)
    await reader.end()
  })
})

describe('two publications at once', () => {
  it('are one after the other: each waits for the one before', async () => {
    await complete('one', 5)
    await client.query('begin')
    await lockVersions(client)
    const others = [
      registerVersion(database.urls.indexer, version('other')).then(() => 'registered'),
      publishVersion('one').then(() => 'published'),
    ]
    expect(await Promise.race([...others, untilWaiting(others.length)])).toBe('waiting')
    await client.query('rollback')
    expect((await Promise.all(others)).toSorted()).toEqual(['published', 'registered'])
  })
})

/** Resolves when `count` connections to this database wait for a lock. */
async function untilWaiting(count: number, kind: 'advisory' | 'transactionid' = 'advisory'): Promise<string> {
  const watcher = new pg.Client({ connectionString: database.urls.indexer })
  await watcher.connect()
  const waiting = `select from pg_locks join pg_stat_activity using (pid)
    where locktype = $1 and not granted and datname = current_database()`
  while ((await watcher.query(waiting, [kind])).rowCount !== count) await setImmediate()
  await watcher.end()
  return 'waiting'
}
