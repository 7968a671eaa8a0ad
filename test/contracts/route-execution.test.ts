import { type Address, encodeAbiParameters, type Hex, hashTypedData, keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { executionRouteTypes, financingRouterDomain } from '../../api/typed-data/execution-route.ts'
import { createSmartWallet, startWorld } from '../support/protocol.ts'
import {
  allocationsOf,
  balanceOf,
  ClaimState,
  claimOf,
  createFundedVault,
  executeFinancing,
  executeRoute,
  type LegTerms,
  registerClaim,
  vaultCapital,
} from '../support/scenario.ts'
import { eventsOf } from '../support/transactions.ts'

const ROUTE = 0
const DIRECT = 1

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

async function newClaim(beneficiary: Address = world.parties.beneficiary.address): Promise<Hex> {
  const terms = { issuer: world.parties.issuer, beneficiary, token: world.usd, faceValue: 1_000n }
  return (await registerClaim(world, terms)).claimId
}

const newVault = () => createFundedVault(world, { token: world.usd, capital: 100_000n })

test('a route pays every advance to its user and says so, event by event', async () => {
  const { claimRegistry, financingRouter } = world.protocol
  const { beneficiary: user } = world.parties
  const [claim, otherClaim] = [await newClaim(), await newClaim()]
  const [vault, otherVault] = [await newVault(), await newVault()]
  const before = await balanceOf(world, world.usd, user.address)
  const legs = [
    { claimId: claim, vault, faceAmount: 400n, minimumAdvanceAmount: 396n },
    { claimId: otherClaim, vault: otherVault, faceAmount: 1_000n },
  ]

  const { executionId, receipt } = await executeRoute(world, { user, legs })

  const totals = { legCount: 2n, totalFace: 1_400n, totalAdvance: 1_386n }
  const execution = {
    executionId,
    user: user.address,
    token: world.usd,
    kind: ROUTE,
    submitter: user.address,
  }
  const legEvents = (
    legIndex: bigint,
    claimId: Hex,
    from: Address,
    face: bigint,
    advance: bigint,
    to: number,
  ) => {
    const amounts = { faceAmount: face, advanceAmount: advance }
    return [
      {
        emitter: claimRegistry,
        name: 'SliceReserved',
        args: { claimId, sliceIndex: 0, faceAmount: face, financedFaceValue: face },
      },
      { emitter: claimRegistry, name: 'ClaimStateChanged', args: { claimId, from: ClaimState.ELIGIBLE, to } },
      {
        emitter: claimRegistry,
        name: 'AllocationRegistered',
        args: { claimId, vault: from, executionId, sliceIndex: 0, ...amounts },
      },
      {
        emitter: financingRouter,
        name: 'LegExecuted',
        args: { executionId, claimId, vault: from, legIndex, sliceIndex: 0, ...amounts },
      },
      {
        emitter: from,
        name: 'Funded',
        args: { claimId, recipient: user.address, sliceIndex: 0, ...amounts },
      },
      { emitter: world.usd, name: 'Transfer', args: { from, to: user.address, value: advance } },
    ]
  }
  expect(eventsOf(receipt)).toEqual([
    { emitter: financingRouter, name: 'Executed', args: { ...execution, ...totals } },
    ...legEvents(0n, claim, vault, 400n, 396n, ClaimState.PARTIALLY_FUNDED),
    ...legEvents(1n, otherClaim, otherVault, 1_000n, 990n, ClaimState.FULLY_FUNDED),
  ])
  expect(await balanceOf(world, world.usd, user.address)).toBe(before + 1_386n)
  expect(await allocationsOf(world, claim)).toMatchObject([{ faceAmount: 400n, advanceAmount: 396n }])
  expect(await vaultCapital(world, vault)).toMatchObject({
    idleAssets: 99_604n,
    outstandingFace: 400n,
    outstandingAdvance: 396n,
  })
  expect(await balanceOf(world, world.usd, vault)).toBe(99_604n)
})

test("a relayer may submit a route; the money and the execution are its user's", async () => {
  const { beneficiary: user, relayer } = world.parties
  const legs = [{ claimId: await newClaim(), vault: await newVault(), faceAmount: 100n }]
  const before = await balanceOf(world, world.usd, user.address)

  const { receipt } = await executeRoute(world, { user, legs, submitter: relayer })

  const executed = eventsOf(receipt).find((event) => event.name === 'Executed')
  expect(executed?.args).toMatchObject({ user: user.address, submitter: relayer.address })
  expect(await balanceOf(world, world.usd, user.address)).toBe(before + 99n)
  expect(await balanceOf(world, world.usd, relayer.address)).toBe(0n)
})

test('a contract wallet signs a route by ERC-1271, and finances directly by calling itself', async () => {
  const user = await createSmartWallet(world, world.parties.stranger)
  const claimId = await newClaim(user.address)
  const vault = await newVault()
  const legs = [{ claimId, vault, faceAmount: 100n }]

  await executeRoute(world, { user, legs, submitter: world.parties.relayer })
  await executeFinancing(world, { user, claimId, vault, faceAmount: 100n })

  expect(await balanceOf(world, world.usd, user.address)).toBe(198n)
  expect(await claimOf(world, claimId)).toMatchObject({ financedFaceValue: 200n, sliceCount: 2 })
})

test('a route of eight legs, several from one vault, goes through', async () => {
  const vaults = [await newVault(), await newVault(), await newVault()] as const
  const legs: LegTerms[] = []
  for (let index = 0; index < 8; index += 1) {
    legs.push({ claimId: await newClaim(), vault: vaults[index % 2 === 0 ? 0 : 1], faceAmount: 1_000n })
  }
  const { receipt } = await executeRoute(world, {
    user: world.parties.beneficiary,
    legs,
    targetAdvance: 7_920n,
  })
  expect(eventsOf(receipt).filter((event) => event.name === 'LegExecuted')).toHaveLength(8)
  expect(await vaultCapital(world, vaults[0])).toMatchObject({ idleAssets: 96_040n, outstandingFace: 4_000n })
})

describe('the executionId', () => {
  test('of a route is the EIP-712 digest that viem computes', async () => {
    const legs = [{ claimId: await newClaim(), vault: await newVault(), faceAmount: 100n }]
    const user = world.parties.beneficiary
    const { executionId, route } = await executeRoute(world, { user, legs })
    const domain = financingRouterDomain(world.chainId, world.protocol.financingRouter)
    const typed = {
      domain,
      types: executionRouteTypes,
      primaryType: 'ExecutionRoute',
      message: route,
    } as const
    expect(executionId).toBe(hashTypedData(typed))
  })

  test('of a direct financing is known beforehand and different for every slice', async () => {
    const user = world.parties.beneficiary
    const claimId = await newClaim()
    const vault = await newVault()
    const seen: Hex[] = []
    for (let sliceIndex = 0; sliceIndex < 3; sliceIndex += 1) {
      const predicted = await world.chain.readContract({
        abi: financingRouterAbi,
        address: world.protocol.financingRouter,
        functionName: 'directExecutionId',
        args: [claimId, sliceIndex],
      })
      const { executionId } = await executeFinancing(world, { user, claimId, vault, faceAmount: 100n })
      expect(executionId).toBe(predicted)
      expect(executionId).toBe(directExecutionId(claimId, sliceIndex))
      seen.push(executionId)
    }
    expect(new Set(seen).size).toBe(3)
  })
})

test('a direct financing emits the same events as a route of one leg', async () => {
  const user = world.parties.beneficiary
  const vault = await newVault()
  const leg = async () => ({ claimId: await newClaim(), vault, faceAmount: 100n })
  const [routeLeg, directLeg] = [await leg(), await leg()]
  const byRoute = eventsOf((await executeRoute(world, { user, legs: [routeLeg] })).receipt)
  const direct = eventsOf((await executeFinancing(world, { user, ...directLeg })).receipt)
  expect(direct.map((event) => event.name)).toEqual(byRoute.map((event) => event.name))
  expect(direct[0]).toMatchObject({
    name: 'Executed',
    args: { kind: DIRECT, submitter: user.address, legCount: 1n, totalFace: 100n, totalAdvance: 99n },
  })
})

function directExecutionId(claimId: Hex, sliceIndex: number): Hex {
  const types = ['string', 'uint256', 'address', 'bytes32', 'uint8'] as const
  const values = [
    'DIRECT',
    BigInt(world.chainId),
    world.protocol.financingRouter,
    claimId,
    sliceIndex,
  ] as const
  return keccak256(
    encodeAbiParameters(
      types.map((type) => ({ type })),
      values,
    ),
  )
}
