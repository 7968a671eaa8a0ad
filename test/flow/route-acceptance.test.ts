/**
 * Whatever the market, every route that is prepared is executed by the router at any moment up to its deadline, with
 * the totals that were promised; and while nothing but time passes, no route is refused between optimize and prepare.
 * ACCEPTED_ROUTES sets how many routes have to be executed (20 unless set).
 */
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closeMarket, makeMarket, randomMarkets } from '../support/random-market.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { eventsOf } from '../support/transactions.ts'

const WANTED = Number(process.env.ACCEPTED_ROUTES ?? 12)
const BEYOND_REACH = 10n ** 40n
/** Below the intent's lifetime and above the deadline's margin, with seconds to spare for the blocks in between. */
const [LIFETIME, MARGIN] = [110, 40]

const moment = fc.oneof(fc.constant(0), fc.constant(1000), fc.integer({ min: 0, max: 1000 }))

const stories = fc.record({
  market: randomMarkets,
  /** Per mille of the most that can be reached. */
  target: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 1000 })),
  routeDeadlineSeconds: fc.constantFrom(60, 300, 300, 600, 3600),
  /** Per mille of the time in which the route can be prepared. */
  wait: moment,
  /** Per mille of the time from then to the deadline. */
  submit: moment,
})
type Story = typeof stories extends fc.Arbitrary<infer Value> ? Value : never

const executedTotals = z.object({ totalFace: z.bigint(), totalAdvance: z.bigint() })

describe('every prepared route', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  const seen = {
    routes: 0,
    legs: 0,
    ofSeveralLegs: 0,
    ofManyClaims: 0,
    atMost: 0,
    grownSincePrepared: 0,
    atDeadline: 0,
  }

  beforeAll(async () => {
    the = await routes.startRouteWorld()
  })
  afterAll(() => the.stop())

  it('is executed on chain with the totals that it promised', {
    // Ends a hanging run; far above what a route takes on a busy machine.
    timeout: 600_000 + WANTED * 60_000,
  }, async () => {
    const property = fc.asyncProperty(stories, async (story) => {
      const { claimIds, vaults } = await makeMarket(the.world, story.market)
      try {
        await play(story, claimIds)
      } finally {
        await closeMarket(the.world, vaults)
      }
    })
    await fc.assert(property, { numRuns: WANTED, endOnFailure: true })
    console.log(`executed: ${JSON.stringify(seen)}`)
    expect(seen.routes).toBe(WANTED)
  })

  async function play(story: Story, claimIds: readonly Hex[]): Promise<void> {
    const { world, app } = the
    await routes.settleDown(the)
    const token = await routes.tokenOf(the, world.parties.beneficiary)
    const planned = await plan(story, token, claimIds)
    const start = await act.chainTime(world)
    const patience = Math.min(LIFETIME, story.routeDeadlineSeconds - MARGIN)
    await pass(start + BigInt(Math.floor((patience * story.wait) / 1000)))
    const prepared = await routes.prepare(app, token, planned.routeId)
    expect(prepared.issues).toEqual([])
    await execute(story, prepared)
  }

  async function plan({ target, routeDeadlineSeconds }: Story, token: string, claimIds: readonly Hex[]) {
    const ask = { claimIds, routeDeadlineSeconds }
    const { result } = await routes.optimize(the.app, token, { ...ask, targetAdvance: BEYOND_REACH })
    if (result.executable) throw new Error('the target was within reach')
    const targetAdvance = (result.maxAchievableAdvance * BigInt(target)) / 1000n
    fc.pre(targetAdvance > 0n)
    seen.atMost += target === 1000 ? 1 : 0
    seen.ofManyClaims += claimIds.length > 12 ? 1 : 0
    return routes.optimizeToRoute(the.app, token, { ...ask, targetAdvance })
  }

  /** Nothing happens until `time`, and then for the few blocks that make it final. */
  async function pass(time: bigint): Promise<void> {
    if (time > (await act.chainTime(the.world))) await act.travelTo(the.world, time)
    await routes.settleDown(the)
  }

  async function execute({ submit }: Story, prepared: routes.Prepared): Promise<void> {
    const { world } = the
    const { deadline, targetAdvance, maxTotalFace } = prepared.typedData.message
    const latest = await act.chainTime(world)
    const timestamp = latest + 1n + ((deadline - latest - 1n) * BigInt(submit)) / 1000n
    await world.chain.setNextBlockTimestamp({ timestamp })
    const { executionId, receipt } = await routes.signAndSubmit(world, world.parties.beneficiary, prepared)
    expect(executionId).toBe(prepared.executionId)
    expect((await world.chain.getBlock({ blockNumber: receipt.blockNumber })).timestamp).toBe(timestamp)

    const totals = executedTotals.parse(eventsOf(receipt).find(({ name }) => name === 'Executed')?.args)
    expect(totals.totalFace).toBe(prepared.totals.totalFace)
    expect(totals.totalFace).toBeLessThanOrEqual(maxTotalFace)
    expect(totals.totalAdvance).toBeGreaterThanOrEqual(prepared.totals.totalAdvance)
    expect(prepared.totals.totalAdvance).toBeGreaterThanOrEqual(targetAdvance)
    seen.routes += 1
    seen.legs += prepared.legs.length
    seen.ofSeveralLegs += prepared.legs.length > 1 ? 1 : 0
    seen.atDeadline += timestamp === deadline ? 1 : 0
    seen.grownSincePrepared += totals.totalAdvance > prepared.totals.totalAdvance ? 1 : 0
  }
})
