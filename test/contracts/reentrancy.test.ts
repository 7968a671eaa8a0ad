import { type Address, decodeErrorResult, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { callbackTokenAbi, callbackTokenBytecode } from '../../contracts/testing/generated/CallbackToken.ts'
import {
  reentrantBeneficiaryAbi,
  reentrantBeneficiaryBytecode,
} from '../../contracts/testing/generated/ReentrantBeneficiary.ts'
import {
  reentrantPayerAbi,
  reentrantPayerBytecode,
} from '../../contracts/testing/generated/ReentrantPayer.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import {
  claimOf,
  createFundedVault,
  mint,
  registerClaim,
  routeOf,
  setTokenListed,
  settlementCall,
  signRoute,
  travelTo,
  vaultCapital,
} from '../support/scenario.ts'
import { send } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const router = { abi: financingRouterAbi }

/** Calls of the router that move tokens, or could. */
const ENTRANCES = [
  {
    entrance: 'settle',
    again: async (claimId: Hex) => settlementCall(world, { claimId }),
  },
  {
    entrance: 'pay',
    again: async (claimId: Hex) =>
      encodeFunctionData({ ...router, functionName: 'pay', args: [claimId, world.usd, 1n] }),
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
]

async function newToken(): Promise<Address> {
  const token = await deployForTest(world, callbackTokenAbi, callbackTokenBytecode, [])
  await setTokenListed(world, { token, listed: true })
  return token
}

/** The error that the router gave to the contract that called it again. */
async function refusalOf(address: Address): Promise<string> {
  const read = { abi: reentrantPayerAbi, address, functionName: 'refusal' } as const
  const data = await world.chain.readContract(read)
  return decodeErrorResult({ abi: financingRouterAbi, data }).errorName
}

test.each(ENTRANCES)('$entrance cannot be entered while a settlement moves money', async ({ again }) => {
  const { issuer, beneficiary, stranger } = world.parties
  const token = await newToken()
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

  expect(await refusalOf(payer)).toBe('ReentrancyGuardReentrantCall')
  expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
  expect(await claimOf(world, other.claimId)).toMatchObject({ state: 'ELIGIBLE' })
})

test.each(ENTRANCES)('$entrance cannot be entered while a financing pays its advance', async ({ again }) => {
  const { issuer, stranger } = world.parties
  const token = await newToken()
  const beneficiaryArgs = [world.protocol.financingRouter]
  const beneficiary = await deployForTest(
    world,
    reentrantBeneficiaryAbi,
    reentrantBeneficiaryBytecode,
    beneficiaryArgs,
  )
  const vault = await createFundedVault(world, { token, capital: 1_000n, mandate: { maxIssuerFace: 100n } })
  const terms = { issuer, beneficiary, token, faceValue: 100n }
  const { claimId } = await registerClaim(world, terms)
  const other = await registerClaim(world, terms)

  const args = [claimId, vault, 100n, await again(other.claimId)] as const
  const abi = reentrantBeneficiaryAbi
  const data = encodeFunctionData({ abi, functionName: 'financeAndCallAgain', args })
  await send(world.chain, stranger, { to: beneficiary, data })

  expect(await refusalOf(beneficiary)).toBe('ReentrancyGuardReentrantCall')
  expect(await claimOf(world, claimId)).toMatchObject({ state: 'FULLY_FUNDED' })
  expect(await claimOf(world, other.claimId)).toMatchObject({ state: 'ELIGIBLE' })
  expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 901n, outstandingFace: 100n })
})
