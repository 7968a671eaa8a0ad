/** A wallet plans a route, signs what it is handed, and the router executes it as promised. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { createGateway } from '../support/gateway.ts'
import { isObject } from '../support/hostile.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { createSmartWallet } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { sum } from '../support/sum.ts'
import { eventsOf } from '../support/transactions.ts'

const USD = 1_000_000n

describe('a route', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let token: string

  beforeAll(async () => {
    the = await routes.startRouteWorld()
    token = await routes.tokenOf(the, the.world.parties.beneficiary)
  })
  afterAll(() => the.stop())

  const claim = async (faceValue: bigint, terms: Partial<act.ClaimTerms> = {}) => {
    const { issuer, beneficiary } = the.world.parties
    const all = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue, ...terms }
    return (await act.registerClaim(the.world, all)).claimId
  }

  it('is planned, prepared, signed and executed with the totals that the typed data promised', async () => {
    const { world, app } = the
    const cheap = await act.createFundedVault(world, { token: world.usd, capital: 600n * USD })
    const pricing = { baseDiscountBps: 250, durationBpsPerDay: 1 }
    const expensive = await act.createFundedVault(world, { token: world.usd, capital: 9_000n * USD, pricing })
    const claimIds = [await claim(1_000n * USD + 1n), await claim(700n * USD - 3n)]
    await routes.settleDown(the)

    const { routeId, route, answer } = await routes.optimizeToRoute(app, token, {
      claimIds,
      targetAdvance: 1_200n * USD,
    })
    expect(answer).toMatchObject({ status: 'PENDING', filteredOut: [], finalizedThrough: null })
    expect(new Set(route.legs.map(({ vault }) => vault))).toEqual(new Set([cheap, expensive]))
    expect(route.totals.totalAdvance).toBeGreaterThanOrEqual(1_200n * USD)

    const prepared = await routes.prepare(app, token, routeId)
    expect(prepared.issues).toEqual([])
    const parts = ({ claimId, vault, faceAmount }: (typeof route.legs)[number]) => ({
      claimId,
      vault,
      faceAmount,
    })
    expect(prepared.legs.map(parts)).toEqual(route.legs.map(parts))
    for (const { legs, totals } of [route, prepared]) {
      expect(sum(legs.map(({ advanceAmount }) => advanceAmount))).toBe(totals.totalAdvance)
      expect(sum(legs.map(({ discountAmount }) => discountAmount))).toBe(totals.totalCost)
      for (const { faceAmount, advanceAmount, discountAmount, effectiveDiscountBps } of legs) {
        expect(discountAmount).toBe(faceAmount - advanceAmount)
        expect(effectiveDiscountBps).toBe(Math.ceil((Number(discountAmount) * 10_000) / Number(faceAmount)))
      }
    }
    for (const { vault, claimId, faceAmount, advanceAmount, minimumAdvanceAmount } of prepared.legs) {
      const args = [claimId, faceAmount] as const
      const [, , , advance] = await world.chain.readContract({
        address: vault,
        abi: financingVaultAbi,
        functionName: 'quote',
        args,
      })
      expect([advanceAmount, minimumAdvanceAmount]).toEqual([advance, advance])
    }
    expect(prepared.typedData.message.maxTotalFace).toBe(route.totals.totalFace)

    const { beneficiary, relayer } = world.parties
    const before = await act.balanceOf(world, world.usd, beneficiary.address)
    const { executionId, receipt } = await routes.signAndSubmit(world, beneficiary, prepared, relayer)
    expect(executionId).toBe(prepared.executionId)
    expect(eventsOf(receipt).find(({ name }) => name === 'Executed')?.args).toMatchObject({
      user: beneficiary.address,
      totalFace: prepared.totals.totalFace,
      totalAdvance: prepared.totals.totalAdvance,
    })
    const after = await act.balanceOf(world, world.usd, beneficiary.address)
    expect(after - before).toBe(prepared.totals.totalAdvance)
  })

  it('is signed and executed by a contract wallet too', async () => {
    const { world, app } = the
    const wallet = await createSmartWallet(world, world.parties.otherBeneficiary)
    await act.createFundedVault(world, { token: world.usd, capital: 600n * USD })
    const claimIds = [await claim(1_000n * USD, { beneficiary: wallet.address })]
    await routes.settleDown(the)
    const walletToken = await routes.tokenOf(the, wallet)
    const { routeId } = await routes.optimizeToRoute(app, walletToken, {
      claimIds,
      targetAdvance: 100n * USD,
    })
    const prepared = await routes.prepare(app, walletToken, routeId)
    expect(prepared.issues).toEqual([])
    await routes.signAndSubmit(world, wallet, prepared, world.parties.relayer)
    expect(await act.balanceOf(world, world.usd, wallet.address)).toBe(prepared.totals.totalAdvance)
  })

  it('is prepared with the issue that nobody knows, where no node can try it, and executed all the same', async () => {
    const { world, store, clock } = the
    const user = world.parties.beneficiary
    const claimIds = [await claim(1_000n * USD)]
    await act.createFundedVault(world, { token: world.usd, capital: 600n * USD })
    await routes.settleDown(the)
    const node = await startNodeProxy(
      ({ params }) => (isObject(params[2]) && user.address in params[2] ? { status: 400 } : undefined),
      world.rpcUrl,
    )
    const app = createGateway(store, { rpcUrl: node.url, clock: () => Date.now() + clock.skewMs })
    const token = await routes.tokenOf(the, user)
    const { routeId } = await routes.optimizeToRoute(app, token, { claimIds, targetAdvance: 100n * USD })
    const prepared = await routes.prepare(app, token, routeId).finally(node.stop)
    expect(prepared.issues.map(({ code }) => code)).toEqual(['SIMULATION_UNAVAILABLE'])
    const { executionId } = await routes.signAndSubmit(world, user, prepared)
    expect(executionId).toBe(prepared.executionId)
  })
})
