/** The auditor finds nothing where the projection is as the indexer made it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditAll } from '../../auditor/audit-all.ts'
import { playRandomHistory } from '../indexer/random-world.ts'
import { type AuditedWorld, startAuditedWorld } from './audited.ts'

const SEED = Number(process.env.SEED ?? 20_261_122)

let audited: AuditedWorld

beforeAll(async () => {
  audited = await startAuditedWorld((world) => playRandomHistory(world, SEED, 60))
})
afterAll(() => audited?.stop())

it(`finds no difference in a random history (seed ${SEED})`, async () => {
  const { block, differences } = await auditAll(audited.auditor)
  expect(differences).toEqual([])
  expect(block.number).toBe(audited.block)
})
