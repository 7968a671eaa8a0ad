/**
 * Each reason against a financing is the same in every endpoint that a wallet can call, and when it is sent all the
 * same, the router refuses it: called directly, and by a signed route.
 */
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { claimReasons, vaultReasons } from '../../api/domain/reasons.ts'
import { catalogue, type ErrorCode } from '../../api/errors.ts'
import { describedRefusals } from '../support/described-refusals.ts'
import { postPrepare } from '../support/prepared.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { outcomeOf } from '../support/transactions.ts'
import { ADVANCE, CAPITAL, CHANGES, CLAIM_FACE, FACE, type Scene, USD } from './financing-changes.ts'

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
let scene: Scene
let token: string

beforeAll(async () => {
  the = await routes.startRouteWorld()
})
afterAll(() => the.stop())

beforeEach(async () => {
  const { world } = the
  const { issuer, beneficiary: user } = world.parties
  const vault = await openVault(CAPITAL)
  const dueDate = (await act.chainTime(world)) + 20n * act.DAY + 2_000n
  const terms = { issuer, beneficiary: user.address, token: world.usd, faceValue: CLAIM_FACE, dueDate }
  const { claimId } = await act.registerClaim(world, terms)
  scene = { world, user, vault, claimId, dueDate, openVault }
  await routes.settleDown(the)
  token = await routes.tokenOf(the, user)
})

const opened: Hex[] = []
const openVault = async (capital: bigint) => {
  const address = await act.createFundedVault(the.world, { token: the.world.usd, capital })
  opened.push(address)
  return address
}

/** Leaves nothing for the next test to choose. */
afterEach(async () => {
  const { protocol, chain } = the.world
  const registry = { abi: vaultRegistryAbi, address: protocol.vaultRegistry } as const
  for (const address of opened.splice(0)) {
    const active = await chain.readContract({ ...registry, functionName: 'isActive', args: [address] })
    if (active) await act.setVaultActive(the.world, { vault: address, active: false })
  }
})

const plan = (change: Partial<routes.OptimizeBody> = {}) => {
  const body = { claimIds: [scene.claimId], targetAdvance: ADVANCE, ...change }
  return routes.optimizeToRoute(the.app, token, body)
}
const leg = () => ({ claimId: scene.claimId, vault: scene.vault, faceAmount: FACE })
const prepareDirect = async () => {
  const amounts = { faceAmount: String(FACE), minimumAdvanceAmount: String(ADVANCE) }
  return readJson(await postPrepare(the.app, token, '/executions/prepare', { ...leg(), ...amounts }))
}
const prepareRoute = async (routeId: Hex) => readJson(await routes.postPrepare(the.app, token, routeId))

/** Sent to the router whatever the gateway thinks of it. */
const forceDirect = () => {
  const terms = { user: scene.user, ...leg(), minimumAdvanceAmount: ADVANCE }
  return outcomeOf(act.executeFinancing(the.world, terms))
}
const forceRoute = (change: Partial<act.RouteTerms> = {}) => {
  const legs = [{ ...leg(), minimumAdvanceAmount: ADVANCE }]
  const terms = { user: scene.user, legs, targetAdvance: ADVANCE, maxTotalFace: FACE }
  return outcomeOf(act.executeRoute(the.world, { ...terms, ...change }))
}

const reasoned = z.object({ reason: z.string() })
const preview = z.object({
  refusal: reasoned.nullable(),
  refusedVaults: z.array(reasoned.extend({ vault: z.string() })),
})

/** Why a preview gives no quote of the vault. */
async function previewed(): Promise<string | undefined> {
  const body = { claimId: scene.claimId, faceAmount: String(FACE) }
  const answer = await readJson(await postPrepare(the.app, token, '/quotes/preview', body))
  const { refusal, refusedVaults } = preview.parse(answer)
  return refusal?.reason ?? refusedVaults.find(({ vault }) => vault === scene.vault)?.reason
}

/** Why optimize leaves out the claim, or the vault for it. */
async function filteredOut(): Promise<string | undefined> {
  const body = { claimIds: [scene.claimId], targetAdvance: ADVANCE }
  const [filtered] = (await routes.optimize(the.app, token, body)).filteredOut
  return filtered?.vaults?.find(({ vault }) => vault === scene.vault)?.reason ?? filtered?.reason
}

describe('a financing is refused by all who are asked, and by the router', () => {
  it.each(CHANGES)('$code: $when ($contract)', async (change) => {
    const { code, reason, contract, sides, make, undo, stillOpen } = change
    const { routeId, route } = await plan()
    expect(route.legs).toMatchObject([leg()])
    expect((await prepareDirect()).issues).toEqual([])
    expect(await previewed()).toBeUndefined()

    await make(scene)
    await act.finalize(the.world)
    try {
      const expected = { status: 422, code, ...(reason && { reason }), ...sides?.(scene) }
      expect(await prepareDirect()).toMatchObject(expected)
      expect(await prepareRoute(routeId)).toMatchObject(expected)
      expect(await prepareRoute(routeId)).toMatchObject({ status: 409, code: 'ROUTE_INTENT_UNAVAILABLE' })
      expect(await previewed()).toBe(reason ?? undefined)
      if (!stillOpen) expect(await filteredOut()).toBe(reason)
      expect([await forceDirect(), await forceRoute()]).toEqual([contract, contract])
    } finally {
      await undo?.(scene)
    }
  })

  it('for every reason there is', () => {
    const shown = new Set<string | null>(CHANGES.map(({ reason }) => reason))
    const others = [...claimReasons, ...vaultReasons].filter((reason) => !shown.has(reason))
    expect(others).toEqual([
      // Shown by the tests of each endpoint.
      'CLAIM_NOT_FOUND',
      'NOT_BENEFICIARY',
      // Nothing changes: how far the deadline lies is for the request. prepare-execution-direct.test.ts and
      // quote-preview.test.ts show it.
      'DUE_WITHIN_DEADLINE',
      // A claim without remaining face is FULLY_FUNDED.
      'NO_REMAINING_FACE',
      // Sums up the reasons of all vaults.
      'NO_ELIGIBLE_VAULT',
      // The registry's vaults quote by their pricing.
      'QUOTE_REJECTED',
    ])
  })
})

describe('a route is refused', () => {
  type Case = {
    code: ErrorCode
    when: string
    /** The router's error, or `accepted` where only the gateway minds. */
    router: string
    play: () => Promise<{ asked: Promise<Record<string, unknown>>; force: () => Promise<string> }>
  }

  /** A route that has sixty seconds, `passed` of which are over. */
  const lateBy = async (passed: bigint) => {
    const { routeId, answer } = await plan({ routeDeadlineSeconds: 60 })
    const deadline = BigInt(Math.floor(Date.parse(answer.now) / 1000)) + 60n
    await act.travelTo(the.world, deadline - 60n + passed)
    await act.finalize(the.world)
    return { asked: prepareRoute(routeId), force: () => forceRoute({ deadline }) }
  }

  const CASES: Case[] = [
    {
      code: 'ROUTE_INTENT_UNAVAILABLE',
      when: 'what was prepared before has been executed',
      router: 'InvalidAccountNonce',
      play: async () => {
        const { routeId } = await plan()
        const prepared = await routes.prepare(the.app, token, routeId)
        const submit = () => routes.signAndSubmit(the.world, scene.user, prepared)
        await submit()
        return { asked: prepareRoute(routeId), force: () => outcomeOf(submit()) }
      },
    },
    {
      code: 'ROUTE_INTENT_EXPIRED',
      when: 'it is older than 120 seconds: the router knows nothing of intents',
      router: 'accepted',
      play: async () => {
        const { routeId } = await plan()
        the.clock.skewMs += 121_000
        return { asked: prepareRoute(routeId), force: forceRoute }
      },
    },
    {
      code: 'ROUTE_DEADLINE_TOO_SOON',
      when: 'the chain is within 30 seconds of its deadline: the router itself takes it to the last',
      router: 'accepted',
      play: () => lateBy(35n),
    },
    {
      code: 'ROUTE_DEADLINE_TOO_SOON',
      when: 'its deadline is over',
      router: 'DeadlineExpired',
      play: () => lateBy(61n),
    },
    {
      code: 'TARGET_NO_LONGER_MET',
      when: 'the price rose, and no leg minds',
      router: 'TargetNotMet',
      play: async () => {
        const { routeId } = await plan()
        await CHANGES.find(({ code }) => code === 'TARGET_NO_LONGER_MET')?.make(scene)
        await act.finalize(the.world)
        return { asked: prepareRoute(routeId), force: () => forceRoute({ legs: [leg()] }) }
      },
    },
  ]

  it.each(CASES)('$code: $when ($router)', async ({ code, router, play }) => {
    const { asked, force } = await play()
    expect(await asked).toMatchObject({ status: catalogue[code].status, code })
    expect(await force()).toBe(router)
  })

  it('MIXED_TOKENS: claims in two tokens are optimized into one (MixedTokens)', async () => {
    const { issuer, beneficiary } = the.world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token: the.world.eur, faceValue: CLAIM_FACE }
    const euros = await act.registerClaim(the.world, terms)
    const vault = await act.createFundedVault(the.world, { token: the.world.eur, capital: CAPITAL })
    opened.push(vault)
    await routes.settleDown(the)
    const claimIds = [scene.claimId, euros.claimId]
    const response = await routes.postOptimize(the.app, token, { claimIds, targetAdvance: USD })
    expect(await readJson(response)).toMatchObject({ status: 422, code: 'MIXED_TOKENS' })
    const legs = [leg(), { claimId: euros.claimId, vault, faceAmount: FACE }]
    expect(await forceRoute({ legs })).toBe('MixedTokens')
  })

  it('with no code that is not shown here', async () => {
    const changed = CHANGES.map(({ code }) => code)
    const sorted = (codes: readonly string[]) => [...new Set(codes)].toSorted()
    expect(await describedRefusals(the.app)).toMatchObject({
      optimizeRoute: ['MIXED_TOKENS'],
      prepareExecution: sorted(changed),
      prepareRouteExecution: sorted([...changed, ...CASES.map(({ code }) => code)]),
    })
  })
})

describe('a route whose refusal is not final yet', () => {
  it('is prepared, with the issue that it would fail now, and executed once that has passed', async () => {
    const { routeId } = await plan()
    await act.pauseRouter(the.world)
    const prepared = await routes.prepare(the.app, token, routeId)
    expect(prepared.issues).toMatchObject([{ code: 'EXECUTION_WOULD_REVERT', errorName: 'EnforcedPause' }])
    await act.unpauseRouter(the.world)
    const { executionId } = await routes.signAndSubmit(the.world, scene.user, prepared)
    expect(executionId).toBe(prepared.executionId)
  })
})
