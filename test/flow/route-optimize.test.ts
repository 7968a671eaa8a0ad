/** Answers of optimize: the cheapest route, or why each claim cannot be part of one. */
import { type Hex, isHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { leastCostOf } from '../../packages/client/src/certificate.ts'
import { createGateway } from '../support/gateway.ts'
import { startRecordingProxy } from '../support/recording-proxy.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'

const USD = 1_000_000n
const FUNDS = 500n * USD
const hex = z.custom<`0x${string}`>((value) => isHex(value))
const amount = z
  .string()
  .regex(/^[0-9]+$/)
  .transform((text): `${bigint}` => `${BigInt(text)}`)
const answerShape = z.object({
  routeId: z.string(),
  result: z.object({
    totals: z.object({ totalCost: amount }),
    explanation: z.object({
      certificate: z
        .object({
          multiplier: amount,
          vaults: z.array(z.object({ vault: hex, liquidity: amount, multiplier: amount })),
          candidates: z.array(
            z.object({ claimId: hex, vault: hex, discountBps: z.number(), maxFaceAmount: amount }),
          ),
        })
        .optional(),
    }),
  }),
})
const UNKNOWN = `0x${'12'.repeat(32)}` as const

describe('optimize', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let token: string
  let open: Hex
  let dueAt: bigint

  beforeAll(async () => {
    the = await routes.startRouteWorld()
    const { world } = the
    const durations = { minDurationDays: 2, maxDurationDays: 90 }
    const mandate = { minFace: 10n * USD, ...durations, supportedTypesBitmap: 0b11n }
    open = await act.createFundedVault(world, { token: world.usd, capital: 500n * USD, mandate })
    dueAt = await act.inDays(world, 40)
    await routes.settleDown(the)
    token = await routes.tokenOf(the, world.parties.beneficiary)
  })
  afterAll(() => the.stop())

  const claim = async (terms: Partial<act.ClaimTerms> = {}) => {
    const { issuer, beneficiary } = the.world.parties
    const own = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1_000n * USD }
    return (await act.registerClaim(the.world, { dueDate: dueAt, ...own, ...terms })).claimId
  }
  const ask = async (claimIds: readonly Hex[], targetAdvance = 50n * USD) => {
    await routes.settleDown(the)
    return routes.optimize(the.app, token, { claimIds, targetAdvance })
  }
  const whyNot = async (claimId: Hex) => {
    const { result, filteredOut } = await ask([claimId])
    expect(result).toMatchObject({
      executable: false,
      reason: 'NO_ELIGIBLE_CANDIDATES',
      maxAchievableAdvance: 0n,
    })
    return filteredOut
  }

  it('proves by a certificate, if it is asked for, how little any other route could cost', async () => {
    const claimIds = [await claim(), await claim()]
    await routes.settleDown(the)
    const plan = async (more: object) => {
      const body = { claimIds, targetAdvance: 300n * USD, ...more }
      const answer = await readJson(await routes.postOptimize(the.app, token, body))
      return answerShape.parse(answer)
    }
    const { routeId, result } = await plan({ certificate: true })
    const { certificate } = result.explanation
    if (!certificate) throw new Error('no certificate')
    expect(certificate.candidates).toMatchObject(
      claimIds.toSorted().map((claimId) => ({ claimId, vault: open })),
    )
    expect(certificate.vaults).toMatchObject([{ vault: open, liquidity: `${FUNDS}` }])
    const least = leastCostOf(certificate, 300n * USD)
    const cost = BigInt(result.totals.totalCost)
    expect(least).toBeLessThanOrEqual(cost)
    expect(least).toBeGreaterThan(cost - 10n)
    const plain = await plan({})
    expect([plain.routeId, plain.result.explanation.certificate]).toEqual([routeId, undefined])
  })

  it('leaves out a claim that does not exist, is not yours, or is not financeable', async () => {
    const { otherBeneficiary, beneficiary, issuer } = the.world.parties
    expect(await whyNot(UNKNOWN)).toEqual([{ claimId: UNKNOWN, reason: 'CLAIM_NOT_FOUND' }])
    const foreign = await claim({ beneficiary: otherBeneficiary.address })
    const sides = { have: otherBeneficiary.address, need: beneficiary.address }
    expect(await whyNot(foreign)).toEqual([{ claimId: foreign, reason: 'NOT_BENEFICIARY', ...sides }])
    const revoked = await claim()
    await act.revokeClaim(the.world, { issuer, claimId: revoked })
    expect(await whyNot(revoked)).toMatchObject([{ reason: 'CLAIM_NOT_FINANCEABLE', have: 'REVOKED' }])
  })

  it('leaves out a claim without slices, or due before the route could be executed', async () => {
    const user = the.world.parties.beneficiary
    const sliced = await claim()
    for (let slice = 0; slice < 8; slice++) {
      await act.executeFinancing(the.world, { user, claimId: sliced, vault: open, faceAmount: 10n * USD })
    }
    expect(await whyNot(sliced)).toMatchObject([{ reason: 'NO_SLICES_REMAINING', have: '0', need: '1' }])
    const dueDate = (await act.chainTime(the.world)) + 300n
    const soon = await claim({ dueDate })
    expect(await whyNot(soon)).toMatchObject([{ reason: 'DUE_WITHIN_DEADLINE', have: String(dueDate) }])
  })

  it('leaves out a claim of an inactive issuer', async () => {
    const { otherIssuer } = the.world.parties
    const claimId = await claim({ issuer: otherIssuer })
    await act.setIssuerActive(the.world, { issuer: otherIssuer.address, active: false })
    expect(await whyNot(claimId)).toEqual([{ claimId, reason: 'ISSUER_INACTIVE', have: otherIssuer.address }])
  })

  it('says of every vault why it does not finance a claim, with both sides of the failed condition', async () => {
    const ofType = await whyNot(await claim({ claimType: 2 }))
    expect(ofType).toMatchObject([
      {
        reason: 'NO_ELIGIBLE_VAULT',
        vaults: [{ vault: open, reason: 'TYPE_NOT_SUPPORTED', have: '0, 1', need: '2' }],
      },
    ])
    const long = await whyNot(await claim({ dueDate: dueAt + 60n * act.DAY }))
    expect(long).toMatchObject([{ vaults: [{ reason: 'DURATION_EXCEEDED', need: '90' }] }])
    // It can be financed now, but not by the end of the window in which the route may be executed.
    const short = await whyNot(
      await claim({ dueDate: (await act.chainTime(the.world)) + 2n * act.DAY + 600n }),
    )
    expect(short).toMatchObject([{ vaults: [{ reason: 'DURATION_BELOW_MINIMUM', have: '1', need: '2' }] }])
    const small = await whyNot(await claim({ faceValue: 10n * USD - 1n }))
    expect(small).toMatchObject([
      { vaults: [{ reason: 'BELOW_MINIMUM_LOT', have: '9999999', need: '10000000' }] },
    ])
    const euro = await whyNot(await claim({ token: the.world.eur }))
    expect(euro).toMatchObject([
      { vaults: [{ reason: 'TOKEN_MISMATCH', have: the.world.usd, need: the.world.eur }] },
    ])
  })

  it('says which vaults are inactive, and which have too little for their smallest lot', async () => {
    const euro = { token: the.world.eur, mandate: { minFace: 100n * USD } }
    const { vault: closed } = await act.createVault(the.world, euro)
    await act.setVaultActive(the.world, { vault: closed, active: false })
    const poor = await act.createFundedVault(the.world, { ...euro, capital: 99n * USD - 1n })
    const [filtered] = await whyNot(await claim({ token: the.world.eur }))
    expect(filtered?.vaults).toMatchObject([
      { vault: open, reason: 'TOKEN_MISMATCH' },
      { vault: closed, reason: 'VAULT_INACTIVE' },
      { vault: poor, reason: 'NO_LIQUIDITY', have: '98999999', need: '99000000' },
    ])
  })

  it('does without a vault that cannot be read or quotes otherwise than its pricing says', async () => {
    const good = await claim()
    const { vault } = await act.createVault(the.world, {
      token: the.world.usd,
      pricing: { baseDiscountBps: 1 },
    })
    await act.deposit(the.world, { provider: the.world.parties.provider, vault, assets: 900n * USD })
    await the.world.chain.setCode({ address: vault, bytecode: '0xfe' })
    const { result, filteredOut } = await ask([good])
    expect(filteredOut).toEqual([])
    expect(result).toMatchObject({ executable: true, legs: [{ vault: open }] })
  })

  it('refuses claims in two tokens, for their advances have no sum, once vaults take both', async () => {
    const [dollars, euros] = [await claim(), await claim({ token: the.world.eur })]
    const { result, filteredOut } = await ask([dollars, euros])
    expect(result).toMatchObject({ executable: true, legs: [{ claimId: dollars }] })
    expect(filteredOut).toMatchObject([{ claimId: euros, reason: 'NO_ELIGIBLE_VAULT' }])
    await act.createFundedVault(the.world, { token: the.world.eur, capital: 900n * USD })
    await routes.settleDown(the)
    const response = await routes.postOptimize(the.app, token, {
      claimIds: [dollars, euros],
      targetAdvance: 1n,
    })
    expect(await readJson(response)).toMatchObject({ status: 422, code: 'MIXED_TOKENS' })
  })

  it('says what can be reached when the target cannot, and what stands in the way when it is only the cost', async () => {
    const claimIds = [await claim()]
    const far = await ask(claimIds, 10_000n * USD)
    expect(far).toMatchObject({ routeId: null, status: null, expiresAt: null })
    if (far.result.executable) throw new Error('the target is out of reach')
    const { maxAchievableAdvance } = far.result
    expect(maxAchievableAdvance).toBeGreaterThan(0n)
    expect(far.result).toMatchObject({
      reason: 'TARGET_UNSATISFIABLE',
      shortfallAdvance: String(10_000n * USD - maxAchievableAdvance),
      maxAchievableGap: '0',
      bestFeasiblePartial: { totals: { totalAdvance: String(maxAchievableAdvance) } },
    })
    const body = { claimIds, targetAdvance: 50n * USD, maxTotalCost: 1n }
    expect((await routes.optimize(the.app, token, body)).result).toMatchObject({
      reason: 'MAX_COST_EXCEEDED',
    })
  })

  it('keeps to exactly the most face and the most cost that it may have, a cost of nothing included', async () => {
    const claimIds = [await claim()]
    await routes.settleDown(the)
    const body = { claimIds, targetAdvance: 50n * USD }
    const { totals } = (await routes.optimizeToRoute(the.app, token, body)).route
    const within = async (bound: Partial<routes.OptimizeBody>) => {
      const { result } = await routes.optimize(the.app, token, { ...body, ...bound })
      return result.executable ? result.totals : result.reason
    }
    expect(await within({ maxTotalCost: totals.totalCost })).toEqual(totals)
    expect(await within({ maxTotalCost: totals.totalCost - 1n })).toBe('MAX_COST_EXCEEDED')
    expect(await within({ maxTotalCost: 0n })).toBe('MAX_COST_EXCEEDED')
    expect(await within({ maxTotalFace: totals.totalFace })).toEqual(totals)
    expect(await within({ maxTotalFace: totals.totalFace - 1n })).toBe('TARGET_UNSATISFIABLE')
  })

  it('leaves out every claim while the router is paused', async () => {
    const claimId = await claim()
    await act.pauseRouter(the.world)
    expect(await whyNot(claimId)).toEqual([{ claimId, reason: 'ROUTER_PAUSED' }])
    await act.unpauseRouter(the.world)
  })

  describe('asks the chain', () => {
    it('nothing for a request that is not valid', async () => {
      const proxy = await startRecordingProxy(the.world.rpcUrl)
      const app = createGateway(the.store, { rpcUrl: proxy.url, clock: () => Date.now() + the.clock.skewMs })
      const ids = (count: number) =>
        Array.from({ length: count }, (_, index) => `0x${String(index).padStart(64, '0')}`)
      for (const [path, change] of [
        ['claimIds', { claimIds: ids(21) }],
        ['claimIds', { claimIds: [] }],
        ['claimIds', { claimIds: [ids(1)[0], ids(1)[0]] }],
        ['claimIds.0', { claimIds: ['0x1'] }],
        ['targetAdvance', { targetAdvance: '0' }],
        ['targetAdvance', { targetAdvance: 5 }],
        ['targetAdvance', { targetAdvance: '05' }],
        ['targetAdvance', { targetAdvance: '-5' }],
        ['targetAdvance', { targetAdvance: (2n ** 256n).toString() }],
        ['maxTotalFace', { maxTotalFace: '1.5' }],
        ['maxTotalCosts', { maxTotalCosts: '1' }],
        ['routeDeadlineSeconds', { routeDeadlineSeconds: 59 }],
        ['routeDeadlineSeconds', { routeDeadlineSeconds: 3601 }],
        ['user', { user: the.world.parties.stranger.address }],
      ] as const) {
        const valid = { claimIds: ids(1), targetAdvance: '5' }
        const response = await routes.postOptimize(app, token, { ...valid, ...change })
        expect(await readJson(response)).toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
          errors: [{ path }],
        })
      }
      expect(proxy.requests).toEqual([])
      await proxy.stop()
    })

    it('twice, for 20 claims and 100 vaults, and says CHAIN_UNAVAILABLE when it is gone', async () => {
      const registered = await the.world.chain.readContract({
        abi: vaultRegistryAbi,
        address: the.world.protocol.vaultRegistry,
        functionName: 'vaultCount',
      })
      for (let count = registered; count < 100n; count++)
        await act.createVault(the.world, { token: the.world.usd })
      const claimIds: Hex[] = []
      for (let count = 0; count < 20; count++) claimIds.push(await claim())
      await routes.settleDown(the)
      const proxy = await startRecordingProxy(the.world.rpcUrl)
      const app = createGateway(the.store, { rpcUrl: proxy.url, clock: () => Date.now() + the.clock.skewMs })
      const body = { claimIds, targetAdvance: 50n * USD }
      const { routeId } = await routes.optimizeToRoute(app, token, body)
      expect(proxy.requests.map((batch) => batch.map(({ method }) => method))).toEqual([
        ['eth_getBlockByNumber'],
        ['eth_call'],
      ])
      proxy.requests.length = 0

      await routes.prepare(app, token, routeId)
      expect(proxy.requests.map(([first]) => first?.method).toSorted()).toEqual([
        'eth_call',
        'eth_call',
        'eth_call',
        'eth_getBlockByNumber',
      ])
      await proxy.stop()
      const gone = await routes.postOptimize(app, token, body)
      expect(await readJson(gone)).toMatchObject({ status: 503, code: 'CHAIN_UNAVAILABLE' })
      expect(gone.headers.get('Retry-After')).toBe('2')
    })
  })

  it('takes no more of a claim than the vault may still hold, and says where that is below its smallest lot', async () => {
    const user = the.world.parties.beneficiary
    const mandate = { minFace: 10n * USD, maxClaimFace: 100n * USD, supportedTypesBitmap: 0b1000n }
    const vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: FUNDS, mandate })
    const claimId = await claim({ claimType: 3 })
    await act.executeFinancing(the.world, { user, claimId, vault, faceAmount: 60n * USD })
    const { result } = await ask([claimId], FUNDS)
    // 1 % of the 40 dollars that are left.
    expect(result).toMatchObject({ executable: false, maxAchievableAdvance: 39_600_000n })
    await act.executeFinancing(the.world, { user, claimId, vault, faceAmount: 30n * USD + 1n })
    const [filtered] = await whyNot(claimId)
    expect(filtered?.vaults?.find((refused) => refused.vault === vault)).toEqual({
      vault,
      reason: 'ABOVE_MAXIMUM_CLAIM_FACE',
      have: '100000001',
      need: '100000000',
    })
    await act.setVaultActive(the.world, { vault, active: false })
  })

  it('plans within what the claims of one issuer may owe a vault together, and says where nothing is left', async () => {
    const user = the.world.parties.beneficiary
    const mandate = { minFace: 10n * USD, maxIssuerFace: 100n * USD, supportedTypesBitmap: 0b1000n }
    const vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: FUNDS, mandate })
    const faceValue = 70n * USD
    const { otherIssuer } = the.world.parties
    const two = [await claim({ claimType: 3, faceValue }), await claim({ claimType: 3, faceValue })]
    const { result } = await ask(two, FUNDS)
    expect(result).toMatchObject({ executable: false, maxAchievableAdvance: 99n * USD })
    // The claim of another issuer has a limit of its own.
    await act.setIssuerActive(the.world, { issuer: otherIssuer.address, active: true })
    const claimIds = [...two, await claim({ claimType: 3, faceValue, issuer: otherIssuer })]
    const targetAdvance = 99n * USD + 69_300_000n
    expect((await ask(claimIds, FUNDS)).result).toMatchObject({ maxAchievableAdvance: targetAdvance })
    const { routeId } = await routes.optimizeToRoute(the.app, token, { claimIds, targetAdvance })
    const prepared = await routes.prepare(the.app, token, routeId)
    expect(prepared.typedData.message.legs).toHaveLength(3)
    await routes.signAndSubmit(the.world, user, prepared)
    const [filtered] = await whyNot(await claim({ claimType: 3 }))
    expect(filtered?.vaults?.find((refused) => refused.vault === vault)).toEqual({
      vault,
      reason: 'ABOVE_MAXIMUM_ISSUER_FACE',
      have: '110000000',
      need: '100000000',
    })
    await act.setVaultActive(the.world, { vault, active: false })
  })
})
