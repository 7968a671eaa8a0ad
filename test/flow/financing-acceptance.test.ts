/**
 * Whatever the market: a direct financing that is prepared is executed by the router at any moment up to its deadline,
 * one that is refused reverts at the block that was read or by its deadline, for the same rule of the mandate, and a
 * preview judges and prices it as the preparation does. FINANCED_MARKETS sets how many markets are made (12 unless
 * set).
 */
import fc from 'fast-check'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { createChain } from '../../api/chain/client.ts'
import { replay } from '../../api/chain/simulate.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { postPrepare, sendPrepared, toPreparedAnswer } from '../support/prepared.ts'
import { closeMarket, makeMarket, randomMarkets } from '../support/random-market.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { eventsOf } from '../support/transactions.ts'

const MARKETS = Number(process.env.FINANCED_MARKETS ?? 12)

const perMille = fc.oneof(fc.constant(1000), fc.integer({ min: 0, max: 1000 }))

const asks = fc.record({
  claim: fc.nat(),
  vault: fc.nat(),
  /** Per mille of the claim's face, or an amount that is most likely within a lot. */
  face: fc.oneof(perMille, fc.bigInt({ min: 1n, max: 10n ** 8n })),
  deadlineSeconds: fc.oneof(fc.constant(300), fc.constantFrom(60, 600, 3600)),
  /** Per mille of the time up to the deadline. */
  moment: fc.oneof(fc.constant(0), perMille),
})
type Ask = typeof asks extends fc.Arbitrary<infer Value> ? Value : never

const stories = fc.record({ market: randomMarkets, asks: fc.array(asks, { minLength: 3, maxLength: 6 }) })

const amount = z.string().transform(BigInt)
const financing = z.object({
  executionId: z.string(),
  deadline: z.iso.datetime().transform((text) => BigInt(Date.parse(text) / 1000)),
  legs: z.tuple([z.object({ minimumAdvanceAmount: amount })]),
  totals: z.object({ totalAdvance: amount }),
})
const preview = z.object({
  quotes: z.array(z.object({ advanceAmount: amount })),
  refusedVaults: z.array(z.object({ reason: z.string() })),
})
const executed = z.object({ executionId: z.string(), totalAdvance: z.bigint() })

/** The router's error for each rule of a mandate that does not depend on time until the deadline. */
const ROUTER_ERRORS = new Map<unknown, string>([
  ['TYPE_NOT_SUPPORTED', 'TypeNotSupported'],
  ['DURATION_EXCEEDED', 'DurationExceeded'],
  ['BELOW_MINIMUM_LOT', 'BelowMinimumLot'],
  ['ABOVE_MAXIMUM_LOT', 'AboveMaximumLot'],
  ['ABOVE_MAXIMUM_CLAIM_FACE', 'AboveMaximumClaimFace'],
  ['ABOVE_MAXIMUM_ISSUER_FACE', 'AboveMaximumIssuerFace'],
])

type Leg = { claimId: Hex; vault: Hex; faceAmount: bigint }

describe('a direct financing', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let token: string
  /** The gateway's time while a preview is compared with a preparation. */
  let frozen: number | undefined
  const seen = {
    executed: 0,
    atDeadline: 0,
    grown: 0,
    refused: 0,
    refusedForLater: 0,
    reasons: new Set<unknown>(),
  }

  beforeAll(async () => {
    the = await routes.startRouteWorld({ clock: () => frozen ?? Date.now() + the.clock.skewMs })
  })
  afterAll(() => the.stop())

  it('is executed when it is prepared, and reverts when it is refused', {
    timeout: 600_000 + MARKETS * 60_000,
  }, async () => {
    const property = fc.asyncProperty(stories, async ({ market, asks }) => {
      const { claimIds, vaults } = await makeMarket(the.world, market)
      try {
        for (const ask of asks) await play(ask, claimIds, vaults)
      } finally {
        await closeMarket(the.world, vaults)
      }
    })
    await fc.assert(property, { numRuns: MARKETS, endOnFailure: true })
    console.log(`financed: ${JSON.stringify({ ...seen, reasons: [...seen.reasons] })}`)
    expect(seen.executed).toBeGreaterThan(0)
    expect(seen.refused).toBeGreaterThan(0)
  })

  async function play(ask: Ask, claimIds: readonly Hex[], vaults: readonly Hex[]): Promise<void> {
    const { world } = the
    frozen = undefined
    await routes.settleDown(the)
    token = await routes.tokenOf(the, world.parties.beneficiary)
    frozen = Number(await act.chainTime(world)) * 1000
    const leg = await legOf(ask, claimIds, vaults)
    const { number } = await world.chain.getBlock({ blockTag: 'finalized' })

    const { claimId, vault, faceAmount } = leg
    const { deadlineSeconds } = ask
    const body = { claimId, vault, faceAmount: String(faceAmount), deadlineSeconds }
    const response = await postPrepare(the.app, token, '/executions/prepare', body)
    const answer = await readJson(response)
    if (deadlineSeconds === 300) await comparePreview(leg, answer)
    if (response.status === 200) await execute(ask, answer)
    else await force(ask, leg, number, answer)
  }

  async function legOf({ claim, vault, face }: Ask, claimIds: readonly Hex[], vaults: readonly Hex[]) {
    const claimId = claimIds[claim % claimIds.length]
    const address = vaults[vault % vaults.length]
    if (!claimId || !address) throw new Error('a market has a claim and a vault')
    const { faceValue } = await act.claimOf(the.world, claimId)
    const share = typeof face === 'bigint' ? face : (faceValue * BigInt(face)) / 1000n
    return { claimId, vault: address, faceAmount: share > 0n ? share : 1n }
  }

  async function comparePreview({ claimId, vault, faceAmount }: Leg, prepared: object): Promise<void> {
    const body = { claimId, vault, faceAmount: String(faceAmount) }
    const answer = await readJson(await postPrepare(the.app, token, '/quotes/preview', body))
    const { quotes, refusedVaults } = preview.parse(answer)
    const accepted = financing.safeParse(prepared).data
    const advance = accepted?.totals.totalAdvance
    // A slice that costs all of its face has no quote, and yet the router does not refuse it.
    if (advance === 0n) expect(refusedVaults).toMatchObject([{ reason: 'QUOTE_REJECTED' }])
    else expect(quotes.map((quote) => quote.advanceAmount)).toEqual(accepted ? [advance] : [])
  }

  async function execute({ moment }: Ask, answer: unknown): Promise<void> {
    const { world } = the
    const { executionId, deadline, legs, totals } = financing.parse(answer)
    const prepared = toPreparedAnswer(answer)
    expect(prepared.issues).toEqual([])
    const next = (await act.chainTime(world)) + 1n
    const timestamp = next + ((deadline - next) * BigInt(moment)) / 1000n
    await world.chain.setNextBlockTimestamp({ timestamp })
    const receipt = await sendPrepared(world, prepared)
    const event = executed.parse(eventsOf(receipt).find(({ name }) => name === 'Executed')?.args)
    expect(event.executionId).toBe(executionId)
    expect(event.totalAdvance).toBeGreaterThanOrEqual(legs[0].minimumAdvanceAmount)
    seen.executed += 1
    seen.atDeadline += timestamp === deadline ? 1 : 0
    seen.grown += event.totalAdvance > totals.totalAdvance ? 1 : 0
  }

  /** The reason for the refusal exists at the block that was read, or arises within the time that was asked for. */
  async function force({ deadlineSeconds }: Ask, leg: Leg, read: bigint, answer: Record<string, unknown>) {
    const { world } = the
    expect(answer.status).toBe(422)
    seen.refused += 1
    seen.reasons.add(answer.reason)
    const chain = createChain({ urls: [world.rpcUrl], timeout: NODE_TIMEOUT_MS })
    const now = await replay(chain, callOf(leg), read)
    const expected = ROUTER_ERRORS.get(answer.reason)
    if (expected) expect(now, JSON.stringify(answer)).toMatchObject({ errorName: expected })
    if (now.outcome === 'REVERTS') return
    seen.refusedForLater += 1
    await act.travelTo(world, (await act.chainTime(world)) + BigInt(deadlineSeconds))
    const later = await replay(chain, callOf(leg), await chain.getBlockNumber())
    expect(later.outcome, JSON.stringify(answer)).toBe('REVERTS')
  }

  function callOf({ claimId, vault, faceAmount }: Leg) {
    const args = [claimId, vault, faceAmount, 0n, 2n ** 63n] as const
    const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'executeFinancing', args })
    const { parties, protocol } = the.world
    return { from: parties.beneficiary.address, to: protocol.financingRouter, data }
  }
})
