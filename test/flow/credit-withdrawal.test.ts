/**
 * A beneficiary that a settlement could not pay withdraws what the router holds for it with what the gateway prepares.
 */
import { decodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { postPrepare, prepare, sendPrepared } from '../support/prepared.ts'
import { deployForTest } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'

const PATH = '/credits/withdrawal/prepare'
const FACE = 1_000n

describe('withdrawing a credit', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let token: Hex

  beforeAll(async () => {
    the = await routes.startRouteWorld()
    token = await deployForTest(the.world, blockingTokenAbi, blockingTokenBytecode, [])
    await act.setTokenListed(the.world, { token, listed: true })
  })
  afterAll(() => the.stop())

  /** Settles a claim of which nothing is financed while the token does not pay its beneficiary. */
  async function creditBeneficiary(): Promise<void> {
    const { world } = the
    const { issuer, beneficiary, payer } = world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: FACE }
    const { claimId, attestation } = await act.registerClaim(world, terms)
    await act.travelTo(world, attestation.dueDate)
    await act.setBlocked(world, { token, account: beneficiary.address, blocked: true })
    await act.mintAndSettle(world, { payer, claimId })
    await routes.settleDown(the)
  }
  const unblock = () =>
    act.setBlocked(the.world, { token, account: the.world.parties.beneficiary.address, blocked: false })
  const tokenOf = () => routes.tokenOf(the, the.world.parties.beneficiary)

  it('pays the whole credit to the wallet once the token pays it again', async () => {
    const { beneficiary } = the.world.parties
    await creditBeneficiary()
    await unblock()

    const answer = await prepare(the.app, await tokenOf(), PATH, { token })

    const router = the.world.protocol.financingRouter
    expect(answer).toMatchObject({
      account: beneficiary.address,
      token,
      amount: String(FACE),
      transaction: { chainId: 31_337, from: beneficiary.address, to: router, value: '0' },
      approvals: [],
      issues: [],
    })
    expect(answer.description).toContain(`${FACE} base units of token ${token}`)
    const { functionName, args } = decodeFunctionData({
      abi: financingRouterAbi,
      data: answer.transaction.data,
    })
    expect([functionName, args]).toEqual(['withdrawCredit', [getAddress(token)]])
    const before = await act.balanceOf(the.world, token, beneficiary.address)
    await sendPrepared(the.world, answer)
    expect(await act.balanceOf(the.world, token, beneficiary.address)).toBe(before + FACE)
  })

  it('reports that the token still refuses the wallet', async () => {
    await creditBeneficiary()
    const refused = await prepare(the.app, await tokenOf(), PATH, { token })
    expect(refused.issues).toMatchObject([{ code: 'EXECUTION_WOULD_REVERT' }])
    await unblock()
    const answer = await prepare(the.app, await tokenOf(), PATH, { token })
    expect(answer.issues).toEqual([])
    await sendPrepared(the.world, answer)
  })

  it('is refused without a credit, and to another receiver', async () => {
    await routes.settleDown(the)
    const post = async (body: object) => readJson(await postPrepare(the.app, await tokenOf(), PATH, body))
    expect(await post({ token })).toMatchObject({ status: 422, code: 'NO_CREDIT', token })
    const receiver = the.world.parties.stranger.address
    expect(await post({ token, receiver })).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      detail: 'receiver: is unknown; remove it',
    })
  })
})
