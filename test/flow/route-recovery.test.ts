/**
 * A fault at any step between taking a route and answering it, with an Idempotency-Key: the same request at another
 * replica gets one answer, and no second one exists. The faults enumerate the steps themselves, so a new step is
 * covered without a change here.
 */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '../../api/projection/session/database.ts'
import { createStore } from '../../api/store/database.ts'
import { startFaultyNode } from '../support/faulty-node.ts'
import { startFaultyPostgres } from '../support/faulty-postgres.ts'
import { createGateway } from '../support/gateway.ts'
import { startProxy } from '../support/proxy.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import type { Requestable } from '../support/sign-in.ts'

const USD = 1_000_000n
/** More steps than a prepare has: a fault that is always met is one that the loop cannot end on. */
const STEPS_MAX = 40

describe('a prepare that meets a fault', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let node: Awaited<ReturnType<typeof startFaultyNode>>
  let line: Awaited<ReturnType<typeof startFaultyPostgres>>
  let pool: ReturnType<typeof createPool>
  /** Its node and its line to the database fail on demand; the replica's do not. */
  let exposed: Requestable
  let replica: Requestable
  let token: string
  let claimId: Hex
  let target = 100n * USD
  let keys = 0

  beforeAll(async () => {
    the = await routes.startRouteWorld()
    const { world, store, clock } = the
    const { issuer, beneficiary } = world.parties
    await act.createFundedVault(world, { token: world.usd, capital: 500n * USD })
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n * USD }
    claimId = (await act.registerClaim(world, terms)).claimId
    await routes.settleDown(the)
    node = await startFaultyNode(world.rpcUrl)
    line = await startFaultyPostgres(new URL(store.url))
    pool = createPool(line.url, 10)
    pool.on('error', () => {})
    const throughLine = { ...store, pool, store: createStore(pool) }
    exposed = createGateway(throughLine, { rpcUrl: node.url, clock: clock.now })
    replica = createGateway(store, { rpcUrl: world.rpcUrl, clock: clock.now })
    token = await routes.tokenOf(the, beneficiary)
  })
  afterAll(async () => {
    await pool?.end()
    line?.stop()
    await node?.stop()
    await the?.stop()
  })

  const plan = async () => {
    target += 1n
    return (await routes.optimizeToRoute(the.app, token, { claimIds: [claimId], targetAdvance: target }))
      .routeId
  }
  const ask = async (app: Requestable, routeId: Hex, key?: string) => {
    const response = await routes.postPrepare(app, token, routeId, key)
    const text = await response.text()
    const retryAfter = response.headers.get('Retry-After')
    return { status: response.status, text, retryAfter, body: JSON.parse(text) }
  }
  const nextKey = () => `key-${++keys}`
  const intentOf = (routeId: Hex) =>
    the.store.store
      .selectFrom('routeIntent')
      .select(['status', 'failureCode'])
      .where('routeId', '=', routeId)
      .executeTakeFirstOrThrow()
  const executionsOf = async (routeId: Hex) => {
    const prepared = the.store.store.selectFrom('preparedExecution').select('executionId')
    return (await prepared.where('routeId', '=', routeId).execute()).map(({ executionId }) => executionId)
  }
  /** Runs `play` with the fault after 0, 1, 2, … good steps, until a run meets no fault. @returns how many did */
  const atEveryStep = async (
    faulty: { failAfter: (good: number) => unknown; mend: () => boolean },
    play: (fail: () => void, mend: () => boolean) => Promise<boolean>,
  ) => {
    for (let step = 0; step < STEPS_MAX; step++) {
      const isMet = await play(
        () => void faulty.failAfter(step),
        () => faulty.mend(),
      )
      if (!isMet) return step
    }
    throw new Error('every run met the fault')
  }
  const whilePaused = async <T>(play: () => Promise<T>): Promise<T> => {
    await act.pauseRouter(the.world)
    await routes.settleDown(the)
    try {
      return await play()
    } finally {
      await act.unpauseRouter(the.world)
      await routes.settleDown(the)
    }
  }
  const nodeFails = (how: Parameters<typeof node.failAfter>[1]) => ({
    failAfter: (good: number) => node.failAfter(good, how),
    mend: node.mend,
  })
  const lineFails = (how: Parameters<typeof line.failAfter>[1]) => ({
    failAfter: (good: number) => line.failAfter(good, how),
    mend: line.mend,
  })
  const otherAnswersOfNodes = [
    ['the node answers with an error page', () => nodeFails('html'), 4],
    ['the node limits the rate', () => nodeFails('limit'), 4],
  ] as const
  const faults = [
    ['the node closes connections', () => nodeFails('cut'), 4],
    ...(process.env.FAULTS === 'all' ? otherAnswersOfNodes : []),
    ['the database is lost before a statement', () => lineFails('before'), 5],
    ['the database is lost after a statement', () => lineFails('after'), 5],
  ] as const

  it.each(faults)('is answered under its key at another replica, once: %s', async (_, faulty, atLeast) => {
    const steps = await atEveryStep(faulty(), async (fail, mend) => {
      const [routeId, key] = [await plan(), nextKey()]
      fail()
      const first = await ask(exposed, routeId, key)
      const isMet = mend()
      expect(isMet ? [200, 503] : [200]).toContain(first.status)
      const second = await ask(replica, routeId, key)
      expect(second).toMatchObject({ status: 200 })
      if (first.status === 200) expect(second.text).toBe(first.text)
      expect((await ask(the.app, routeId, key)).text).toBe(second.text)
      expect(await executionsOf(routeId)).toEqual([second.body.executionId])
      return isMet
    })
    expect(steps).toBeGreaterThanOrEqual(atLeast)
  })

  it.each(faults)('without a key ends in a 503 that says to optimize again: %s', async (_, faulty) => {
    await atEveryStep(faulty(), async (fail, mend) => {
      const routeId = await plan()
      fail()
      const first = await ask(exposed, routeId)
      const isMet = mend()
      const { status } = await intentOf(routeId)
      const second = await ask(replica, routeId)
      expect(second.status).toBe(status === 'PENDING' ? 200 : 409)
      if (first.body.intentStatus === 'CONSUMED') {
        expect(first).toMatchObject({ status: 503, retryAfter: null, body: { resumable: false } })
        expect(first.body.detail).toMatch(/optimize again/i)
        expect(first.body.detail).not.toMatch(/try again/i)
      } else if (first.status === 503) {
        // Nothing was taken, or the database was lost with the very statement that takes: the gateway cannot know.
        expect(Number(first.retryAfter)).toBeGreaterThan(0)
      }
      expect((await executionsOf(routeId)).length).toBeLessThanOrEqual(1)
      return isMet
    })
  })

  it.each(faults)('with a key says that the same request resumes it: %s', async (_, faulty) => {
    let resumable = 0
    await atEveryStep(faulty(), async (fail, mend) => {
      const [routeId, key] = [await plan(), nextKey()]
      fail()
      const first = await ask(exposed, routeId, key)
      const isMet = mend()
      if (first.body.intentStatus === 'CONSUMED') {
        resumable += 1
        expect(first).toMatchObject({ status: 503, retryAfter: '2', body: { resumable: true } })
        expect(first.body.detail).toContain('same Idempotency-Key')
        expect(await ask(replica, routeId, 'another-key')).toMatchObject({
          status: 409,
          body: { status: 409, intentStatus: 'CONSUMED' },
        })
      }
      return isMet
    })
    expect(resumable).toBeGreaterThan(0)
  })

  it.each(faults)(
    'of a route that no longer holds ends as FAILED, never in an answer: %s',
    async (_, faulty) => {
      await atEveryStep(faulty(), async (fail, mend) => {
        const [routeId, key] = [await plan(), nextKey()]
        return whilePaused(async () => {
          fail()
          const first = await ask(exposed, routeId, key)
          const isMet = mend()
          expect([422, 503]).toContain(first.status)
          const second = await ask(replica, routeId, key)
          expect([422, 409]).toContain(second.status)
          if (first.status === 422) expect(second.status).toBe(409)
          expect(await intentOf(routeId)).toEqual({ status: 'FAILED', failureCode: 'ROUTER_PAUSED' })
          expect(await ask(the.app, routeId, key)).toMatchObject({
            status: 409,
            body: { intentStatus: 'FAILED', failureCode: 'ROUTER_PAUSED' },
          })
          expect(await executionsOf(routeId)).toEqual([])
          return isMet
        })
      })
    },
  )

  it('is answered alike to callers with its key that came while it was under way, whatever their clocks', async () => {
    const held = await startProxy(new URL(the.world.rpcUrl))
    const at = (seconds: number) =>
      createGateway(the.store, { rpcUrl: held.url, clock: () => the.clock.now() + seconds * 1000 })
    const replicas = [at(0), at(3), at(7), at(11)]
    const [routeId, key] = [await plan(), nextKey()]
    held.hold()
    const underWay = replicas.flatMap((app) => [ask(app, routeId, key), ask(app, routeId, key)])
    await expect.poll(async () => (await intentOf(routeId)).status).toBe('CONSUMED')
    const other = await ask(replica, routeId, 'another-key')
    expect(other).toMatchObject({ status: 409, body: { intentStatus: 'CONSUMED' } })
    held.release()
    const answers = await Promise.all(underWay)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await executionsOf(routeId)).toEqual([answers[0]?.body.executionId])
    held.stop()
  })
})
