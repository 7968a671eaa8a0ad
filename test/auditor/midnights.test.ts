/** Payments at the borders of days, which change values and delays, are audited as the indexer counts them. */
import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { auditAll } from '../../auditor/audit-all.ts'
import { inOneBlock } from '../indexer/random-actions.ts'
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

/** Full days of delay with which the ranges of a payment record begin and end. */
const DELAYS = [1n, 2n, 7n, 8n, 30n, 31n, 90n, 91n]

/**
 * Pays parts in the last second before a slice is overdue and in the first one after, and so around its write-off, two
 * in each block: the lines between them are known by those after the second. Pays parts of a claim without slices in
 * the last second before each of its delays, and in the first one of it. Vaults that nobody uses meanwhile have their
 * value carried to the days of these borders, and to those before.
 */
async function payAtBorders(world: World): Promise<void> {
  const { issuer, beneficiary, payer } = world.parties
  const vault = await act.createFundedVault(world, { token: world.usd, capital: 10n * FACE })
  const overdueFrom = ((await act.chainTime(world)) / act.DAY + 3n) * act.DAY
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: FACE }
  const { claimId } = await act.registerClaim(world, { ...terms, dueDate: overdueFrom - 1n })
  await act.executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: FACE })
  const writtenOffAt = overdueFrom + WRITE_DOWN
  const carried: { vault: Address; day: bigint }[] = []
  for (const day of [overdueFrom - act.DAY, overdueFrom, writtenOffAt - act.DAY, writtenOffAt]) {
    const unused = await act.createFundedVault(world, { token: world.usd, capital: FACE })
    const { claimId: unpaid } = await act.registerClaim(world, { ...terms, dueDate: overdueFrom - 1n })
    const slice = { claimId: unpaid, vault: unused, faceAmount: FACE / 2n }
    await act.executeFinancing(world, { user: beneficiary, ...slice })
    carried.push({ vault: unused, day: day / act.DAY })
  }
  const dueAtNoon = overdueFrom - act.DAY / 2n
  const { claimId: delayed } = await act.registerClaim(world, { ...terms, dueDate: dueAtNoon })
  await act.mint(world, { token: world.usd, to: payer.address, amount: 2n * FACE })
  const spender = world.protocol.financingRouter
  await act.approve(world, { owner: payer, token: world.usd, spender, amount: 2n * FACE })
  const borders = [overdueFrom - 1n, overdueFrom, writtenOffAt - 1n, writtenOffAt]
  const delays = DELAYS.flatMap((days) => [days * act.DAY - 1n, days * act.DAY])
  const payments = [
    ...borders.map((timestamp) => ({ timestamp, claimId })),
    ...delays.map((delay) => ({ timestamp: dueAtNoon + delay, claimId: delayed })),
  ]
  for (const { timestamp, claimId } of payments.toSorted((a, b) => Number(a.timestamp - b.timestamp))) {
    await world.chain.setNextBlockTimestamp({ timestamp })
    const part = (faceAmount: bigint) => {
      const args = [claimId, world.usd, faceAmount] as const
      const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'pay', args })
      return [payer, { to: spender, data }] as const
    }
    await inOneBlock(world, [part(FACE / 40n), part(FACE / 50n)])
  }
  for (const { vault, day } of carried) await act.carryForward(world, { sender: payer, vault, day })
}

it('payments at these borders, and values that were carried to them, are audited without a difference', async () => {
  const { block, differences } = await auditAll(audited.auditor)
  expect(differences).toEqual([])
  expect(block.number).toBe(audited.block)
})
