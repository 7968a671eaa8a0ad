/** Each role of `deployments/database-roles.sql` can do its work and nothing beyond. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { isHoldingUp, readSnapshot } from '../../api/projection/session/snapshot.ts'
import { readAudit } from '../../api/projection/tables/audit.ts'
import { migrateStore } from '../../api/store/migrations/migrate.ts'
import { type AuditStore, openStore, saveProgress } from '../../auditor/store.ts'
import type { Indexer } from '../../indexer/service/indexer.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { changesOf, openSession, relationsIn, type Session } from './sessions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let indexed: IndexedDatabase
let indexer: Indexer
let owner: Session
let gateway: Session
let analyst: Session
let auditor: Session
/** An analyst who lifts the defaults of the role. */
let bold: Session
let pool: ReturnType<typeof createPool>
let auditorPool: ReturnType<typeof createPool>
let store: AuditStore
let views: string[]
/** A table, which readers may read. */
const VERSIONS = 'projection._version'

beforeAll(async () => {
  world = await startWorld()
  indexed = await createIndexedDatabase(world)
  const { urls } = indexed
  pool = createPool(urls.gateway, 2)
  await migrateStore(pool)
  await act.createFundedVault(world, { token: world.usd, capital: 1000n })
  indexer = await indexed.start()
  await indexer.ready()
  await finalizeAndProject(world, indexed.pool)
  owner = await openSession(indexed.ownerUrl)
  gateway = await openSession(urls.gateway)
  analyst = await openSession(urls.analyst)
  auditor = await openSession(urls.auditor)
  auditorPool = createPool(urls.auditor, 1)
  store = await openStore(auditorPool)
  bold = await openSession(urls.analyst)
  await bold.run('set default_transaction_read_only = off')
  views = (await relationsIn(owner, '^projection$')).filter((name) => name !== VERSIONS)
})
afterAll(async () => {
  await Promise.all([owner.end(), gateway.end(), analyst.end(), auditor.end(), bold.end()])
  await Promise.all([pool.end(), auditorPool.end()])
  await indexed.remove()
  await world.stop()
})

/** Statements that no reader of the projection may run, on it or on the rest of the database. */
const forbidden = async () => {
  const [view = ''] = views
  const tables = await relationsIn(owner, '^(indexer_|ponder_sync)')
  expect([views.length, tables.length]).toEqual([29, expect.any(Number)])
  return [
    ...views.flatMap((view) => changesOf('view', view)),
    ...views.map((name) => `select * from ${name} for update`),
    ...tables.flatMap((table) => [`select * from ${table}`, ...changesOf('table', table)]),
    ...changesOf('table', VERSIONS),
    `update ${VERSIONS} set generation = 0`,
    'create or replace function projection.notify_block() returns trigger language plpgsql as $$begin end$$',
    'update projection.vault set active = false',
    'update projection._ponder_meta set value = value',
    `create or replace view ${view} as select 1 as one`,
    `create rule other as on insert to ${view} do instead nothing`,
    'create table projection.other ()',
    'create schema other',
    'create table public.other ()',
    'create temporary table other ()',
    'drop schema projection cascade',
    'alter schema projection rename to other',
    'set role indexer',
    'set role postgres',
    'set session authorization indexer',
    'grant indexer to current_user',
    'create role other',
    "alter role indexer password 'other'",
    'alter default privileges for role indexer grant all on tables to public',
    'alter database postgres rename to other',
    "alter system set work_mem = '1GB'",
    'create extension dblink schema projection',
    "copy projection.vault to program 'true'",
    "select pg_read_file('/etc/hostname')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/hostname')",
    'select pg_reload_conf()',
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'indexer'`,
    'select * from pg_authid',
  ]
}

describe('the role of the gateway', () => {
  it('reads every view of the projection, and what a snapshot asks of the server', async () => {
    for (const view of views) await gateway.run(`explain analyze select * from ${view}`)
    const holdsUp = await readSnapshot(createProjectionDb(pool), isHoldingUp)
    expect(holdsUp).toBe(false)
    await gateway.run('listen projection_live_query')
  })

  it('cannot write the projection, nor read behind its views, nor become another role', async () => {
    expect(await gateway.allowed(await forbidden())).toEqual([])
  })

  it('migrates again where everything is in place, beside an index that it cannot see', async () => {
    await migrateStore(pool)
    const tables = await relationsIn(owner, '^gateway$')
    const rows = await gateway.run(
      "select count(*) as tables from pg_class where relkind = 'r' and relowner = 'gateway'::regrole",
    )
    expect(rows).toEqual([{ tables: String(tables.length) }])
  })
})

describe('the role of the auditor', () => {
  it('reads every view of the projection, and writes tables that the gateway reads', async () => {
    for (const view of views) await auditor.run(`explain analyze select * from ${view}`)
    await saveProgress(store, { number: 7n, timestamp: 8n }, new Date(9000))
    const audit = await readSnapshot(createProjectionDb(pool), ({ db }) => readAudit(db, 600))
    expect(audit).toMatchObject({ state: 'STOPPED', through: { blockNumber: 7n, timestamp: 8n }, at: 9n })
  })

  it('cannot write the projection, read its tables or those of the gateway, or become another role', async () => {
    const tables = await relationsIn(owner, '^gateway$')
    const reads = tables.flatMap((table) => [`select * from ${table}`, ...changesOf('table', table)])
    expect(await auditor.allowed([...(await forbidden()), ...reads, 'set role gateway'])).toEqual([])
  })

  it('is the only role that writes its tables', async () => {
    const tables = await relationsIn(owner, '^audit$')
    expect(tables).toEqual(['audit.difference', 'audit.progress'])
    const changes = tables.flatMap((table) => changesOf('table', table))
    expect(await gateway.allowed([...changes, 'create table audit.other ()'])).toEqual([])
    const reads = tables.map((table) => `select * from ${table}`)
    expect(await bold.allowed([...reads, ...changes])).toEqual([])
  })
})

describe('the role of analysts', () => {
  it('reads every view of the projection', async () => {
    for (const view of views) await analyst.run(`select * from ${view}`)
    expect(await analyst.run('select count(*) from projection.vault')).toEqual([{ count: '1' }])
  })

  it('cannot read route intents, nor anything else of the gateway', async () => {
    const tables = await relationsIn(owner, '^gateway$')
    expect(tables).toContain('gateway.route_intent')
    expect(tables).toContain('gateway.prepared_execution')
    const reads = tables.flatMap((table) => [`select * from ${table}`, ...changesOf('table', table)])
    expect(await bold.allowed([...reads, 'create table gateway.other ()', 'set role gateway'])).toEqual([])
  })

  it('cannot write anywhere, in a session that lifts its own defaults', async () => {
    expect(await bold.allowed(await forbidden())).toEqual([])
  })

  it('cannot store large objects, nor take the lock of migrations', async () => {
    const calls = [
      'pg_advisory_lock(1)',
      'pg_try_advisory_lock(1)',
      'pg_advisory_xact_lock(1, 2)',
      'lo_create(0)',
    ]
    const statements = [...calls, "lo_from_bytea(0, 'x')"].map((call) => `select ${call}`)
    expect(await bold.allowed(statements)).toEqual([])
  })

  it('has at most 10 connections, and none of those that are reserved for the processes', async () => {
    expect(
      await owner.run(`
        select rolname, rolconnlimit, pg_has_role(oid, 'pg_use_reserved_connections', 'member') as uses_reserved
        from pg_roles where rolname in ('analyst', 'auditor', 'gateway', 'indexer') order by rolname`),
    ).toEqual([
      { rolname: 'analyst', rolconnlimit: 10, uses_reserved: false },
      { rolname: 'auditor', rolconnlimit: -1, uses_reserved: true },
      { rolname: 'gateway', rolconnlimit: -1, uses_reserved: true },
      { rolname: 'indexer', rolconnlimit: -1, uses_reserved: true },
    ])
  })

  it('reads by default only, and for at most 30 seconds', async () => {
    const settings = [
      'default_transaction_read_only',
      'statement_timeout',
      'idle_in_transaction_session_timeout',
    ]
    const shown = await Promise.all(settings.map((name) => analyst.run(`show ${name}`)))
    expect(shown.flat().flatMap(Object.values)).toEqual(['on', '30s', '30s'])
  })
})

describe('the roles of readers', () => {
  it('read the views of a later index as soon as they are published', async () => {
    await indexer.stop()
    const later = await indexed.start({ schema: 'indexer_later' })
    await later.ready()
    for (const session of [gateway, analyst]) {
      expect(await session.run('select count(*) from projection.vault')).toEqual([{ count: '1' }])
      expect(await session.allowed(['select * from indexer_later.vault'])).toEqual([])
    }
  })
})
