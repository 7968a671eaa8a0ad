/**
 * A beneficiary finances one claim with one vault by what the gateway prepares. The refusals and issues here concern
 * direct financings alone, and the router agrees with them. Refusals of routes too are in financing-refusals.test.ts.
 */
import { decodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { findPreparedExecution } from '../../api/store/prepared-executions.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare, prepare, sendPrepared } from '../support/prepared.ts'
import { createSmartWallet } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { eventsOf, revertOf, send } from '../support/transactions.ts'

const USD = 1_000_000n
const CAPITAL = 500n * USD
const FACE = 400n * USD
const ADVANCE = 396n * USD

describe('financing one claim directly', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let user: Party
  let vault: Hex
  let claimId: Hex

  beforeAll(async () => {
    the = await routes.startRouteWorld()
    user = the.world.parties.beneficiary
  })
  afterAll(() => the.stop())

  beforeEach(async () => {
    vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: CAPITAL })
    claimId = await register()
    await routes.settleDown(the)
  })

  const register = async (terms: Partial<act.ClaimTerms> = {}) => {
    const { issuer } = the.world.parties
    const all = {
      issuer,
      beneficiary: user.address,
      token: the.world.usd,
      faceValue: 1_000n * USD,
      ...terms,
    }
    return (await act.registerClaim(the.world, all)).claimId
  }

  type Ask = {
    claimId?: Hex
    vault?: Hex
    faceAmount?: string
    minimumAdvanceAmount?: string
    deadlineSeconds?: number
  }
  const bodyOf = (ask: Ask) => ({ claimId, vault, faceAmount: String(FACE), ...ask })
  const post = async (ask: Ask, as = user) =>
    postPrepare(the.app, await routes.tokenOf(the, as), '/executions/prepare', bodyOf(ask))
  const prepared = async (ask: Ask = {}, as = user) =>
    prepare(the.app, await routes.tokenOf(the, as), '/executions/prepare', bodyOf(ask))
  const refused = async (ask: Ask = {}, as = user) => {
    await act.finalize(the.world)
    return readJson(await post(ask, as))
  }
  /** Sends the call without regard to the gateway's answer. */
  const force = async (ask: Ask = {}, as = user) => {
    const { faceAmount, minimumAdvanceAmount = '0', ...pair } = bodyOf(ask)
    const leg = {
      ...pair,
      faceAmount: BigInt(faceAmount),
      minimumAdvanceAmount: BigInt(minimumAdvanceAmount),
    }
    return (await revertOf(act.executeFinancing(the.world, { user: as, ...leg }))).errorName
  }

  it('pays the wallet the advance and books the face to the vault, as the answer says', async () => {
    const { world } = the
    const answer = await prepared()
    expect(answer).toMatchObject({
      transaction: { chainId: 31_337, from: user.address, to: world.protocol.financingRouter, value: '0' },
      rpc: { params: [{ value: '0x0', chainId: '0x7a69' }] },
      approvals: [],
      issues: [],
      legs: [{ claimId, vault, faceAmount: String(FACE), minimumAdvanceAmount: String(ADVANCE) }],
      totals: {
        totalFace: String(FACE),
        totalAdvance: String(ADVANCE),
        totalCost: String(FACE - ADVANCE),
        effectiveDiscountBps: 100,
      },
    })
    expect(answer.description).toContain(
      `Finance 400 HUSD (400000000 base units) of the face of claim ${claimId}`,
    )
    expect(answer.description).toContain('pays this wallet 396 HUSD (396000000 base units)')

    const before = await act.balanceOf(world, world.usd, user.address)
    const receipt = await sendPrepared(world, answer)
    expect((await act.balanceOf(world, world.usd, user.address)) - before).toBe(ADVANCE)
    expect(await act.claimOf(world, claimId)).toMatchObject({
      state: 'PARTIALLY_FUNDED',
      financedFaceValue: FACE,
    })
    expect(await act.vaultCapital(world, vault)).toMatchObject({
      idleAssets: CAPITAL - ADVANCE,
      outstandingFace: FACE,
    })
    expect(eventsOf(receipt).find(({ name }) => name === 'Executed')?.args).toMatchObject({
      executionId: answer.executionId,
      user: user.address,
      totalFace: FACE,
      totalAdvance: ADVANCE,
    })
  })

  it('is possible for a contract wallet', async () => {
    const wallet = await createSmartWallet(the.world, the.world.parties.otherBeneficiary)
    const owned = await register({ beneficiary: wallet.address })
    await routes.settleDown(the)
    const { transaction, issues } = await prepared({ claimId: owned }, wallet)
    expect([transaction.from, issues]).toEqual([wallet.address, []])
    await send(the.world.chain, wallet, transaction)
    expect(await act.balanceOf(the.world, the.world.usd, wallet.address)).toBe(ADVANCE)
  })

  it('is accepted up to the last second of its deadline, and no longer', async () => {
    const answer = await prepared({ deadlineSeconds: 60 })
    const deadline = BigInt(Date.parse(String(answer.deadline)) / 1000)
    await the.world.chain.setNextBlockTimestamp({ timestamp: deadline })
    await sendPrepared(the.world, answer)

    const late = await prepared({ faceAmount: '1000', deadlineSeconds: 60 })
    await act.travelTo(the.world, BigInt(Date.parse(String(late.deadline)) / 1000) + 1n)
    expect(await revertOf(send(the.world.chain, user, late.transaction))).toMatchObject({
      errorName: 'DeadlineExpired',
    })
    await routes.settleDown(the)
  })

  it('has a deadline that counts from the later of block and clock', async () => {
    const { clock, world } = the
    const { timestamp } = await world.chain.getBlock({ blockTag: 'finalized' })
    const deadlineAt = async (seconds: number) => {
      clock.skewMs = (Number(timestamp) + seconds) * 1000 - Date.now()
      return BigInt(Date.parse(String((await prepared({ deadlineSeconds: 60 })).deadline)) / 1000)
    }
    expect(await deadlineAt(-600)).toBe(timestamp + 60n)
    expect(await deadlineAt(50)).toBeGreaterThanOrEqual(timestamp + 50n + 60n)
    await routes.settleDown(the)
  })

  it('is judged until this deadline, though the clock is far ahead of the block', async () => {
    const { clock, world } = the
    const dueDate = (await act.chainTime(world)) + 1_000n
    const soon = await register({ dueDate })
    await act.finalize(world)
    clock.skewMs = (Number(dueDate) - 100) * 1000 - Date.now()
    expect(await refused({ claimId: soon, deadlineSeconds: 200 })).toMatchObject({
      code: 'LEG_NOT_FINANCEABLE',
      reason: 'DUE_WITHIN_DEADLINE',
      have: String(dueDate),
    })
    await routes.settleDown(the)
    expect((await prepared({ claimId: soon, deadlineSeconds: 200 })).issues).toEqual([])
  })

  it('can be prepared again: the id stays until the slice is taken, and the longest deadline is kept', async () => {
    const long = await prepared({ deadlineSeconds: 600 })
    const short = await prepared({ deadlineSeconds: 60, faceAmount: '1000' })
    expect(short.executionId).toBe(long.executionId)
    const stored = await findPreparedExecution(the.store.store, {
      executionId: toHex(long.executionId),
      user: the.world.parties.beneficiary.address,
    })
    expect(stored).toMatchObject({ routeId: null, userAddress: user.address })
    expect(stored?.deadline.toISOString()).toBe(String(long.deadline).replace('Z', '.000Z'))

    await sendPrepared(the.world, short)
    const next = await prepared({ faceAmount: '1000' })
    expect(next.executionId).not.toBe(long.executionId)
    const receipt = await sendPrepared(the.world, next)
    expect(eventsOf(receipt).find(({ name }) => name === 'Executed')?.args).toMatchObject({
      executionId: next.executionId,
    })
  })

  it('takes one slice after the other at the premium of its type, until all of the face is financed', async () => {
    const pricing = { baseDiscountBps: 100, durationBpsPerDay: 1, premiumBps: [0, 33, 7] }
    const priced = await act.createFundedVault(the.world, { token: the.world.usd, capital: CAPITAL, pricing })
    const typed = await register({ claimType: 2, faceValue: 300n })
    await routes.settleDown(the)
    for (const [face, state] of [
      [101n, 'PARTIALLY_FUNDED'],
      [198n, 'PARTIALLY_FUNDED'],
      [1n, 'FULLY_FUNDED'],
    ] as const) {
      const answer = await prepared({ claimId: typed, vault: priced, faceAmount: String(face) })
      const advance = face - (face * 137n + 9_999n) / 10_000n
      expect(answer.legs).toMatchObject([{ minimumAdvanceAmount: String(advance) }])
      const before = await act.balanceOf(the.world, the.world.usd, user.address)
      await sendPrepared(the.world, answer)
      expect((await act.balanceOf(the.world, the.world.usd, user.address)) - before).toBe(advance)
      expect(await act.claimOf(the.world, typed)).toMatchObject({ state })
      await act.finalize(the.world)
    }
  })

  it('binds the advance that the wallet asks for at least', async () => {
    const answer = await prepared({ minimumAdvanceAmount: '7' })
    const { args } = decodeFunctionData({ abi: financingRouterAbi, data: answer.transaction.data })
    expect(args?.[3]).toBe(7n)
    expect(answer.description).toContain('and at least 0.000007 HUSD (7 base units)')
    expect(answer.totals).toMatchObject({ totalAdvance: String(ADVANCE) })
  })

  it('is prepared with an issue while what stands against it is not final', async () => {
    await act.pauseRouter(the.world)
    expect((await prepared()).issues).toEqual([
      {
        code: 'EXECUTION_WOULD_REVERT',
        message: 'At the latest block this would revert with EnforcedPause().',
        errorName: 'EnforcedPause',
        arguments: [],
      },
    ])
    await act.unpauseRouter(the.world)
    for (let slice = 0; slice < 8; slice++) {
      await act.executeFinancing(the.world, { user, claimId, vault, faceAmount: 1n * USD })
    }
    const { issues } = await prepared({ faceAmount: '1000' })
    expect(issues).toMatchObject([{ errorName: 'NoSlicesRemaining', arguments: [claimId] }])
    expect(await force({ faceAmount: '1000' })).toBe('NoSlicesRemaining')
  })

  it('CLAIM_NOT_FOUND: nobody registered the claim', async () => {
    const ask = { claimId: `0x${'ab'.repeat(32)}` } as const
    expect(await refused(ask)).toMatchObject({ status: 404, code: 'CLAIM_NOT_FOUND' })
    expect(await force(ask)).toBe('UnknownClaim')
  })

  it('LEG_NOT_FINANCEABLE: the wallet is not the beneficiary', async () => {
    const { stranger } = the.world.parties
    expect(await refused({}, stranger)).toMatchObject({
      status: 422,
      code: 'LEG_NOT_FINANCEABLE',
      reason: 'NOT_BENEFICIARY',
      have: user.address,
      need: stranger.address,
    })
    expect(await force({}, stranger)).toBe('NotBeneficiary')
  })

  it('LEG_NOT_FINANCEABLE: due before the deadline; prepared for a nearer one', async () => {
    const dueDate = (await act.chainTime(the.world)) + 200n
    const soon = await register({ dueDate })
    await routes.settleDown(the)
    const refusedSoon = await refused({ claimId: soon })
    expect(refusedSoon).toMatchObject({
      code: 'LEG_NOT_FINANCEABLE',
      reason: 'DUE_WITHIN_DEADLINE',
      have: String(dueDate),
    })
    expect(BigInt(String(refusedSoon.need))).toBeGreaterThan(dueDate)
    expect(refusedSoon.detail).toContain('Lower deadlineSeconds')
    await sendPrepared(the.world, await prepared({ claimId: soon, deadlineSeconds: 100 }))
    await act.travelTo(the.world, dueDate)
    expect(await force({ claimId: soon })).toBe('ClaimPastDue')
    await routes.settleDown(the)
    const { timestamp } = await the.world.chain.getBlock({ blockTag: 'finalized' })
    expect(await refused({ claimId: soon, deadlineSeconds: 60 })).toMatchObject({
      code: 'LEG_NOT_FINANCEABLE',
      reason: 'CLAIM_PAST_DUE',
      have: String(dueDate),
    })
    expect(timestamp).toBeGreaterThanOrEqual(dueDate)
  })

  it('VAULT_INACTIVE: the vault is none', async () => {
    for (const none of [the.world.usd, the.world.parties.stranger.address]) {
      expect(await refused({ vault: none })).toMatchObject({
        status: 422,
        code: 'VAULT_INACTIVE',
        vault: none,
      })
      expect(await force({ vault: none })).toBe('VaultInactive')
    }
  })

  it('TOKEN_MISMATCH: the vault is in another token', async () => {
    const other = await act.createFundedVault(the.world, { token: the.world.eur, capital: CAPITAL })
    expect(await refused({ vault: other })).toMatchObject({
      status: 422,
      code: 'TOKEN_MISMATCH',
      have: the.world.eur,
      need: the.world.usd,
    })
    expect(await force({ vault: other })).toBe('TokenMismatch')
  })

  it('INSUFFICIENT_LIQUIDITY: the advance grows beyond it before the deadline', async () => {
    const pricing = { baseDiscountBps: 100, durationBpsPerDay: 10 }
    const exact = await act.createFundedVault(the.world, { token: the.world.usd, capital: 9_700n, pricing })
    const dueDate = (await act.chainTime(the.world)) + 20n * act.DAY + 150n
    const ageing = await register({ dueDate })
    await routes.settleDown(the)
    const ask = { claimId: ageing, vault: exact, faceAmount: '10000' }
    expect(await refused(ask)).toMatchObject({ code: 'INSUFFICIENT_LIQUIDITY', have: '9700', need: '9710' })
    const brief = await prepared({ ...ask, deadlineSeconds: 60 })
    expect(brief.issues).toEqual([])
    await act.travelTo(the.world, dueDate - 20n * act.DAY + 1n)
    expect(await force(ask)).toBe('InsufficientLiquidity')
    await routes.settleDown(the)
  })

  it('VALIDATION_FAILED: a deadline too near to be met, a field that nobody knows', async () => {
    const tooSoon = await post({ deadlineSeconds: 59 })
    expect([tooSoon.status, (await readJson(tooSoon)).code]).toEqual([400, 'VALIDATION_FAILED'])
    const token = await routes.tokenOf(the, user)
    const misspelt = { ...bodyOf({}), minimumAdvance: '1' }
    const response = await postPrepare(the.app, token, '/executions/prepare', misspelt)
    expect(await readJson(response)).toMatchObject({
      status: 400,
      detail: 'minimumAdvance: is unknown; remove it',
    })
  })
})

function toHex(text: unknown): Hex {
  return `0x${String(text).slice(2)}`
}
