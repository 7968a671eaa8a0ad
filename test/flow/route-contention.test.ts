/**
 * Three gateway processes on one database are asked for the same route at once, and die while they answer: it is
 * prepared at most once.
 */
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProxy } from '../support/proxy.ts'
import { kill, type Replica, startReplicaWorld } from '../support/replica.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'

const USD = 1_000_000n

describe('three gateway processes on one database', () => {
  let the: Awaited<ReturnType<typeof startReplicaWorld>>
  let world: typeof the.world
  let store: typeof the.store
  let gateways: Replica[] = []
  let claimId: Hex
  let token: string
  let target = 100n * USD

  beforeAll(async () => {
    the = await startReplicaWorld()
    ;({ world, store } = the)
    const { issuer, beneficiary } = world.parties
    await act.createFundedVault(world, { token: world.usd, capital: 500n * USD })
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n * USD }
    claimId = (await act.registerClaim(world, terms)).claimId
    await act.finalize(world)
    gateways = await Promise.all([the.start(), the.start(), the.start()])
    token = await routes.tokenOf({ app: alive(), clock: { skewMs: 0 } }, beneficiary)
  })
  afterAll(() => the?.stop())

  const alive = () => {
    const gateway = gateways.find(({ isDead }) => !isDead)
    if (!gateway) throw new Error('no gateway is left')
    return gateway
  }
  const plan = async () => {
    target += 1n
    return routes.optimizeToRoute(alive(), token, { claimIds: [claimId], targetAdvance: target })
  }
  /** The statuses of as many concurrent prepares, spread over all gateways; 0 where the connection broke. */
  const storm = async (routeId: Hex, count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const gateway = gateways[index % gateways.length] ?? alive()
        try {
          const response = await routes.postPrepare(gateway, token, routeId)
          await response.text()
          return response.status
        } catch {
          return 0
        }
      }),
    )
  const countOf = (statuses: readonly number[], status: number) =>
    statuses.filter((one) => one === status).length
  const preparedRows = async (routeId: Hex) => {
    const rows = await store.store
      .selectFrom('preparedExecution')
      .select('executionId')
      .where('routeId', '=', routeId)
      .execute()
    return rows.length
  }

  const statusOf = async (routeId: Hex) => {
    const intents = store.store.selectFrom('routeIntent').select('status').where('routeId', '=', routeId)
    return (await intents.executeTakeFirst())?.status
  }

  it('plan the same route at the same block, byte for byte, whichever of them answers and after a restart', async () => {
    const restarted = await the.start()
    const answers = []
    for (const gateway of [...gateways, restarted]) {
      const body = { claimIds: [claimId], targetAdvance: 99n * USD }
      const text = await (await routes.postOptimize(gateway, token, body)).text()
      answers.push(text.replace(/"now":"[^"]+"/, '"now"'))
    }
    expect(answers[0]).toMatch(/"routeId":"0x[0-9a-f]{64}".*"executable":true/)
    expect(answers).toEqual(Array(4).fill(answers[0]))
    await restarted.process.stop()
  })

  it('prepare it for one of 200 concurrent callers, and answer 409 to the other 199, every time', async () => {
    for (let round = 0; round < 3; round++) {
      const { routeId } = await plan()
      const statuses = await storm(routeId, 200)
      expect({ won: countOf(statuses, 200), lost: countOf(statuses, 409) }).toEqual({ won: 1, lost: 199 })
      expect(await preparedRows(routeId)).toBe(1)
    }
  })

  it('leave it used up when one is killed between taking it and answering', async () => {
    const { routeId } = await plan()
    const proxy = await startProxy(new URL(world.rpcUrl))
    const doomed = await the.start({ rpcUrl: proxy.url })
    proxy.hold()
    const answer = routes.postPrepare(doomed, token, routeId).catch(() => undefined)
    await expect.poll(() => statusOf(routeId)).toBe('CONSUMED')
    await kill(doomed)
    expect(await answer).toBeUndefined()
    expect(await storm(routeId, 30)).toEqual(Array(30).fill(409))
    expect(await preparedRows(routeId)).toBe(0)
    expect(await statusOf(routeId)).toBe('CONSUMED')
    await proxy.stop()
  })

  it('never prepare it twice while they are killed at random moments', async () => {
    const seed = Date.now()
    console.log(`killed at moments of the seed ${seed}`)
    const stories = fc.sample(
      fc.record({ victims: fc.integer({ min: 1, max: 2 }), delay: fc.integer({ min: 0, max: 60 }) }),
      { numRuns: process.env.FAULTS === 'all' ? 20 : 2, seed },
    )
    for (const { victims, delay } of stories) {
      const { routeId } = await plan()
      const storming = storm(routeId, 90)
      await new Promise((resolve) => setTimeout(resolve, delay))
      const killed = gateways.filter(({ isDead }) => !isDead).slice(0, victims)
      await Promise.all(killed.map(kill))
      const first = await storming
      gateways = [
        ...gateways.filter(({ isDead }) => !isDead),
        ...(await Promise.all(killed.map(() => the.start()))),
      ]

      const second = await storm(routeId, 12)
      const winners = countOf(first, 200) + countOf(second, 200)
      expect(winners).toBeLessThanOrEqual(1)
      expect(await preparedRows(routeId)).toBeLessThanOrEqual(1)
      expect(countOf(await storm(routeId, 6), 409)).toBe(6)
    }
  })
})
