/** Amounts and times at the bounds of their types are compared like any other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { publishedProjection } from '../../auditor/audit.ts'
import { auditAll } from '../../auditor/audit-all.ts'
import { rollups } from '../../auditor/rollups/index.ts'
import { compareRollup } from '../../auditor/rollups/rollup.ts'
import { emitExtremes } from '../indexer/emit-extremes.ts'
import { playRandomHistory } from '../indexer/random-world.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { type AuditedWorld, startAuditedWorld } from './audited.ts'

const SEED = 7

describe('a history with the extreme amounts and times that the contracts accept', () => {
  let audited: AuditedWorld
  beforeAll(async () => {
    audited = await startAuditedWorld((world) => playRandomHistory(world, SEED, 0))
  })
  afterAll(() => audited?.stop())

  it('has rows with these extremes', async () => {
    const { rows } = await audited.owner.query(`
      select (select max(face_value)::text from projection.claim) as face,
        (select max(due_at)::text from projection.claim) as due,
        (select count(distinct claim_type)::int from projection.vault_terms) as types,
        (select max(array_length(premium_bps, 1)) from projection.vault) as premiums,
        (select max(max_face)::text from projection.vault) as "maxFace",
        (select max(max_claim_face)::text from projection.vault) as "maxClaimFace",
        (select min(advance_amount)::text from projection.allocation) as advance`)
    expect(rows).toEqual([
      {
        face: String(2n ** 128n - 1n),
        due: String(2n ** 64n - 1n),
        types: expect.any(Number),
        premiums: expect.any(Number),
        maxFace: expect.any(String),
        maxClaimFace: expect.any(String),
        advance: '0',
      },
    ])
  })

  it('has no difference', async () => {
    const { block, differences } = await auditAll(audited.auditor)
    expect(differences).toEqual([])
    expect(block.number).toBe(audited.block)
  })
})

describe('sums above the largest amount', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  let database: IndexedDatabase
  let pool: ReturnType<typeof createPool>
  beforeAll(async () => {
    world = await startWorld()
    await emitExtremes(world)
    database = await createIndexedDatabase(world)
    pool = createPool(database.urls.auditor, 1)
    await (await database.start()).ready()
    await finalizeAndProject(world, database.pool)
  })
  afterAll(async () => {
    await pool?.end()
    await database?.remove()
    await world?.stop()
  })

  // The logs settle a claim long before it is due, which no contract does. The projection counts it on the due date,
  // the auditor when it is settled.
  const possible = rollups.filter(({ name }) => name !== 'dueDay')
  it.each(possible)('are computed again without a difference: $name', async (rollup) => {
    const read = publishedProjection(createProjectionDb(pool))
    expect(await read((db, schema) => compareRollup(db, schema, rollup))).toEqual([])
  })
})
