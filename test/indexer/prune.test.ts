/** Schemas of former versions, listed and dropped by the command of the operator. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connected, transaction } from '../../indexer/service/connection.ts'
import { dropFormer, findFormer } from '../../indexer/service/prune.ts'
import { lockVersions, recordPublication, registerVersion } from '../../indexer/service/version.ts'
import { takeWriterLock } from '../../indexer/service/writer-lock.ts'
import { INHERITED } from '../support/inherited.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

const GENESIS = `0x${'1'.repeat(64)}` as const
const SCRIPT = join(import.meta.dirname, '../../scripts/prune-indexes.ts')

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

/** A version with rows in two tables and an index, as Ponder leaves it. */
async function index(schema: string): Promise<void> {
  await registerVersion(database.urls.indexer, { schema, chainId: 1, genesis: GENESIS })
  await client.query(`create schema "${schema}"; create table "${schema}"._ponder_checkpoint ();
    create table "${schema}".claim as select generate_series(1, 100000) as id;
    create table "${schema}".vault as select generate_series(1, 40000) as id;
    create index on "${schema}".claim (id)`)
}

const publish = (schema: string) =>
  connected(database.urls.indexer, (own) =>
    transaction(own, async () => {
      await lockVersions(own)
      await recordPublication(own, schema)
    }),
  )

const schemas = async () => {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname like 'indexer%' order by 1`,
  )
  return rows.map(({ name }) => name)
}

const prune = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...INHERITED, DATABASE_URL: database.urls.indexer }
    execFile(process.execPath, [SCRIPT, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })

describe('former versions of the indexer', () => {
  it('are none on a database without a published version, even if some were started', async () => {
    expect(await findFormer(database.urls.indexer)).toEqual([])
    await index('indexer_a')
    await index('indexer_b')
    expect(await findFormer(database.urls.indexer)).toEqual([])
    expect(await dropFormer(database.urls.indexer, 'indexer_a')).toBe(false)
  })

  it('are listed by the command, and dropped only with --drop: neither the published one, nor a later one, nor one that is written', async () => {
    for (const schema of ['indexer_a', 'indexer_b', 'indexer_c', 'indexer_d']) await index(schema)
    await publish('indexer_a')
    await publish('indexer_c')
    const writer = await takeWriterLock({
      databaseUrl: database.urls.indexer,
      schema: 'indexer_b',
      onWait: () => {},
    })
    const listed = await prune()
    expect(listed.output).toMatch(/indexer_a {2}7 MB {2}published \S+ {2}not dropped/)
    expect(listed.output).toMatch(/indexer_b {2}7 MB {2}never published {2}kept: an indexer writes it/)
    expect(listed.output).not.toMatch(/indexer_[cd]/)
    expect(await schemas()).toHaveLength(4)
    expect((await prune('--drop')).output).toMatch(/indexer_a .* dropped/)
    expect(await dropFormer(database.urls.indexer, 'indexer_b')).toBe(false)
    expect(await schemas()).toEqual(['indexer_b', 'indexer_c', 'indexer_d'])
    await writer.release()
    expect((await prune('--drop')).output).toMatch(/indexer_b .* dropped/)
    expect(await schemas()).toEqual(['indexer_c', 'indexer_d'])
    expect(await prune('--drop')).toEqual({ code: 0, output: 'No schema of a former version.\n' })
    for (const schema of ['indexer_c', 'indexer_d', 'public', 'projection'])
      expect(await dropFormer(database.urls.indexer, schema)).toBe(false)
  })

  it('are in the order of their first starts', async () => {
    for (const schema of ['indexer_b', 'indexer_c', 'indexer_a', 'indexer_d']) await index(schema)
    await publish('indexer_d')
    const former = await findFormer(database.urls.indexer)
    expect(former.map(({ schema }) => schema)).toEqual(['indexer_b', 'indexer_c', 'indexer_a'])
  })

  it('are none once the schema of the only published version was dropped, whatever was started before it', async () => {
    for (const schema of ['indexer_a', 'indexer_b', 'indexer_c']) await index(schema)
    await publish('indexer_c')
    expect(await findFormer(database.urls.indexer)).toHaveLength(2)
    await client.query('drop schema indexer_c cascade')
    expect(await findFormer(database.urls.indexer)).toEqual([])
    expect(await dropFormer(database.urls.indexer, 'indexer_a')).toBe(false)
    await publish('indexer_b')
    const former = await findFormer(database.urls.indexer)
    expect(former.map(({ schema }) => schema)).toEqual(['indexer_a'])
  })

  it('are not dropped by a command with an unknown option', async () => {
    expect((await prune('--force')).code).toBe(2)
  })
})
