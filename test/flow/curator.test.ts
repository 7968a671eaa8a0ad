/** A curator changes the terms of a vault with what the gateway prepares, and sees first what they change. */
import { decodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { financingVaultAbi as abi } from '../../abis/FinancingVault.ts'
import { describedRefusals } from '../support/described-refusals.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare, prepare, sendPrepared } from '../support/prepared.ts'
import * as act from '../support/scenario.ts'
import { readJson, signIn } from '../support/sign-in.ts'
import { eventsOf } from '../support/transactions.ts'

const USD = 1_000_000n
const NOTICE = 86_400

let the: LiveWorld
let vault: Hex
let claims: readonly Hex[]
const tokens = new Map<Party, string>()
beforeAll(async () => {
  the = await startLiveWorld()
  const { curator, stranger, issuer, beneficiary } = the.world.parties
  for (const party of [curator, stranger]) {
    const wallet = { address: party.address, signMessage: party.key.signMessage }
    tokens.set(party, await signIn(the.app, wallet))
  }
  const terms = { token: the.world.usd, noticePeriod: NOTICE, capital: 1_000n * USD }
  vault = await act.createFundedVault(the.world, terms)
  const claim = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 100n * USD }
  const [soon, late] = [await act.inDays(the.world, 10), await act.inDays(the.world, 500)]
  const registered: Hex[] = []
  for (const dueDate of [soon, late])
    registered.push((await act.registerClaim(the.world, { ...claim, dueDate })).claimId)
  claims = registered
  await the.project()
})
afterAll(() => the?.stop())

const tokenOf = (party: Party) => tokens.get(party) ?? ''
const path = (of: Hex = vault) => `/vaults/${of}/terms/prepare`
const prepared = (body: unknown, as = the.world.parties.curator) =>
  prepare(the.app, tokenOf(as), path(), body)
const refused = async (body: unknown, as = the.world.parties.curator, of: Hex = vault) =>
  readJson(await postPrepare(the.app, tokenOf(as), path(of), body))
const mandateOf = (change: Partial<act.Mandate> = {}) => {
  const { supportedTypesBitmap, minFace, maxFace, maxClaimFace, ...days } = { ...act.OPEN_MANDATE, ...change }
  const amounts = { supportedTypesBitmap, minFace, maxFace, maxClaimFace }
  return {
    ...days,
    ...Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, `${value}`])),
  }
}
const pricing = { baseDiscountBps: 100, durationBpsPerDay: 0, premiumBps: [] }

it('terms that are nowhere looser take effect at once, and name the claims that they refuse', async () => {
  const answer = await prepared({ mandate: mandateOf({ minDurationDays: 30 }) })
  expect(answer).toMatchObject({
    action: 'submit',
    atOnce: true,
    replacesPending: false,
    mandate: { minDurationDays: 30, supportedTypes: [0, 1, 2, 3] },
    pricing,
    effects: {
      judged: 2,
      truncated: false,
      accepted: 0,
      refused: 2,
      newlyAccepted: { count: 0, claimIds: [] },
      newlyRefused: {
        count: 1,
        claims: [{ claimId: claims[0], reason: 'DURATION_BELOW_MINIMUM', need: '30' }],
      },
      openRoutes: 0,
      brokenRoutes: 0,
    },
    issues: [],
  })
  expect(answer.description).toContain('They take effect at once.')
  const { functionName, args } = decodeFunctionData({ abi, data: answer.transaction.data })
  expect([functionName, args?.[0]]).toEqual(['submitTerms', { ...act.OPEN_MANDATE, minDurationDays: 30 }])
  expect(eventsOf(await sendPrepared(the.world, answer)).map(({ name }) => name)).toEqual([
    'MandateChanged',
    'PricingChanged',
  ])
})

it('looser terms wait for the notice, are taken back, submitted again, and put into effect by anyone', async () => {
  const { stranger } = the.world.parties
  const body = {
    mandate: mandateOf({ maxDurationDays: 1_000 }),
    pricing: { ...pricing, baseDiscountBps: 50 },
  }
  const at = await act.chainTime(the.world)
  const answer = await prepared(body)
  const effectiveAt = new Date(Number(at + BigInt(NOTICE)) * 1000).toISOString().replace('.000Z', 'Z')
  expect(answer).toMatchObject({
    atOnce: false,
    effectiveAt,
    pricing: { baseDiscountBps: 50 },
    effects: { accepted: 2, newlyAccepted: { count: 2, claimIds: claims } },
  })
  await sendPrepared(the.world, answer)
  expect(await refused({ action: 'accept' }, stranger)).toMatchObject({ code: 'NOTICE_NOT_OVER' })
  expect(await prepared(body)).toMatchObject({ replacesPending: true })
  const revocation = await prepared({ action: 'revoke' })
  expect(revocation).toMatchObject({ effectiveAt: null, effects: null, mandate: { maxDurationDays: 1_000 } })
  expect(eventsOf(await sendPrepared(the.world, revocation))).toMatchObject([{ name: 'TermsRevoked' }])
  expect(await refused({ action: 'revoke' })).toMatchObject({ code: 'NO_PENDING_TERMS' })

  await sendPrepared(the.world, await prepared(body))
  await act.travelTo(the.world, (await act.chainTime(the.world)) + BigInt(NOTICE))
  const acceptance = await prepared({ action: 'accept' }, stranger)
  expect(acceptance).toMatchObject({ atOnce: true, issues: [] })
  await sendPrepared(the.world, acceptance)
  expect(await the.world.chain.readContract({ abi, address: vault, functionName: 'mandate' })).toMatchObject({
    maxDurationDays: 1_000,
  })
})

it.each([
  ['VALIDATION_FAILED', {}],
  ['VALIDATION_FAILED', { action: 'accept', pricing }],
  ['TERMS_INVALID', { mandate: mandateOf({ minFace: 5n, maxFace: 4n }) }],
  ['TERMS_INVALID', { mandate: mandateOf({ minFace: 5n, maxClaimFace: 4n }) }],
  ['TERMS_INVALID', { mandate: mandateOf({ minDurationDays: 5, maxDurationDays: 4 }) }],
  ['TERMS_INVALID', { pricing: { ...pricing, baseDiscountBps: 10_000 } }],
  ['TERMS_INVALID', { pricing: { ...pricing, premiumBps: [0, 9_900] } }],
])('is refused: %s', async (code, body) => {
  expect(await refused(body)).toMatchObject({ code })
})

it('is refused for other wallets and addresses, with no code that is not shown here', async () => {
  const { stranger, curator } = the.world.parties
  for (const body of [{ pricing }, { action: 'revoke' }])
    expect(await refused(body, stranger)).toMatchObject({
      code: 'CURATOR_MISMATCH',
      curator: curator.address,
    })
  expect(await refused({ pricing }, curator, the.world.usd)).toMatchObject({ code: 'VAULT_NOT_FOUND' })
  const { prepareTerms } = await describedRefusals(the.app)
  expect(prepareTerms).toEqual(['CURATOR_MISMATCH', 'NOTICE_NOT_OVER', 'NO_PENDING_TERMS', 'TERMS_INVALID'])
})
