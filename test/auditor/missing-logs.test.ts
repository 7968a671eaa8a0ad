/** Events that did not reach the projection are proven missing, although its rows are consistent with each other. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createChain } from '../../api/chain/client.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { versionedProjection } from '../../auditor/audit.ts'
import { findMissingLogs } from '../../auditor/counters.ts'
import { createVerify } from '../../auditor/verify.ts'
import { playRandomHistory } from '../indexer/random-world.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { type AuditedWorld, startAuditedWorld } from './audited.ts'

/** Tables whose rows the tests remove. */
const TABLES = [
  ...['claim', 'activity', 'allocation', 'execution', 'vault_position', 'issuer', 'vault', 'token'],
  ...['router', 'status_version', 'settlement'],
]

let audited: AuditedWorld
let pool: ReturnType<typeof createPool>

beforeAll(async () => {
  audited = await startAuditedWorld((world) => playRandomHistory(world, 11, 20))
  // With the role of the indexer, as before a publication.
  pool = createPool(audited.database.urls.indexer, 2)
  for (const table of TABLES) {
    await audited.owner.query(`alter table ${audited.schema}.${table} disable trigger user`)
  }
})
afterAll(async () => {
  await pool?.end()
  await audited?.stop()
})

async function findMissing(statements: readonly string[] = []) {
  const { schema, manifest, auditor, owner } = audited
  const block = await auditor.read(async (_db, _schema, at) => at)
  for (const statement of statements) await owner.query(statement.replaceAll('%s', schema))
  const found = await findMissingLogs({
    db: createProjectionDb(pool),
    schema,
    chain: auditor.chain,
    manifest,
  })
  return found.map(({ entity, field, kind, block: at }) => {
    expect([kind, at]).toEqual(['MISSING_LOGS', block.number])
    return `${entity} ${field}`
  })
}

const verify = () => {
  const { auditor, manifest, database, schema } = audited
  return createVerify({ databaseUrl: database.urls.indexer, chain: auditor.chain, manifest })(schema)
}

it('finds none in a complete index', async () => {
  expect(await findMissing()).toEqual([])
  expect(await verify()).toEqual([])
})

it('is not disturbed by a database that closes idle connections meanwhile', async () => {
  const { manifest, database, schema, owner, world } = audited
  const databaseUrl = new URL(database.urls.indexer)
  databaseUrl.searchParams.set('application_name', 'check')
  let closed: number | undefined
  const node = await startNodeProxy(async () => {
    if (closed !== undefined) return undefined
    closed = 0
    // Waits until each of them has ended.
    const { rows } = await owner.query(
      `select pg_terminate_backend(pid, ${NODE_TIMEOUT_MS}) from pg_stat_activity where application_name = 'check'`,
    )
    closed = rows.length
    return undefined
  }, world.rpcUrl)
  onTestFinished(node.stop)
  const chain = createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS })
  expect(await createVerify({ databaseUrl: databaseUrl.href, chain, manifest })(schema)).toEqual([])
  expect(closed).toBe(1)
})

it('finds a claim that nobody financed by its event', async () => {
  const one = `(select id from %s.claim where slice_count = 0 and state = 'ELIGIBLE' order by id limit 1)`
  const found = await findMissing([
    `delete from %s.activity where claim_id = ${one}`,
    `delete from %s.claim where id = ${one}`,
  ])
  expect(found).toEqual(['claim row'])
  expect(await verify()).toEqual([expect.stringMatching(/^claim 0x[0-9a-f]{64}, row: /)])
})

it('finds a slice by the count of its claim', async () => {
  const one = `(select min(ctid) from %s.allocation where repaid_at is null)`
  expect(await findMissing([`delete from %s.allocation where ctid = ${one}`])).toContain(
    'claim count(allocation)',
  )
})

it('finds a route by the nonce of its signer', async () => {
  const one = `(select min(id) from %s.execution where kind = 'ROUTE')`
  expect(await findMissing([`delete from %s.execution where id = ${one}`])).toContain(
    'wallet count(uses of nonces)',
  )
})

it('finds a holder by the supply of the vault', async () => {
  const one = `(select min(ctid) from %s.vault_position where shares > 0)`
  expect(await findMissing([`delete from %s.vault_position where ctid = ${one}`])).toContain(
    'vault sum(vaultPosition.shares)',
  )
})

it('finds rows by the lists of the registries and of the router, and an issuer by its event', async () => {
  const found = await findMissing([
    `delete from %s.vault where address = (select max(address) from %s.vault)`,
    `delete from %s.token where address = (select max(address) from %s.token)`,
    `delete from %s.router`,
    `delete from %s.status_version where subject = '${audited.manifest.contracts.financingRouter}'`,
    `delete from %s.issuer where address = (select max(address) from %s.issuer)`,
  ])
  for (const entity of ['issuer', 'router', 'statusVersion', 'token', 'vault'])
    expect(found).toContain(`${entity} row`)
})

it('reads the rows of a version at its checkpoint, whatever the indexer writes meanwhile, and writes none', async () => {
  const { schema, owner, block } = audited
  const read = versionedProjection(createProjectionDb(pool), schema)
  const count = () => owner.query(`select count(*)::int as rows from ${schema}.settlement`)
  const [{ rows: all }] = (await count()).rows
  const found = await read(async (db, _, at) => {
    await owner.query(
      `delete from ${schema}.settlement where id = (select min(id) from ${schema}.settlement)`,
    )
    const { length } = await db.selectFrom('settlement').select('id').execute()
    return [length, at.number]
  })
  expect(found).toEqual([all, block])
  expect((await count()).rows).toEqual([{ rows: all - 1 }])
  const write = read((db) => db.deleteFrom('settlement').execute())
  await expect(write).rejects.toMatchObject({ code: '25006' })
})
