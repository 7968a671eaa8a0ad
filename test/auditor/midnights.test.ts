/** Payments at the days' borders that change the value of a vault are audited as the indexer counts them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditAll } from '../../auditor/audit-all.ts'
import type { World } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { type AuditedWorld, startAuditedWorld } from './audited.ts'

const FACE = 1000n
const WRITE_DOWN = 90n * act.DAY

let audited: AuditedWorld
beforeAll(async () => {
  audited = await startAuditedWorld(payAtBorders)
})
afterAll(() => audited?.stop())

/** Pays parts in the last second before a slice is overdue and in the first one after, and so around its write-off. */
async function payAtBorders(world: World): Promise<void> {
  const { issuer, beneficiary, payer } = world.parties
  const vault = await act.createFundedVault(world, { token: world.usd, capital: 10n * FACE })
  const overdueFrom = ((await act.chainTime(world)) / act.DAY + 3n) * act.DAY
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: FACE }
  const { claimId } = await act.registerClaim(world, { ...terms, dueDate: overdueFrom - 1n })
  await act.executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: FACE })
  await act.mint(world, { token: world.usd, to: payer.address, amount: FACE })
  const spender = world.protocol.financingRouter
  await act.approve(world, { owner: payer, token: world.usd, spender, amount: FACE })
  const writtenOffAt = overdueFrom + WRITE_DOWN
  for (const timestamp of [overdueFrom - 1n, overdueFrom, writtenOffAt - 1n, writtenOffAt]) {
    await world.chain.setNextBlockTimestamp({ timestamp })
    await act.pay(world, { payer, claimId, faceAmount: FACE / 8n })
  }
}

it('payments at these borders are audited without a difference', async () => {
  const { block, differences } = await auditAll(audited.auditor)
  expect(differences).toEqual([])
  expect(block.number).toBe(audited.block)
})
