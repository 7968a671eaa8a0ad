/** Whatever changes on chain between optimize and prepare is told by its own code, and the route is then good for nothing more. */
import { concat, type Hex, keccak256, numberToHex, pad } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import type { World } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'

const USD = 1_000_000n
const CAPITAL = 500n * USD
const TARGET = 400n * USD

describe('preparing a route after the chain changed', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let token: string
  let vault: Hex
  let claimId: Hex
  let dueDate: bigint

  beforeAll(async () => {
    the = await routes.startRouteWorld()
  })
  afterAll(() => the.stop())

  beforeEach(async () => {
    const { world } = the
    const { issuer, beneficiary } = world.parties
    vault = await openVault(CAPITAL)
    dueDate = await act.inDays(world, 40)
    const terms = {
      issuer,
      beneficiary: beneficiary.address,
      token: world.usd,
      faceValue: 1_000n * USD,
      dueDate,
    }
    claimId = (await act.registerClaim(world, terms)).claimId
    await routes.settleDown(the)
    token = await routes.tokenOf(the, beneficiary)
  })

  /** Leaves nothing for the next test to choose. */
  afterEach(async () => {
    for (const address of opened.splice(0)) {
      const { protocol, chain } = the.world
      const registry = { abi: vaultRegistryAbi, address: protocol.vaultRegistry } as const
      const active = await chain.readContract({ ...registry, functionName: 'isActive', args: [address] })
      if (active) await act.setVaultActive(the.world, { vault: address, active: false })
    }
  })

  const opened: Hex[] = []
  const openVault = async (capital: bigint) => {
    const address = await act.createFundedVault(the.world, { token: the.world.usd, capital })
    opened.push(address)
    return address
  }

  const plan = async (routeDeadlineSeconds = 300) => {
    const body = { claimIds: [claimId], targetAdvance: TARGET, routeDeadlineSeconds }
    const { routeId, route } = await routes.optimizeToRoute(the.app, token, body)
    const [leg] = route.legs
    if (!leg) throw new Error('a route has a leg')
    return { routeId, leg }
  }

  const refusalOf = async (routeId: Hex) => {
    await act.finalize(the.world)
    const response = await routes.postPrepare(the.app, token, routeId)
    const again = await readJson(await routes.postPrepare(the.app, token, routeId))
    expect(again).toMatchObject({ status: 409, code: 'ROUTE_INTENT_UNAVAILABLE' })
    return readJson(response)
  }

  it('ROUTER_PAUSED: the router was paused', async () => {
    const { routeId } = await plan()
    await act.pauseRouter(the.world)
    expect(await refusalOf(routeId)).toMatchObject({ status: 422, code: 'ROUTER_PAUSED' })
    await act.unpauseRouter(the.world)
  })

  it('LEG_NOT_FINANCEABLE: the issuer revoked the claim', async () => {
    const { routeId } = await plan()
    await act.revokeClaim(the.world, { issuer: the.world.parties.issuer, claimId })
    const expected = {
      status: 422,
      code: 'LEG_NOT_FINANCEABLE',
      claimId,
      reason: 'CLAIM_NOT_FINANCEABLE',
      have: 'REVOKED',
    }
    expect(await refusalOf(routeId)).toMatchObject(expected)
  })

  it('LEG_NOT_FINANCEABLE: another financing took face that the leg needs', async () => {
    const { routeId, leg } = await plan()
    const [user, other] = [the.world.parties.beneficiary, await openVault(900n * USD)]
    await act.executeFinancing(the.world, { user, claimId, vault: other, faceAmount: 800n * USD })
    const expected = {
      reason: 'FACE_EXCEEDS_REMAINING',
      have: String(200n * USD),
      need: String(leg.faceAmount),
    }
    expect(await refusalOf(routeId)).toMatchObject({ status: 422, code: 'LEG_NOT_FINANCEABLE', ...expected })
  })

  it('LEG_NOT_FINANCEABLE: the last slice was taken', async () => {
    const { routeId } = await plan()
    const user = the.world.parties.beneficiary
    const other = await openVault(900n * USD)
    for (let slice = 0; slice < 8; slice++) {
      await act.executeFinancing(the.world, { user, claimId, vault: other, faceAmount: 1n * USD })
    }
    const expected = {
      status: 422,
      code: 'LEG_NOT_FINANCEABLE',
      reason: 'NO_SLICES_REMAINING',
      have: '0',
      need: '1',
    }
    expect(await refusalOf(routeId)).toMatchObject(expected)
  })

  it('LEG_NOT_FINANCEABLE: the claim fell due and was settled', async () => {
    const { routeId } = await plan()
    await act.travelTo(the.world, dueDate)
    await act.mintAndSettle(the.world, { payer: the.world.parties.payer, claimId })
    expect(await refusalOf(routeId)).toMatchObject({
      status: 422,
      code: 'LEG_NOT_FINANCEABLE',
      have: 'SETTLED',
    })
  })

  it('ISSUER_INACTIVE: the issuer was deactivated', async () => {
    const { routeId } = await plan()
    const { issuer } = the.world.parties
    await act.setIssuerActive(the.world, { issuer: issuer.address, active: false })
    expect(await refusalOf(routeId)).toMatchObject({
      status: 422,
      code: 'ISSUER_INACTIVE',
      have: issuer.address,
    })
    await act.setIssuerActive(the.world, { issuer: issuer.address, active: true })
  })

  it('VAULT_INACTIVE: the vault was deactivated', async () => {
    const { routeId } = await plan()
    await act.setVaultActive(the.world, { vault, active: false })
    expect(await refusalOf(routeId)).toMatchObject({ status: 422, code: 'VAULT_INACTIVE', vault })
  })

  it('TOKEN_MISMATCH: the claim is in another token', async () => {
    const { routeId } = await plan()
    await writeClaimToken(the.world, claimId, the.world.eur)
    const expected = { status: 422, code: 'TOKEN_MISMATCH', have: the.world.usd, need: the.world.eur }
    expect(await refusalOf(routeId)).toMatchObject(expected)
  })

  it('MANDATE_REJECTED: the curator raised the smallest lot', async () => {
    const { routeId, leg } = await plan()
    const mandate = { minFace: leg.faceAmount + 1n }
    await act.setMandate(the.world, { curator: the.world.parties.curator, vault, mandate })
    const expected = {
      reason: 'BELOW_MINIMUM_LOT',
      have: String(leg.faceAmount),
      need: String(leg.faceAmount + 1n),
    }
    expect(await refusalOf(routeId)).toMatchObject({ status: 422, code: 'MANDATE_REJECTED', ...expected })
  })

  it('MANDATE_REJECTED: the curator no longer takes the type or the duration', async () => {
    const { curator } = the.world.parties
    const ofType = await plan()
    await act.setMandate(the.world, { curator, vault, mandate: { supportedTypesBitmap: 0b1110n } })
    expect(await refusalOf(ofType.routeId)).toMatchObject({
      code: 'MANDATE_REJECTED',
      reason: 'TYPE_NOT_SUPPORTED',
    })
    await act.setMandate(the.world, { curator, vault, mandate: {} })
    await routes.settleDown(the)
    const ofDuration = await plan()
    await act.setMandate(the.world, { curator, vault, mandate: { maxDurationDays: 12 } })
    expect(await refusalOf(ofDuration.routeId)).toMatchObject({ reason: 'DURATION_EXCEEDED', need: '12' })
  })

  it('TARGET_NO_LONGER_MET: the curator raised the price', async () => {
    const { routeId } = await plan()
    const pricing = { baseDiscountBps: 101 }
    await act.setPricing(the.world, { curator: the.world.parties.curator, vault, pricing })
    expect(await refusalOf(routeId)).toMatchObject({
      status: 422,
      code: 'TARGET_NO_LONGER_MET',
      need: String(TARGET),
    })
  })

  it('INSUFFICIENT_LIQUIDITY: the capital was withdrawn', async () => {
    const { routeId } = await plan()
    await act.withdraw(the.world, {
      provider: the.world.parties.provider,
      vault,
      assets: CAPITAL - TARGET + 1n,
    })
    const expected = {
      status: 422,
      code: 'INSUFFICIENT_LIQUIDITY',
      vault,
      have: String(TARGET - 1n),
      need: String(TARGET),
    }
    expect(await refusalOf(routeId)).toMatchObject(expected)
  })

  it('ROUTE_DEADLINE_TOO_SOON: the chain has reached the last 30 seconds before the deadline', async () => {
    const { routeId } = await plan(60)
    await act.travelTo(the.world, (await act.chainTime(the.world)) + 35n)
    expect(await refusalOf(routeId)).toMatchObject({
      status: 422,
      code: 'ROUTE_DEADLINE_TOO_SOON',
      need: '31',
    })
  })

  it('does not refuse what is not final yet, but says that it would fail now', async () => {
    const { routeId } = await plan()
    await act.pauseRouter(the.world)
    const prepared = await routes.prepare(the.app, token, routeId)
    expect(prepared.issues).toMatchObject([{ code: 'EXECUTION_WOULD_REVERT', errorName: 'EnforcedPause' }])
    await act.unpauseRouter(the.world)
    const { executionId } = await routes.signAndSubmit(the.world, the.world.parties.beneficiary, prepared)
    expect(executionId).toBe(prepared.executionId)
  })
})

/** Nothing in the contracts changes a claim's token: its storage is overwritten. */
async function writeClaimToken({ chain, protocol, usd }: World, claimId: Hex, token: Hex): Promise<void> {
  const address = protocol.claimRegistry
  for (let mapping = 0n; mapping < 8n; mapping++) {
    const record = keccak256(concat([claimId, numberToHex(mapping, { size: 32 })]))
    const slot = numberToHex(BigInt(record) + 2n, { size: 32 })
    if ((await chain.getStorageAt({ address, slot })) !== pad(usd)) continue
    await chain.setStorageAt({ address, index: slot, value: pad(token) })
    return
  }
  throw new Error('no slot of the registry holds the token of the claim')
}
