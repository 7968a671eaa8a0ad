/** Anyone asks what vaults would pay for a claim; the vaults say the same, and pay it. */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { postPrepare, prepare, sendPrepared } from '../support/prepared.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { revertOf } from '../support/transactions.ts'

const USD = 1_000_000n
const FACE = 1_000n * USD

const bytes = z.string().transform((text): Hex => `0x${text.slice(2)}`)
const amount = z.string().transform(BigInt)
const preview = z.object({
  token: bytes,
  dueDate: z.iso.datetime().transform((text) => BigInt(Date.parse(text) / 1000)),
  remainingFace: amount,
  refusal: z.object({ reason: z.string() }).loose().nullable(),
  routeRefusal: z.object({ reason: z.string() }).loose().nullable(),
  quotes: z.array(
    z.object({
      vault: bytes,
      faceAmount: amount,
      discountAmount: amount,
      advanceAmount: amount,
      totalBps: z.int(),
      effectiveDiscountBps: z.int(),
    }),
  ),
  refusedVaults: z.array(z.object({ vault: bytes, reason: z.string() }).loose()),
})

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
beforeAll(async () => {
  the = await routes.startRouteWorld()
})
afterAll(() => the.stop())

const post = (body: object) =>
  Promise.resolve(
    the.app.request('/api/v1/quotes/preview', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
const ask = async (body: object) => preview.parse(await readJson(await post(body)))

const register = async (terms: Partial<act.ClaimTerms> = {}) => {
  const { issuer, beneficiary } = the.world.parties
  const all = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: FACE, ...terms }
  const { claimId } = await act.registerClaim(the.world, all)
  await routes.settleDown(the)
  return claimId
}
const fund = async (terms: Partial<Parameters<typeof act.createFundedVault>[1]> = {}) => {
  const vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: FACE, ...terms })
  await routes.settleDown(the)
  return vault
}

describe('a preview of quotes', () => {
  it('asks every vault, cheapest first, says what each says itself, and needs no token', async () => {
    const { world } = the
    const expensive = await fund({ pricing: { baseDiscountBps: 301, durationBpsPerDay: 1 } })
    const cheap = await fund({ pricing: { baseDiscountBps: 7, durationBpsPerDay: 3 } })
    const other = await fund({ token: world.eur })
    const claimId = await register()
    const faceAmount = 1_234_567n
    const answer = await ask({ claimId, faceAmount: String(faceAmount) })
    expect(answer.quotes.map(({ vault }) => vault)).toEqual([cheap, expensive])
    expect(answer.refusedVaults).toMatchObject([{ vault: other, reason: 'TOKEN_MISMATCH' }])
    for (const { vault, ...quoted } of answer.quotes) {
      const [, reason, discountAmount, advance] = await world.chain.readContract({
        address: vault,
        abi: financingVaultAbi,
        functionName: 'quote',
        args: [claimId, faceAmount],
      })
      expect([reason, discountAmount, advance]).toEqual([0, quoted.discountAmount, quoted.advanceAmount])
      expect(quoted.effectiveDiscountBps).toBe(
        Math.ceil((Number(discountAmount) * 10_000) / Number(faceAmount)),
      )
    }
  })

  it('is taken up by executions/prepare at once, and paid to the last unit', async () => {
    const { world } = the
    const vault = await fund({ pricing: { baseDiscountBps: 123, durationBpsPerDay: 2 } })
    const claimId = await register()
    const { quotes } = await ask({ claimId, vault, faceAmount: '999999' })
    const [quoted] = quotes
    const user = world.parties.beneficiary
    const prepared = await prepare(the.app, await routes.tokenOf(the, user), '/executions/prepare', {
      claimId,
      vault,
      faceAmount: '999999',
    })
    const before = await act.balanceOf(world, world.usd, user.address)
    await sendPrepared(world, prepared)
    expect((await act.balanceOf(world, world.usd, user.address)) - before).toBe(quoted?.advanceAmount)
  })

  it('without a face asks each vault for the most that it takes, and one that has it pays no more', async () => {
    const { world } = the
    // At 1 %, this is the advance of a face of 300 dollars, and of one unit more.
    const vault = await fund({ capital: 297n * USD })
    const claimId = await register()
    const { quotes } = await ask({ claimId, vault })
    const faceAmount = quotes[0]?.faceAmount ?? 0n
    expect(faceAmount).toBe(300n * USD + 1n)
    const leg = { user: world.parties.beneficiary, claimId, vault }
    const advanced = quotes[0]?.advanceAmount ?? 0n
    const [next] = (await ask({ claimId, vault, faceAmount: `${faceAmount + 1n}` })).refusedVaults
    expect(next).toMatchObject({
      reason: 'NO_LIQUIDITY',
      have: `${advanced}`,
      need: `${advanced + 1n}`,
    })
    const more = act.executeFinancing(world, { ...leg, faceAmount: faceAmount + 2n })
    expect(await revertOf(more)).toMatchObject({ errorName: 'InsufficientLiquidity' })
    await act.executeFinancing(world, { ...leg, faceAmount })
  })

  it('without a face asks for no more than a vault can pay at the deadline, where a day less costs less', async () => {
    // The discount is 11 % with ten days to the due date, and 10 % with nine: the advance of 300 dollars.
    const pricing = { baseDiscountBps: 100, durationBpsPerDay: 100 }
    const vault = await fund({ capital: 270n * USD, pricing, mandate: { maxDurationDays: 30 } })
    const claimId = await register({ dueDate: (await act.inDays(the.world, 10)) + 200n })
    expect(await ask({ claimId, vault })).toMatchObject({
      quotes: [{ faceAmount: 300n * USD + 1n, totalBps: 1_100 }],
      refusedVaults: [],
    })
  })

  it('without a face asks for what is left of the most of one claim, and names this limit where nothing is', async () => {
    const { world } = the
    const vault = await fund({ mandate: { minFace: USD, maxClaimFace: 300n * USD } })
    const claimId = await register()
    const finance = (faceAmount: bigint) =>
      act.executeFinancing(world, { user: world.parties.beneficiary, claimId, vault, faceAmount })
    await finance(100n * USD)
    await routes.settleDown(the)
    expect(await ask({ claimId, vault })).toMatchObject({
      remainingFace: 900n * USD,
      quotes: [{ faceAmount: 200n * USD }],
    })
    expect((await ask({ claimId, vault, faceAmount: String(200n * USD + 1n) })).refusedVaults).toMatchObject([
      {
        vault,
        reason: 'ABOVE_MAXIMUM_CLAIM_FACE',
        have: String(300n * USD + 1n),
        need: String(300n * USD),
      },
    ])
    await finance(199n * USD + 1n)
    await routes.settleDown(the)
    // Less than the smallest lot is left.
    expect((await ask({ claimId, vault })).refusedVaults).toMatchObject([
      { vault, reason: 'ABOVE_MAXIMUM_CLAIM_FACE', have: String(300n * USD + 1n) },
    ])
    expect(await revertOf(finance(USD))).toMatchObject({ errorName: 'AboveMaximumClaimFace' })
  })

  it('without a face ranks vaults by the rate of what each takes, not by the amount of the discount', async () => {
    const small = await fund({ capital: 10n * USD, pricing: { baseDiscountBps: 300 } })
    const large = await fund({ capital: 900n * USD, pricing: { baseDiscountBps: 200 } })
    const { quotes } = await ask({ claimId: await register() })
    const own = quotes.filter(({ vault }) => vault === small || vault === large)
    expect(own.map(({ vault }) => vault)).toEqual([large, small])
    expect(own[0]?.discountAmount).toBeGreaterThan(own[1]?.discountAmount ?? 0n)
  })

  it('orders vaults of one rate by their address, and those that give no quote', async () => {
    const [same, others]: [Hex[], Hex[]] = [[], []]
    for (const _ of Array(4)) {
      same.push(await fund({ pricing: { baseDiscountBps: 250 } }))
      others.push(await fund({ token: the.world.eur }))
    }
    const { quotes, refusedVaults } = await ask({ claimId: await register(), faceAmount: '1000000' })
    const quoting = quotes.map(({ vault }) => vault).filter((vault) => same.includes(vault))
    expect(quoting).toEqual(same.toSorted())
    const refusing = refusedVaults.map(({ vault }) => vault)
    expect(refusing).toEqual(expect.arrayContaining(others))
    expect(refusing).toEqual(refusing.toSorted())
  })

  it('gives the reason of one vault that does not take the claim', async () => {
    const { world } = the
    const claimId = await register({ claimType: 5 })
    const mandate = { supportedTypesBitmap: 1n << 4n, maxDurationDays: 365, minFace: 1n, maxFace: FACE }
    const choosy = await fund({ mandate })
    const poor = await fund({
      capital: 1n,
      mandate: { ...mandate, supportedTypesBitmap: 1n << 5n, minFace: 100n },
    })
    const { stranger } = world.parties
    expect((await ask({ claimId, vault: poor })).refusedVaults).toMatchObject([
      { vault: poor, reason: 'NO_LIQUIDITY', have: '1' },
    ])
    expect(await ask({ claimId, vault: choosy })).toMatchObject({
      quotes: [],
      refusedVaults: [{ vault: choosy, reason: 'TYPE_NOT_SUPPORTED' }],
    })
    expect((await ask({ claimId, vault: stranger.address })).refusedVaults).toMatchObject([
      { vault: stranger.address, reason: 'VAULT_INACTIVE' },
    ])
  })

  it('of a lot that would cost all of its face is no quote, though the router would let the wallet take it', async () => {
    const { world } = the
    const vault = await fund()
    const claimId = await register()
    const dust = { claimId, vault, faceAmount: '1' }
    expect((await ask(dust)).refusedVaults).toMatchObject([
      { vault, reason: 'QUOTE_REJECTED', have: '1', need: '0' },
    ])
    const user = world.parties.beneficiary
    const token = await routes.tokenOf(the, user)
    const { legs } = await prepare(the.app, token, '/executions/prepare', dust)
    expect(legs).toMatchObject([{ minimumAdvanceAmount: '0' }])
    await act.executeFinancing(world, { user, claimId, vault, faceAmount: 1n })
  })

  it('gives the reason of a claim that no vault can finance', async () => {
    const { world } = the
    const claimId = await register()
    const reasonOf = async (body: object) => (await ask(body)).refusal?.reason
    expect(await reasonOf({ claimId, faceAmount: String(FACE + 1n) })).toBe('FACE_EXCEEDS_REMAINING')
    await act.pauseRouter(world)
    await routes.settleDown(the)
    expect(await reasonOf({ claimId })).toBe('ROUTER_PAUSED')
    await act.unpauseRouter(world)
    await act.revokeClaim(world, { issuer: world.parties.issuer, claimId })
    const due = await register()
    expect(await reasonOf({ claimId })).toBe('CLAIM_NOT_FINANCEABLE')
    expect(await reasonOf({ claimId, faceAmount: String(FACE + 1n) })).toBe('CLAIM_NOT_FINANCEABLE')
    await act.travelDays(world, 31)
    await routes.settleDown(the)
    expect(await reasonOf({ claimId: due })).toBe('CLAIM_PAST_DUE')
  })

  it('of a claim due soon says what optimize and a direct financing say of it, with both times', async () => {
    const { world } = the
    const vault = await fund()
    const token = await routes.tokenOf(the, world.parties.beneficiary)
    const at = async (seconds: bigint) => {
      const dueDate = (await act.chainTime(world)) + seconds
      const claimId = await register({ dueDate })
      const block = await world.chain.getBlock({ blockTag: 'finalized' })
      const { filteredOut } = await routes.optimize(the.app, token, {
        claimIds: [claimId],
        targetAdvance: 1n,
      })
      const direct = await postPrepare(the.app, token, '/executions/prepare', {
        claimId,
        vault,
        faceAmount: '1000',
      })
      const { refusal, routeRefusal, quotes, ...seen } = await ask({ claimId })
      expect(seen).toMatchObject({ token: world.usd, dueDate, remainingFace: FACE })
      const planned = {
        reason: 'DUE_WITHIN_DEADLINE',
        have: String(dueDate),
        need: String(block.timestamp + 1621n),
      }
      return { refusal, routeRefusal, quotes, filteredOut, claimId, planned, dueDate, direct }
    }

    // The deadline of a direct financing is 300 s away, the end of a route's plan 1320 s more.
    const near = await at(200n)
    expect(near.quotes).toEqual([])
    expect(near.refusal).toMatchObject({ reason: 'DUE_WITHIN_DEADLINE', have: String(near.dueDate) })
    expect(near.routeRefusal).toBeNull()
    expect(near.direct.status).toBe(422)
    expect(await readJson(near.direct)).toMatchObject({ reason: 'DUE_WITHIN_DEADLINE' })
    expect(near.filteredOut).toEqual([{ claimId: near.claimId, ...near.planned }])

    const soon = await at(1000n)
    expect(soon.quotes.some((quote) => quote.vault === vault)).toBe(true)
    expect([soon.refusal, soon.routeRefusal]).toEqual([null, soon.planned])
    expect(soon.direct.status).toBe(200)
    expect(soon.filteredOut).toEqual([{ claimId: soon.claimId, ...soon.planned }])

    // The deadline counts from the clock while no block is as late.
    the.clock.skewMs = (Number(soon.dueDate) - 300) * 1000 - Date.now()
    expect((await ask({ claimId: soon.claimId })).refusal).toMatchObject({ reason: 'DUE_WITHIN_DEADLINE' })

    const late = await at(2000n)
    expect([late.refusal, late.routeRefusal, late.filteredOut]).toEqual([null, null, []])
  })

  it('of a claim that nobody registered is a 404', async () => {
    const response = await post({ claimId: `0x${'ab'.repeat(32)}` })
    expect([response.status, (await readJson(response)).code]).toEqual([404, 'CLAIM_NOT_FOUND'])
  })
})
