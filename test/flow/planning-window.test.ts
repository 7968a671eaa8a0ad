/**
 * The time for which a route is planned follows from the block and the request alone. A clock that is too far ahead is
 * refused and no plan depends on it.
 */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../support/gateway.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'

const USD = 1_000_000n
const DELAY = 1320

describe('replicas whose clocks differ', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let token: string
  let vault: Hex
  /** Time of the pinned block, in Unix seconds. */
  let pinned: bigint

  beforeAll(async () => {
    the = await routes.startRouteWorld()
    const { world } = the
    // A day boundary of the discount lies within each window, so that prices depend on where the window ends.
    const pricing = { baseDiscountBps: 100, durationBpsPerDay: 10 }
    vault = await act.createFundedVault(world, { token: world.usd, capital: 500n * USD, pricing })
    await routes.settleDown(the)
    token = await routes.tokenOf(the, world.parties.beneficiary)
  })
  afterAll(() => the.stop())

  const register = async (secondsToDue: bigint) => {
    const { issuer, beneficiary } = the.world.parties
    const dueDate = (await act.chainTime(the.world)) + secondsToDue
    const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1_000n * USD }
    const { claimId } = await act.registerClaim(the.world, { ...terms, dueDate })
    return claimId
  }
  const settle = async () => {
    await routes.settleDown(the)
    pinned = (await the.world.chain.getBlock({ blockTag: 'finalized' })).timestamp
  }
  /** A gateway by whose clock the pinned block is `age` seconds old. */
  const replica = (age: number, env: Record<string, string> = {}) =>
    createGateway(the.store, {
      rpcUrl: the.world.rpcUrl,
      clock: () => (Number(pinned) + age) * 1000,
      env,
    })
  const plan = async (age: number, body: routes.OptimizeBody, env?: Record<string, string>) => {
    const app = replica(age, env)
    // A token of a later time than the replica's is refused.
    const clock = { skewMs: (Number(pinned) + age) * 1000 - Date.now() }
    const own = await routes.tokenOf({ app, clock }, the.world.parties.beneficiary)
    const response = await routes.postOptimize(app, own, body)
    return { status: response.status, body: await readJson(response) }
  }

  it.each([60, 3600])(
    'answer byte-identically at one block until it is too old, with a deadline of %i s',
    async (routeDeadlineSeconds) => {
      const claimIds: Hex[] = []
      // Due on either side of every end that a plan has had: the steps of 900 s, and the window's own.
      for (const seconds of [890n, 910n, 1370n, 1400n, 1730n, 1760n, 1810n, 2690n, 2710n]) {
        claimIds.push(await register(seconds))
      }
      // Fewer whole days are left at the end of the window than at its start.
      for (const seconds of [800n, 1500n]) claimIds.push(await register(act.DAY + seconds))
      await settle()
      const body = { claimIds, targetAdvance: 450n * USD, routeDeadlineSeconds }
      const answers = []
      for (const age of [-600, 0, 419, 420, 421, 480, 540, 541, 600, 601, 840, 900, 1200, 1319, DELAY]) {
        const { status, body: answer } = await plan(age, body)
        expect(status).toBe(200)
        const { routeId, result, filteredOut, blockNumber, now } = answer
        expect(now).toBe(new Date((Number(pinned) + age) * 1000).toISOString())
        answers.push(JSON.stringify({ routeId, result, filteredOut, blockNumber }))
      }
      expect(new Set(answers).size).toBe(1)
      expect(answers[0]).toContain('"executable":true')
    },
  )

  it('refuse with CHAIN_BEHIND from the second on in which the block is too old, and say how old', async () => {
    const body = { claimIds: [await register(10n * act.DAY)], targetAdvance: USD }
    await settle()
    const { number } = await the.world.chain.getBlock({ blockTag: 'finalized' })
    expect((await plan(DELAY, body)).status).toBe(200)
    expect(await plan(DELAY + 1, body)).toMatchObject({
      status: 503,
      body: {
        code: 'CHAIN_BEHIND',
        blockNumber: Number(number),
        blockAgeSeconds: DELAY + 1,
        maximumAgeSeconds: DELAY,
      },
    })
    expect((await plan(31, body, { PLANNING_DELAY_SECONDS: '30' })).status).toBe(503)
    expect((await plan(30, body, { PLANNING_DELAY_SECONDS: '30' })).status).toBe(200)
  })

  /** A gateway by whose clock the pinned block has another age once a search is under way. */
  const slowReplica = (before: number, after: number) => {
    let age = before
    return createGateway(the.store, {
      rpcUrl: the.world.rpcUrl,
      clock: () => (Number(pinned) + age) * 1000,
      optimize: async (input) => {
        const { optimizeRoute } = await import('../../api/optimizer/index.ts')
        age = after
        return optimizeRoute(input)
      },
    })
  }

  it('refuse a route whose search outlasts the bound, rather than store a deadline beyond its window', async () => {
    const body = { claimIds: [await register(10n * act.DAY)], targetAdvance: USD }
    await settle()
    const slow = slowReplica(DELAY - 1, DELAY + 1)
    const before = await the.store.pool.query('select count(*) from gateway.route_intent')
    expect(await readJson(await routes.postOptimize(slow, token, body))).toMatchObject({
      code: 'CHAIN_BEHIND',
    })
    expect((await the.store.pool.query('select count(*) from gateway.route_intent')).rows).toEqual(
      before.rows,
    )
  })

  it('count the times of a route from the end of its search', async () => {
    const body = { claimIds: [await register(10n * act.DAY)], targetAdvance: USD, routeDeadlineSeconds: 300 }
    await settle()
    const answer = await readJson(await routes.postOptimize(slowReplica(0, 45), token, body))
    const timeOf = (age: number) => new Date((Number(pinned) + age) * 1000)
    expect(answer).toMatchObject({ now: timeOf(45).toISOString(), expiresAt: timeOf(165).toISOString() })
    const { rows } = await the.store.pool.query(
      'select created_at, expires_at, user_deadline from gateway.route_intent where route_id = $1',
      [answer.routeId],
    )
    expect(rows).toEqual([{ created_at: timeOf(45), expires_at: timeOf(165), user_deadline: timeOf(345) }])
  })

  it('leave a claim out exactly when it is due by the last second that any deadline can have', async () => {
    const end = BigInt(DELAY) + 60n
    const [out, into] = [await register(end + 0n), await register(end + 60n)]
    await settle()
    const { body } = await plan(0, { claimIds: [out, into], targetAdvance: USD, routeDeadlineSeconds: 60 })
    expect(body.filteredOut).toMatchObject([
      { claimId: out, reason: 'DUE_WITHIN_DEADLINE', need: String(pinned + end + 1n) },
    ])
    expect(body.result).toMatchObject({ executable: true, legs: [{ claimId: into, vault }] })
  })
})
