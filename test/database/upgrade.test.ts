/** A database that one role owns, as every database did before there were roles, becomes one of three roles. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '../../api/projection/session/database.ts'
import { migrateStore } from '../../api/store/migrations/migrate.ts'
import { grantRoles } from '../../devnet/database-roles.ts'
import { startIndexer } from '../../indexer/service/indexer.ts'
import { freePort } from '../support/anvil.ts'
import { writeTestManifest } from '../support/indexer.ts'
import { createBareDatabase } from '../support/postgres.ts'
import { startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { openSession } from './sessions.ts'

type Database = Awaited<ReturnType<typeof createBareDatabase>>

const NOT_THEIR_OWNER = `
  select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where (nspname ~ '^(projection$|indexer_|ponder_sync$)' and (nspowner::regrole::text, relowner::regrole::text) <> ('indexer', 'indexer'))
    or (nspname = 'gateway' and (nspowner::regrole::text, relowner::regrole::text) <> ('gateway', 'gateway'))
    or (nspname = 'audit' and (nspowner::regrole::text, relowner::regrole::text) <> ('auditor', 'auditor'))
  union all
  select proname from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
  where nspname ~ '^(projection|indexer_.*)$' and proowner::regrole::text <> 'indexer'`

describe('a database of one owner', () => {
  let database: Database
  let world: Awaited<ReturnType<typeof startWorld>>
  let manifest: Awaited<ReturnType<typeof writeTestManifest>>

  beforeAll(async () => {
    ;[world, database] = await Promise.all([startWorld(), createBareDatabase()])
    manifest = await writeTestManifest(world)
    await act.createFundedVault(world, { token: world.usd, capital: 1000n })
  })
  afterAll(async () => {
    await manifest.remove()
    await database.drop()
    await world.stop()
  })

  const index = async (databaseUrl: string) => {
    const indexer = await startIndexer({
      chainId: world.chainId,
      rpcUrls: [world.rpcUrl],
      databaseUrl,
      port: await freePort(),
      deploymentsDir: manifest.folder,
      soleWriter: true,
    })
    await indexer.ready()
    await indexer.stop()
    return indexer.schema
  }
  const migrate = async (databaseUrl: string) => {
    const pool = createPool(databaseUrl, 1)
    await migrateStore(pool)
    await pool.end()
  }

  it('is handed over with all rows, and indexed and migrated on by the new owners', async () => {
    await migrate(database.url)
    const schema = await index(database.url)
    const owner = await openSession(database.url)
    await owner.run(`insert into gateway.used_nonce values ('kept', now())`)

    expect(await owner.run(NOT_THEIR_OWNER)).not.toEqual([])
    await grantRoles(database.url)
    const urls = await grantRoles(database.url)
    expect(await owner.run(NOT_THEIR_OWNER)).toEqual([])
    expect(await index(urls.indexer)).toBe(schema)
    await migrate(urls.gateway)
    const gateway = await openSession(urls.gateway)
    expect(await gateway.run('select nonce from gateway.used_nonce')).toEqual([{ nonce: 'kept' }])
    expect(await gateway.run('select count(*) from projection.vault')).toEqual([{ count: '1' }])
    await Promise.all([owner.end(), gateway.end()])
  })
})

describe('an owner without superuser rights', () => {
  let database: Database
  beforeAll(async () => {
    database = await createBareDatabase()
  })
  afterAll(() => database.drop())

  it('sets up its database with the same script', async () => {
    const url = new URL(database.url)
    const admin = await openSession(database.url)
    await admin.run(`create role plain_owner login createrole password 'plain'`)
    await admin.run('grant indexer, gateway, auditor, analyst to plain_owner with admin option')
    await admin.run(`alter database ${url.pathname.slice(1)} owner to plain_owner`)
    url.username = 'plain_owner'
    url.password = 'plain'
    const urls = await grantRoles(url.href)
    expect(await admin.run(NOT_THEIR_OWNER)).toEqual([])
    const pool = createPool(urls.gateway, 1)
    await migrateStore(pool)
    await pool.end()
    const analyst = await openSession(urls.analyst)
    expect(await analyst.allowed(['select * from gateway.route_intent'])).toEqual([])
    await analyst.end()
    await admin.run(`alter database ${url.pathname.slice(1)} owner to postgres`)
    await admin.run('drop owned by plain_owner')
    await admin.run('drop role plain_owner')
    await admin.end()
  })
})
