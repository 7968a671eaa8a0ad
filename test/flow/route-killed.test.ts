/**
 * Gateway processes are killed at every step of a prepare with an Idempotency-Key, and at random among three of them:
 * the same request at a replica gets the one answer of the route.
 */
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFaultyNode } from '../support/faulty-node.ts'
import { startFaultyPostgres } from '../support/faulty-postgres.ts'
import { kill, type Replica, startReplicaWorld } from '../support/replica.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'

const USD = 1_000_000n
const STEPS_MAX = 40
/** Every step with `npm run test:faults`, of three one otherwise: each takes a process. */
const isLong = process.env.FAULTS === 'all'
const STRIDE = isLong ? 1 : 3

describe('a prepare under a key', () => {
  let the: Awaited<ReturnType<typeof startReplicaWorld>>
  let node: Awaited<ReturnType<typeof startFaultyNode>>
  let line: Awaited<ReturnType<typeof startFaultyPostgres>>
  let replicas: Replica[] = []
  let claimId: Hex
  let token: string
  let target = 100n * USD

  beforeAll(async () => {
    the = await startReplicaWorld()
    const { world, store } = the
    const { issuer, beneficiary } = world.parties
    await act.createFundedVault(world, { token: world.usd, capital: 500n * USD })
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n * USD }
    claimId = (await act.registerClaim(world, terms)).claimId
    await act.finalize(world)
    node = await startFaultyNode(world.rpcUrl)
    line = await startFaultyPostgres(new URL(store.url))
    replicas = await Promise.all([the.start(), the.start(), the.start()])
    token = await routes.tokenOf({ app: living(), clock: { skewMs: 0 } }, beneficiary)
  })
  afterAll(async () => {
    await the?.stop()
    await node?.stop()
    line?.stop()
  })

  const living = () => {
    const replica = replicas.find(({ isDead }) => !isDead)
    if (!replica) throw new Error('no replica is left')
    return replica
  }
  const plan = async () => {
    target += 1n
    const body = { claimIds: [claimId], targetAdvance: target }
    return (await routes.optimizeToRoute(living(), token, body)).routeId
  }
  /** Status and text; nothing where the connection broke. */
  const ask = async (replica: Replica, routeId: Hex, key: string) => {
    try {
      const response = await routes.postPrepare(replica, token, routeId, key)
      return { status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }
  const executionsOf = async (routeId: Hex) => {
    const prepared = the.store.store.selectFrom('preparedExecution').select('executionId')
    return (await prepared.where('routeId', '=', routeId).execute()).map(({ executionId }) => executionId)
  }

  it.each([
    ['request to the node', () => node, 4],
    ['statement to the database', () => line, 8],
  ] as const)('is answered by another replica after a kill at any %s', async (_, faulty, atLeast) => {
    let kills = 0
    let step = Date.now() % STRIDE
    console.log(`killed at step ${step}, and at each ${STRIDE} after it`)
    for (let isMet = true; isMet && step < STEPS_MAX; step += STRIDE) {
      const routeId = await plan()
      const doomed = await the.start({ rpcUrl: node.url, databaseUrl: line.url })
      const met = faulty().failAfter(step, 'hold')
      const first = ask(doomed, routeId, 'a-key')
      isMet = await Promise.race([met.then(() => true), first.then(() => false)])
      await kill(doomed)
      faulty().mend()
      if (isMet) expect(await first).toBeUndefined()
      const second = await ask(living(), routeId, 'a-key')
      expect(second?.status).toBe(200)
      expect(await ask(living(), routeId, 'a-key')).toEqual(second)
      expect(await executionsOf(routeId)).toEqual([JSON.parse(second?.text ?? '').executionId])
      if (isMet) kills += 1
    }
    expect(kills).toBeGreaterThanOrEqual(Math.floor(atLeast / STRIDE))
    expect(step).toBeLessThan(STEPS_MAX)
  })

  it('gets one answer for 90 callers over three replicas, some of which are killed at random moments', async () => {
    const seed = Date.now()
    console.log(`killed at moments of the seed ${seed}`)
    const scenarios = fc.sample(
      fc.record({
        victims: fc.integer({ min: isLong ? 0 : 1, max: 2 }),
        delay: fc.integer({ min: 0, max: 100 }),
      }),
      { numRuns: isLong ? 10 : 1, seed },
    )
    for (const { victims, delay } of scenarios) {
      const routeId = await plan()
      const storm = () =>
        Promise.all(
          Array.from({ length: 90 }, (_, index) => ask(replicas[index % 3] ?? living(), routeId, 'a-key')),
        )
      const storming = storm()
      await new Promise((resolve) => setTimeout(resolve, delay))
      await Promise.all(replicas.slice(0, victims).map(kill))
      const first = await storming
      const restarted = await Promise.all(replicas.slice(0, victims).map(() => the.start()))
      replicas = [...replicas.slice(victims), ...restarted]
      const second = await storm()
      const answers = [...first, ...second].filter((one) => one !== undefined)
      expect(second.every((one) => one !== undefined)).toBe(true)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(await executionsOf(routeId)).toEqual([JSON.parse(answers[0]?.text ?? '').executionId])
    }
  })
})
