/**
 * No settlement is prepared for a claim that cannot be settled, or is not due. Sent all the same, only the settlement
 * before the due date is executed.
 */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue, type ErrorCode } from '../../api/errors.ts'
import { describedRefusals } from '../support/described-refusals.ts'
import { postPrepare } from '../support/prepared.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { outcomeOf } from '../support/transactions.ts'

const FACE = 500_000n

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
beforeAll(async () => {
  the = await routes.startRouteWorld()
})
afterAll(() => the.stop())

const register = async () => {
  const { issuer, beneficiary } = the.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: FACE }
  return (await act.registerClaim(the.world, terms)).claimId
}
const mature = async () => {
  await act.travelDays(the.world, 31)
  await routes.settleDown(the)
}
const refused = async (claimId: Hex) => {
  const token = await routes.tokenOf(the, the.world.parties.payer)
  return readJson(await postPrepare(the.app, token, `/settlements/${claimId}/prepare`))
}
const revoked = async () => {
  const claimId = await register()
  await act.revokeClaim(the.world, { issuer: the.world.parties.issuer, claimId })
  await routes.settleDown(the)
  return claimId
}

const CASES: {
  when: string
  code: ErrorCode
  router: string
  reach: () => Promise<Hex>
  expected: (claimId: Hex) => Promise<object> | object
}[] = [
  {
    when: 'nobody knows the claim',
    code: 'CLAIM_NOT_FOUND',
    router: 'UnknownClaim',
    reach: async () => `0x${'ab'.repeat(32)}`,
    expected: (claimId) => ({ claimId }),
  },
  {
    when: 'it is not due, and when it will be',
    code: 'CLAIM_NOT_MATURED',
    router: 'accepted',
    reach: async () => {
      const claimId = await register()
      const { usd: token, protocol, parties } = the.world
      await act.mint(the.world, { token, to: parties.payer.address, amount: FACE })
      const approval = { owner: parties.payer, token, spender: protocol.financingRouter, amount: FACE }
      await act.approve(the.world, approval)
      await routes.settleDown(the)
      return claimId
    },
    expected: async (claimId) => {
      const { dueDate } = await act.claimOf(the.world, claimId)
      const expected = new Date(Number(dueDate) * 1000).toISOString().replace('.000Z', 'Z')
      const detail = `Claim ${claimId} is due at ${expected}. Settle it from then on.`
      return { detail, dueDate: expected, dueDateUnix: Number(dueDate) }
    },
  },
  {
    when: 'it was settled before',
    code: 'CLAIM_NOT_SETTLEABLE',
    router: 'ClaimNotSettleable',
    reach: async () => {
      const claimId = await register()
      await mature()
      await act.mintAndSettle(the.world, { payer: the.world.parties.payer, claimId })
      await routes.settleDown(the)
      return claimId
    },
    expected: () => ({ state: 'SETTLED' }),
  },
  {
    when: 'it was revoked',
    code: 'CLAIM_NOT_SETTLEABLE',
    router: 'ClaimNotSettleable',
    reach: async () => {
      const claimId = await revoked()
      await mature()
      return claimId
    },
    expected: () => ({ state: 'REVOKED' }),
  },
]

describe('settling is refused', () => {
  it.each(CASES)('$code: $when ($router)', async ({ code, router, reach, expected }) => {
    const claimId = await reach()
    const { status } = catalogue[code]
    expect(await refused(claimId)).toMatchObject({ status, code, ...(await expected(claimId)) })
    expect(await outcomeOf(act.settle(the.world, { payer: the.world.parties.payer, claimId }))).toBe(router)
  })

  it('with no code that is not shown here', async () => {
    const shown = new Set<string>(CASES.map(({ code }) => code))
    const { prepareSettlement } = await describedRefusals(the.app)
    expect(prepareSettlement?.filter((code) => !shown.has(code))).toEqual([])
  })

  it('CLAIM_NOT_FOUND: its registration is not final yet', async () => {
    const claimId = await register()
    expect(await refused(claimId)).toMatchObject({ status: 404, code: 'CLAIM_NOT_FOUND' })
  })
})
