/** Events that did not reach the projection are proven missing, although its rows are consistent with each other. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { findMissingLogs } from '../../auditor/counters.ts'
import { createVerify } from '../../auditor/verify.ts'
import { playRandomHistory } from '../indexer/random-world.ts'
import { type AuditedWorld, startAuditedWorld } from './audited.ts'

let audited: AuditedWorld
let pool: ReturnType<typeof createPool>

beforeAll(async () => {
  audited = await startAuditedWorld((world) => playRandomHistory(world, 11, 20))
  // With the role of the indexer, as before a publication.
  pool = createPool(audited.database.urls.indexer, 2)
  for (const table of ['claim', 'activity', 'allocation', 'execution', 'vault_position', 'issuer', 'vault']) {
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

it('finds a vault by the list of the registry, and an issuer by its event', async () => {
  const found = await findMissing([
    `delete from %s.vault where address = (select max(address) from %s.vault)`,
    `delete from %s.issuer where address = (select max(address) from %s.issuer)`,
  ])
  expect(found).toContain('vault row')
  expect(found).toContain('issuer row')
})
