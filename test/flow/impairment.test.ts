/**
 * An overdue slice is written down with what the gateway prepares, as soon as the contract accepts it and as far as it
 * does.
 */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describedRefusals } from '../support/described-refusals.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare, prepare, sendPrepared } from '../support/prepared.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { outcomeOf } from '../support/transactions.ts'

const FACE = 1_000_000n
const SLICE = 400_000n

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
let curator: Party
let stranger: Party
let vault: Hex
let claimId: Hex
beforeAll(async () => {
  the = await routes.startRouteWorld()
  const { issuer, beneficiary } = the.world.parties
  curator = the.world.parties.curator
  stranger = the.world.parties.stranger
  vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 1_000_000_000n })
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: FACE }
  const registered = await act.registerClaim(the.world, terms)
  claimId = registered.claimId
  await act.executeFinancing(the.world, { user: beneficiary, claimId, vault, faceAmount: SLICE })
  await act.travelTo(the.world, registered.attestation.dueDate)
  await routes.settleDown(the)
})
afterAll(() => the.stop())

type Body = { sliceIndex: number; carryingValue?: string }

const pathOf = (id: Hex) => `/claims/${id}/impairment/prepare`
const refused = async (as: Party, body: Body, id = claimId) =>
  readJson(await postPrepare(the.app, await routes.tokenOf(the, as), pathOf(id), body))
const prepared = async (as: Party, body: Body) =>
  prepare(the.app, await routes.tokenOf(the, as), pathOf(claimId), body)
const outcome = (caller: Party, sliceIndex: number, carryingValue: bigint, id = claimId) =>
  outcomeOf(act.impair(the.world, { caller, vault, claimId: id, sliceIndex, carryingValue }))
const pass = async (days: number) => {
  await act.travelDays(the.world, days)
  await routes.settleDown(the)
}

describe('an overdue slice', () => {
  it('is not impaired within the grace period (ImpairmentTooEarly)', async () => {
    const { dueDate } = await act.claimOf(the.world, claimId)
    const possibleFromUnix = Number(dueDate) + 30 * 86_400
    const expected = { status: 422, code: 'IMPAIRMENT_TOO_EARLY', claimId, possibleFromUnix }
    expect(await refused(curator, { sliceIndex: 0 })).toMatchObject(expected)
    expect(await outcome(curator, 0, 0n)).toBe('ImpairmentTooEarly')
  })

  it('is written down by the curator after 30 days, and by nobody else', async () => {
    await pass(30)
    const { advanceAmount = 0n } = (await act.allocationsOf(the.world, claimId))[0] ?? {}

    expect(await refused(stranger, { sliceIndex: 0 })).toMatchObject({ code: 'IMPAIRMENT_TOO_EARLY' })
    const chosen = await refused(stranger, { sliceIndex: 0, carryingValue: '1' })
    expect(chosen).toMatchObject({ status: 403, code: 'CURATOR_REQUIRED', curator: curator.address })
    expect(await outcome(stranger, 0, 1n)).toBe('OwnableUnauthorizedAccount')
    const answer = await prepared(curator, { sliceIndex: 0, carryingValue: '100000' })
    expect(answer).toMatchObject({
      vault,
      faceAmount: String(SLICE),
      advanceAmount: String(advanceAmount),
      loss: String(advanceAmount - 100_000n),
      carryingValue: '100000',
      approvals: [],
      issues: [],
      transaction: { from: curator.address, to: vault },
    })
    const before = await act.vaultCapital(the.world, vault)
    await sendPrepared(the.world, answer)
    await routes.settleDown(the)
    const { totalAssets } = await act.vaultCapital(the.world, vault)
    expect(before.totalAssets - totalAssets).toBe(advanceAmount - 100_000n)
  })

  it('is never written up, nor to the value that it has (CarryingValueNotLower)', async () => {
    const expected = { status: 422, code: 'CARRYING_VALUE_NOT_LOWER', carryingValue: '100000' }
    expect(await refused(curator, { sliceIndex: 0, carryingValue: '100000' })).toMatchObject(expected)
    expect(await outcome(curator, 0, 100_000n)).toBe('CarryingValueNotLower')
  })

  it('is written down to nothing by anyone after 90 days', async () => {
    await pass(60)
    const answer = await prepared(stranger, { sliceIndex: 0 })
    expect(answer).toMatchObject({ loss: '100000', carryingValue: '0', issues: [] })
    await sendPrepared(the.world, answer)
    await routes.settleDown(the)
    const { outstandingAdvance, outstandingImpairment } = await act.vaultCapital(the.world, vault)
    expect(outstandingImpairment).toBe(outstandingAdvance)
  })

  it('is not impaired once it is paid, and where there is none (NotOutstanding)', async () => {
    const absent = { status: 422, code: 'ALLOCATION_NOT_OUTSTANDING', claimId, sliceIndex: 1 }
    expect(await refused(curator, { sliceIndex: 1 })).toMatchObject(absent)
    expect(await outcome(curator, 1, 0n)).toBe('NotOutstanding')
    await act.mintAndSettle(the.world, { payer: the.world.parties.payer, claimId })
    await routes.settleDown(the)
    const paid = { code: 'ALLOCATION_NOT_OUTSTANDING', sliceIndex: 0, state: 'SETTLED' }
    expect(await refused(curator, { sliceIndex: 0 })).toMatchObject(paid)
    expect(await outcome(curator, 0, 0n)).toBe('NotOutstanding')
    const unknown = await refused(curator, { sliceIndex: 0 }, `0x${'ab'.repeat(32)}`)
    expect(unknown).toMatchObject({ status: 404, code: 'CLAIM_NOT_FOUND' })
  })
})

it('no refusal is described that is not shown here', async () => {
  const { prepareImpairment } = await describedRefusals(the.app)
  expect(prepareImpairment).toEqual([
    'ALLOCATION_NOT_OUTSTANDING',
    'CARRYING_VALUE_NOT_LOWER',
    'CURATOR_REQUIRED',
    'IMPAIRMENT_TOO_EARLY',
  ])
})
