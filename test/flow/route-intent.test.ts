/** A route is prepared once, by its user, before its deadline; other callers learn nothing. */
import { createPublicClient, getAbiItem, type Hex, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { createGateway } from '../support/gateway.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { revertOf } from '../support/transactions.ts'

const USD = 1_000_000n

describe('a route intent', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let token: string
  let strangersToken: string
  let claimId: Hex
  let target = 100n * USD

  beforeAll(async () => {
    the = await routes.startRouteWorld()
    const { world } = the
    const { issuer, beneficiary, stranger } = world.parties
    await act.createFundedVault(world, { token: world.usd, capital: 500n * USD })
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n * USD }
    claimId = (await act.registerClaim(world, terms)).claimId
    await routes.settleDown(the)
    token = await routes.tokenOf(the, beneficiary)
    strangersToken = await routes.tokenOf(the, stranger)
  })
  afterAll(() => the.stop())

  /** Another target each time: another route. */
  const plan = async (change: Partial<routes.OptimizeBody> = {}) => {
    target += 1n
    const body = { claimIds: [claimId], targetAdvance: target, ...change }
    return { body, ...(await routes.optimizeToRoute(the.app, token, body)) }
  }
  const later = async <T>(milliseconds: number, act: () => Promise<T>): Promise<T> => {
    the.clock.skewMs += milliseconds
    try {
      return await act()
    } finally {
      the.clock.skewMs -= milliseconds
    }
  }

  it("of another user and one that does not exist are answered alike, byte for byte but for the request's id", async () => {
    const { routeId } = await plan()
    const missing = `0x${'12'.repeat(32)}` as const
    const text = async (id: Hex) => {
      const response = await routes.postPrepare(the.app, strangersToken, id)
      const requestId = response.headers.get('X-Request-Id') ?? ''
      const headers = [...response.headers].filter(([name]) => !/^(x-request-id|ratelimit)$/.test(name))
      return { status: response.status, headers, body: (await response.text()).replace(requestId, '') }
    }
    const foreign = await text(routeId)
    expect(foreign).toEqual(await text(missing))
    expect(foreign.status).toBe(404)
    expect(JSON.parse(foreign.body)).toMatchObject({ code: 'ROUTE_INTENT_NOT_FOUND' })
    await routes.prepare(the.app, token, routeId)
    expect(await text(routeId)).toEqual(foreign)
  })

  it('that was prepared is a 409 from then on', async () => {
    const { routeId } = await plan()
    await routes.prepare(the.app, token, routeId)
    for (const key of [undefined, 'a-key']) {
      const answer = await readJson(await routes.postPrepare(the.app, token, routeId, key))
      expect(answer).toMatchObject({
        status: 409,
        code: 'ROUTE_INTENT_UNAVAILABLE',
        intentStatus: 'CONSUMED',
        failureCode: null,
      })
    }
  })

  it('that failed is a 409 that says so, and why, with its key or another', async () => {
    const { routeId } = await plan()
    await act.pauseRouter(the.world)
    await act.finalize(the.world)
    const failed = await readJson(await routes.postPrepare(the.app, token, routeId, 'a-key'))
    await act.unpauseRouter(the.world)
    await routes.settleDown(the)
    expect(failed).toMatchObject({ status: 422, code: 'ROUTER_PAUSED' })
    for (const key of [undefined, 'a-key', 'another-key']) {
      const answer = await readJson(await routes.postPrepare(the.app, token, routeId, key))
      expect(answer).toMatchObject({ status: 409, intentStatus: 'FAILED', failureCode: 'ROUTER_PAUSED' })
    }
  })

  it('that expired is a 422, and optimizing again at the same block makes it usable again', async () => {
    const { routeId, body } = await plan()
    const expired = await later(120_000, async () =>
      readJson(await routes.postPrepare(the.app, token, routeId)),
    )
    expect(expired).toMatchObject({ status: 422, code: 'ROUTE_INTENT_EXPIRED' })
    await later(120_000, async () => {
      expect((await routes.optimizeToRoute(the.app, token, body)).routeId).toBe(routeId)
      await routes.prepare(the.app, token, routeId)
    })
  })

  it('is new for a wallet that declined to sign and asks again at the same block; one signature executes', async () => {
    const { beneficiary } = the.world.parties
    const { routeId, body, answer } = await plan()
    const declined = await routes.prepare(the.app, token, routeId, 'declined')
    const again = await routes.optimizeToRoute(the.app, token, body)
    expect([again.routeId, again.answer.blockNumber]).toEqual([routeId, answer.blockNumber])
    expect(again.answer.status).toBe('PENDING')
    // The answer of the pruned intent is its caller's, and consumes nothing.
    expect(await routes.prepare(the.app, token, routeId, 'declined')).toEqual(declined)
    const prepared = await routes.prepare(the.app, token, routeId, 'signed')
    expect(prepared.typedData.message.nonce).toBe(declined.typedData.message.nonce)
    await routes.signAndSubmit(the.world, beneficiary, prepared)
    const second = routes.signAndSubmit(the.world, beneficiary, declined)
    expect(await revertOf(second)).toMatchObject({ errorName: 'InvalidAccountNonce' })
    await routes.settleDown(the)
  })

  it('is new although it failed before, once its user optimizes at the same block', async () => {
    const soon = await plan({ routeDeadlineSeconds: 60 })
    await later(40_000, async () => {
      const refused = await readJson(await routes.postPrepare(the.app, token, soon.routeId))
      expect(refused).toMatchObject({ status: 422, code: 'ROUTE_DEADLINE_TOO_SOON' })
      const again = await routes.optimizeToRoute(the.app, token, soon.body)
      expect([again.routeId, again.answer.status]).toEqual([soon.routeId, 'PENDING'])
      await routes.prepare(the.app, token, soon.routeId)
    })
  })

  it('is honest about its status where pruning fails, and is never revived', async () => {
    const { routeId, body } = await plan()
    await routes.prepare(the.app, token, routeId)
    await the.store.pool.query(`
      create function gateway.refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end';
      create trigger refuse before delete on gateway.route_intent for each row execute function gateway.refuse()`)
    const again = await routes.optimizeToRoute(the.app, token, body)
    await the.store.pool.query('drop function gateway.refuse cascade')
    expect([again.routeId, again.answer.status]).toEqual([routeId, 'CONSUMED'])
    const answer = await readJson(await routes.postPrepare(the.app, token, routeId))
    expect(answer).toMatchObject({ code: 'ROUTE_INTENT_UNAVAILABLE', intentStatus: 'CONSUMED' })
  })

  it('has a deadline that counts from the latest final block where the clock is behind it', async () => {
    const { chain, parties } = the.world
    await later(-600_000, async () => {
      const early = await routes.tokenOf(the, parties.beneficiary)
      const body = { claimIds: [claimId], targetAdvance: target++ }
      const { routeId } = await routes.optimizeToRoute(the.app, early, body)
      const { typedData } = await routes.prepare(the.app, early, routeId)
      const { timestamp } = await chain.getBlock({ blockTag: 'finalized' })
      expect(BigInt(typedData.message.deadline)).toBe(timestamp + 300n)
    })
  })

  it('stores what was asked for, the claims too', async () => {
    const unknown = `0x${'34'.repeat(32)}` as const
    const { routeId } = await plan({ claimIds: [unknown, claimId], maxTotalFace: 2n ** 128n })
    const { rows } = await the.store.pool.query(
      'select request from gateway.route_intent where route_id = $1',
      [routeId],
    )
    expect(rows).toEqual([
      {
        request: {
          claimIds: [unknown, claimId],
          targetAdvance: String(target),
          maxTotalFace: String(2n ** 128n),
          maxTotalCost: null,
          routeDeadlineSeconds: 300,
        },
      },
    ])
  })

  it('prepared with an Idempotency-Key gives the same answer to the same key until its deadline', async () => {
    const { routeId } = await plan()
    const ask = async (key?: string, as = token) => {
      const response = await routes.postPrepare(the.app, as, routeId, key)
      return { status: response.status, text: await response.text() }
    }
    const first = await ask('order-17')
    expect(first.status).toBe(200)
    expect(await ask('order-17')).toEqual(first)
    expect(await later(290_000, () => ask('order-17'))).toEqual(first)
    expect(await ask('order-18')).toMatchObject({ status: 409 })
    expect(await ask()).toMatchObject({ status: 409 })
    expect(await ask('order-17', strangersToken)).toMatchObject({ status: 404 })
    expect(await later(301_000, () => ask('order-17'))).toMatchObject({ status: 409 })
  })

  it('gives the same answer again, byte for byte, where an earlier version stored the text that it sent', async () => {
    const { routeId } = await plan()
    const ask = async () => (await routes.postPrepare(the.app, token, routeId, 'order-20')).text()
    const text = await ask()
    const stored = await the.store.pool.query(
      'update gateway.prepared_answer set answer = $2 where route_id = $1',
      [routeId, text],
    )
    expect(stored.rowCount).toBe(1)
    expect(await ask()).toBe(text)
  })

  it('gives its own answer again although another route came to the same execution since', async () => {
    // By a clock behind the chain's, both are planned and prepared in the block's second: equal but for a cap that is
    // not signed.
    await later(-60_000, async () => {
      // The other token is of a later time, and a token of the future is refused.
      const early = await routes.tokenOf(the, the.world.parties.beneficiary)
      target += 1n
      const body = { claimIds: [claimId], targetAdvance: target }
      const first = await routes.optimizeToRoute(the.app, early, { ...body, maxTotalCost: 5n * USD })
      const second = await routes.optimizeToRoute(the.app, early, { ...body, maxTotalCost: 6n * USD })
      const ask = async (routeId: Hex) =>
        (await routes.postPrepare(the.app, early, routeId, 'order-19')).text()
      const [answer, other] = [await ask(first.routeId), await ask(second.routeId)]
      expect(JSON.parse(other).executionId).toBe(JSON.parse(answer).executionId)
      expect([await ask(first.routeId), await ask(second.routeId)]).toEqual([answer, other])
    })
  })

  it('has the same id and the same result on another replica and after a restart', async () => {
    const body = { claimIds: [claimId], targetAdvance: 77n * USD, maxTotalCost: 5n * USD }
    const replica = createGateway(the.store, {
      rpcUrl: the.world.rpcUrl,
      clock: () => Date.now() + the.clock.skewMs + 500,
    })
    const texts = []
    for (const app of [the.app, replica, the.app, replica]) {
      const { routeId, result, filteredOut } = await readJson(await routes.postOptimize(app, token, body))
      texts.push(JSON.stringify({ routeId, result, filteredOut }))
    }
    expect(new Set(texts).size).toBe(1)
  })

  it('has the digest of the contract as its executionId, and typed data that a wallet takes as it is', async () => {
    const { routeId } = await plan({ maxTotalFace: 300n * USD })
    const { executionId, typedData, submit, deadline } = await routes.prepare(the.app, token, routeId)
    const chain = createPublicClient({ transport: http(the.world.rpcUrl) })
    const { financingRouter } = the.world.protocol
    const { message, domain, types } = typedData
    const digest = await chain.readContract({
      abi: financingRouterAbi,
      address: financingRouter,
      functionName: 'routeDigest',
      args: [message],
    })
    expect(executionId).toBe(digest)
    expect(domain).toEqual({
      name: 'FinancingRouter',
      version: '1',
      chainId: 31337,
      verifyingContract: financingRouter,
    })
    expect(Object.keys(types)).toEqual(['EIP712Domain', 'ExecutionRoute', 'RouteLeg'])
    expect(message.maxTotalFace).toBe(300n * USD)
    expect(BigInt(Date.parse(deadline) / 1000)).toBe(message.deadline)
    const abi = [getAbiItem({ abi: financingRouterAbi, name: 'executeRoute' })]
    expect(submit).toEqual({ to: financingRouter, functionName: 'executeRoute', abi })
  })

  it('is bound to the nonce of the latest block, final or not', async () => {
    const first = await plan()
    const prepared = await routes.prepare(the.app, token, first.routeId)
    const second = await plan()
    await routes.signAndSubmit(the.world, the.world.parties.beneficiary, prepared)
    const { typedData } = await routes.prepare(the.app, token, second.routeId)
    expect(typedData.message.nonce).toBe(prepared.typedData.message.nonce + 1n)
  })

  it.each([
    ['a short deadline', 60, 60n],
    ['the default deadline', 300, 300n],
    ['a long deadline', 3600, 300n],
  ])('asked for with %s is bounded by it and by five minutes', async (_, routeDeadlineSeconds, expected) => {
    await routes.settleDown(the)
    const { routeId, answer } = await plan({ routeDeadlineSeconds })
    const { typedData } = await routes.prepare(the.app, token, routeId)
    const planned = BigInt(Math.floor(Date.parse(answer.now) / 1000))
    expect(typedData.message.deadline - planned).toBeGreaterThanOrEqual(expected)
    expect(typedData.message.deadline - planned).toBeLessThanOrEqual(
      expected + (routeDeadlineSeconds > 300 ? 5n : 0n),
    )
  })

  it('takes an empty body or none, and refuses anything in it', async () => {
    const { routeId } = await plan()
    const send = (body: string) =>
      the.app.request(`/api/v1/routes/${routeId}/prepare-execution`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body,
      })
    expect(await readJson(await send('{"deadline":1}'))).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'deadline' }],
    })
    expect((await send('{}')).status).toBe(200)
  })

  it.each(['0x12', 'latest', `0x${'zz'.repeat(32)}`])('under the malformed id %s is a 400', async (id) => {
    const response = await the.app.request(`/api/v1/routes/${id}/prepare-execution`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(await readJson(response)).toMatchObject({ status: 400, errors: [{ path: 'routeId' }] })
  })
})
