import { decodeErrorResult, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { callbackTokenAbi, callbackTokenBytecode } from '../../contracts/testing/generated/CallbackToken.ts'
import {
  reentrantPayerAbi,
  reentrantPayerBytecode,
} from '../../contracts/testing/generated/ReentrantPayer.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import {
  claimOf,
  mint,
  registerClaim,
  routeOf,
  setTokenListed,
  settlementCall,
  signRoute,
  travelTo,
} from '../support/scenario.ts'
import { send } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const router = { abi: financingRouterAbi }

test.each([
  {
    entrance: 'settle',
    again: async (claimId: Hex) => settlementCall(world, { claimId }),
  },
  {
    entrance: 'executeFinancing',
    again: async (claimId: Hex) =>
      encodeFunctionData({
        ...router,
        functionName: 'executeFinancing',
        args: [claimId, world.usd, 1n, 0n, 0n],
      }),
  },
  {
    entrance: 'executeRoute',
    again: async () => {
      const route = await routeOf(world, { user: world.parties.beneficiary, legs: [] })
      const args = [route, await signRoute(world, world.parties.beneficiary, route)] as const
      return encodeFunctionData({ ...router, functionName: 'executeRoute', args })
    },
  },
  {
    entrance: 'withdrawCredit',
    again: async () => encodeFunctionData({ ...router, functionName: 'withdrawCredit', args: [world.usd] }),
  },
  {
    entrance: 'releaseRepayment',
    again: async (claimId: Hex) =>
      encodeFunctionData({ ...router, functionName: 'releaseRepayment', args: [claimId, 0] }),
  },
])('$entrance cannot be entered while a settlement moves money', async ({ again }) => {
  const { issuer, beneficiary, stranger } = world.parties
  const token = await deployForTest(world, callbackTokenAbi, callbackTokenBytecode, [])
  await setTokenListed(world, { token, listed: true })
  const payerArgs = [world.protocol.financingRouter, token]
  const payer = await deployForTest(world, reentrantPayerAbi, reentrantPayerBytecode, payerArgs)
  const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: 100n }
  const { claimId, attestation } = await registerClaim(world, terms)
  const other = await registerClaim(world, terms)
  await mint(world, { token, to: payer, amount: 1_000n })
  await travelTo(world, other.attestation.dueDate)
  expect(other.attestation.dueDate).toBeGreaterThanOrEqual(attestation.dueDate)

  const args = [claimId, await again(other.claimId)] as const
  const data = encodeFunctionData({ abi: reentrantPayerAbi, functionName: 'settleAndCallAgain', args })
  await send(world.chain, stranger, { to: payer, data })

  const read = { abi: reentrantPayerAbi, address: payer, functionName: 'refusal' } as const
  const refusal = decodeErrorResult({ abi: financingRouterAbi, data: await world.chain.readContract(read) })
  expect(refusal.errorName).toBe('ReentrancyGuardReentrantCall')
  expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
  expect(await claimOf(world, other.claimId)).toMatchObject({ state: 'ELIGIBLE' })
})
