/** A curator changes the terms of a vault with what the gateway prepares, and sees first what they change. */
import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { financingVaultAbi as abi } from '../../abis/FinancingVault.ts'
import { describedRefusals } from '../support/described-refusals.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare, prepare, sendPrepared } from '../support/prepared.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson, signIn } from '../support/sign-in.ts'
import { eventsOf, inOneBlock } from '../support/transactions.ts'

const USD = 1_000_000n
const NOTICE = 86_400

let the: LiveWorld
/** Time by the clock of the gateway where a test sets it, milliseconds. */
let now: number | undefined
let vault: Hex
let claims: readonly Hex[]
const tokens = new Map<Party, string>()
beforeAll(async () => {
  the = await startLiveWorld({}, {}, () => now ?? Date.now())
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
  const { supportedTypesBitmap, minFace, maxFace, maxClaimFace, maxIssuerFace, ...days } = {
    ...act.OPEN_MANDATE,
    ...change,
  }
  const amounts = { supportedTypesBitmap, minFace, maxFace, maxClaimFace, maxIssuerFace }
  return {
    ...days,
    ...Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, `${value}`])),
  }
}
const pricing = { baseDiscountBps: 100, durationBpsPerDay: 0, premiumBps: [] }
const isoOf = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')

it('pending terms can be accepted once their notice is over by the clock, though no block is as late', async () => {
  const { curator, stranger } = the.world.parties
  const own = await act.createFundedVault(the.world, {
    token: the.world.usd,
    noticePeriod: 600,
    capital: 5n,
  })
  await act.finalize(the.world)
  const terms = { mandate: mandateOf({ maxDurationDays: 1_000 }) }
  await sendPrepared(the.world, await prepare(the.app, tokenOf(curator), path(own), terms))
  const over = (await act.chainTime(the.world)) + 600n
  try {
    now = Number(over) * 1000 - 1
    expect(await refused({ action: 'accept' }, stranger, own)).toMatchObject({
      code: 'NOTICE_NOT_OVER',
      effectiveAt: isoOf(over),
      effectiveAtUnix: Number(over),
    })
    now += 1
    const answer = await prepare(the.app, tokenOf(stranger), path(own), { action: 'accept' })
    expect(answer).toMatchObject({ atOnce: true, effectiveAt: isoOf(over) })
  } finally {
    now = undefined
  }
})

it('terms that are nowhere looser take effect at once, and name the claims that they refuse', async () => {
  const at = await act.chainTime(the.world)
  const answer = await prepared({ mandate: mandateOf({ minDurationDays: 30 }) })
  expect(answer).toMatchObject({
    action: 'submit',
    atOnce: true,
    effectiveAt: isoOf(at),
    replacesPending: false,
    mandate: { ...mandateOf({ minDurationDays: 30 }), supportedTypes: [0, 1, 2, 3] },
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
  expect(answer.description).toMatch(
    /at most \S+ dUSD \(\d+ base units\) of a claim, and any amount of an issuer\./,
  )
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
  const effectiveAt = isoOf(at + BigInt(NOTICE))
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
  expect(revocation).toMatchObject({
    effectiveAt: null,
    replacesPending: false,
    effects: null,
    mandate: { maxDurationDays: 1_000 },
  })
  expect(eventsOf(await sendPrepared(the.world, revocation))).toMatchObject([{ name: 'TermsRevoked' }])
  expect(await refused({ action: 'revoke' })).toMatchObject({ code: 'NO_PENDING_TERMS' })

  await sendPrepared(the.world, await prepared(body))
  const over = (await act.chainTime(the.world)) + BigInt(NOTICE)
  await act.travelTo(the.world, over)
  expect(await prepared({ action: 'accept' }, stranger)).toMatchObject({ issues: [] })
  await act.travelTo(the.world, over + 5n)
  const acceptance = await prepared({ action: 'accept' }, stranger)
  expect(acceptance).toMatchObject({
    atOnce: true,
    effectiveAt: isoOf(over),
    replacesPending: false,
    mandate: { maxDurationDays: 1_000 },
    pricing: { baseDiscountBps: 50 },
    issues: [],
  })
  await sendPrepared(the.world, acceptance)
  expect(await the.world.chain.readContract({ abi, address: vault, functionName: 'mandate' })).toMatchObject({
    maxDurationDays: 1_000,
  })
})

it('an acceptance puts no terms into effect that replace those that it showed, before their notice', async () => {
  const { stranger, curator } = the.world.parties
  const own = await act.createFundedVault(the.world, {
    token: the.world.usd,
    noticePeriod: NOTICE,
    capital: 5n,
  })
  await act.finalize(the.world)
  const submit = (maxDurationDays: number) =>
    prepare(the.app, tokenOf(curator), path(own), { mandate: mandateOf({ maxDurationDays }) })
  for (const replacement of ['revoke', 'submit'] as const) {
    await sendPrepared(the.world, await submit(1_000))
    await act.travelTo(the.world, (await act.chainTime(the.world)) + BigInt(NOTICE))
    const acceptance = await prepare(the.app, tokenOf(stranger), path(own), { action: 'accept' })
    expect(acceptance).toMatchObject({ issues: [], mandate: { maxDurationDays: 1_000 } })
    const first =
      replacement === 'submit'
        ? await submit(2_000)
        : await prepare(the.app, tokenOf(curator), path(own), { action: 'revoke' })
    const receipts = await inOneBlock(the.world.chain, [first.transaction, acceptance.transaction])
    expect(receipts.map(({ status }) => status)).toEqual(['success', 'reverted'])
    const read = { abi, address: own, functionName: 'mandate' } as const
    expect(await the.world.chain.readContract(read)).toMatchObject({ maxDurationDays: 365 })
  }
})

it('a submission of one half restores the other half as its answer shows it', async () => {
  const { curator } = the.world.parties
  const own = await act.createFundedVault(the.world, {
    token: the.world.usd,
    noticePeriod: NOTICE,
    capital: 5n,
  })
  await act.finalize(the.world)
  const body = { pricing: { ...pricing, baseDiscountBps: 200 } }
  const answer = await prepare(the.app, tokenOf(curator), path(own), body)
  const tighter = encodeFunctionData({
    abi,
    functionName: 'submitTerms',
    args: [{ ...act.OPEN_MANDATE, maxDurationDays: 90 }, act.FLAT_PRICING],
  })
  const before = { from: curator.address, to: own, data: tighter }
  const receipts = await inOneBlock(the.world.chain, [before, answer.transaction])
  expect(answer).toMatchObject({ atOnce: true, mandate: { maxDurationDays: 365 } })
  // This mandate is looser than that of the transaction before it, so it waits for the notice.
  expect(receipts.flatMap(eventsOf).at(-1)).toMatchObject({
    name: 'TermsSubmitted',
    args: { mandate: { maxDurationDays: 365 }, pricing: { baseDiscountBps: 200 } },
  })
})

describe('routes that are prepared', () => {
  let routed: Hex
  let route: Awaited<ReturnType<typeof routes.prepare>>
  const submit = (body: object) => prepare(the.app, tokenOf(the.world.parties.curator), path(routed), body)
  const withBase = (baseDiscountBps: number) => ({ pricing: { ...pricing, baseDiscountBps } })
  const counts = async (body: object) => {
    const { openRoutes, brokenRoutes } = z
      .object({ openRoutes: z.int(), brokenRoutes: z.int() })
      .parse((await submit(body)).effects)
    return [openRoutes, brokenRoutes]
  }

  beforeAll(async () => {
    const { issuer, beneficiary } = the.world.parties
    const terms = { token: the.world.eur, capital: 1_000n * USD }
    routed = await act.createFundedVault(the.world, terms)
    const cheaper = { ...act.FLAT_PRICING, baseDiscountBps: 50 }
    await act.createFundedVault(the.world, { token: the.world.eur, capital: 10n * USD, pricing: cheaper })
    const dueDate = await act.inDays(the.world, 20)
    const claim = { issuer, beneficiary: beneficiary.address, token: the.world.eur, faceValue: 100n * USD }
    const claimIds: Hex[] = []
    // Each has one leg: the first 10 dollars by the cheaper vault, and 40 by the other.
    for (const _ of Array(2))
      claimIds.push((await act.registerClaim(the.world, { ...claim, dueDate })).claimId)
    await the.project()
    const wallet = { address: beneficiary.address, signMessage: beneficiary.key.signMessage }
    const session = await signIn(the.app, wallet)
    const body = { claimIds, targetAdvance: 50n * USD, routeDeadlineSeconds: 3_600 }
    const { routeId } = await routes.optimizeToRoute(the.app, session, body)
    route = await routes.prepare(the.app, session, routeId)
    expect(route.typedData.message.legs).toHaveLength(2)
  })

  it.each([
    ['a limit that the route keeps', { mandate: mandateOf({ maxDurationDays: 30 }) }, 0],
    ['a lower rate', withBase(50), 0],
    ['a higher rate', withBase(150), 1],
    ['a premium of its type', { pricing: { ...pricing, premiumBps: [1] } }, 1],
    ['a premium of another type', { pricing: { ...pricing, premiumBps: [0, 1] } }, 0],
    ['more days to the due date', { mandate: mandateOf({ minDurationDays: 30 }) }, 1],
    ['other types', { mandate: mandateOf({ supportedTypesBitmap: 0b1110n }) }, 1],
    ['a larger smallest lot', { mandate: mandateOf({ minFace: 90n * USD }) }, 1],
    ['a smallest lot above its leg by another vault', { mandate: mandateOf({ minFace: 20n * USD }) }, 0],
    ['a smaller largest lot', { mandate: mandateOf({ maxFace: 40n * USD }) }, 1],
    ['less of one claim', { mandate: mandateOf({ maxClaimFace: 40n * USD }) }, 1],
    ['less of one issuer', { mandate: mandateOf({ maxIssuerFace: 40n * USD }) }, 1],
    ['as much of one issuer as the route takes', { mandate: mandateOf({ maxIssuerFace: 60n * USD }) }, 0],
  ])('are counted as broken by %s', async (_, body, broken) => {
    expect(await counts(body)).toEqual([1, broken])
  })

  it('are judged by what they were promised, whatever the terms are since', async () => {
    await sendPrepared(the.world, await submit(withBase(150)))
    await the.project()
    expect(await counts(withBase(120))).toEqual([1, 1])
    expect(await counts(withBase(100))).toEqual([1, 0])
    // The vault has no notice.
    const looser = await submit(withBase(50))
    expect(looser).toMatchObject({ atOnce: true })
    await sendPrepared(the.world, looser)
    await the.project()
    expect(await counts(withBase(100))).toEqual([1, 0])
  })

  it('revert once terms that break them are in effect, and pass with terms that do not', async () => {
    const { beneficiary } = the.world.parties
    await sendPrepared(the.world, await submit(withBase(120)))
    await expect(routes.signAndSubmit(the.world, beneficiary, route)).rejects.toMatchObject({
      errorName: 'AdvanceBelowMinimum',
    })
    await sendPrepared(the.world, await submit(withBase(100)))
    await routes.signAndSubmit(the.world, beneficiary, route)
  })
})

it('terms are judged by what the vault holds of a claim and is owed by its issuer, and five claims are named', async () => {
  const { issuer, beneficiary: user, curator } = the.world.parties
  const own = await act.createFundedVault(the.world, { token: the.world.usd, capital: 1_000n * USD })
  const claim = { issuer, beneficiary: user.address, token: the.world.usd, faceValue: 100n * USD }
  const dueDate = await act.inDays(the.world, 1)
  const soonest: Hex[] = []
  for (let day = 0n; day < 7n; day++) {
    const terms = { ...claim, dueDate: dueDate + day }
    soonest.push((await act.registerClaim(the.world, terms)).claimId)
  }
  const [held = '0x'] = soonest
  await act.executeFinancing(the.world, { user, claimId: held, vault: own, faceAmount: 60n * USD })
  await the.project()
  const effectsOf = async (change: Partial<act.Mandate>, pricingOf = act.FLAT_PRICING) => {
    const body = { mandate: mandateOf(change), pricing: { ...pricingOf, premiumBps: [] } }
    return (await prepare(the.app, tokenOf(curator), path(own), body)).effects
  }
  expect(await effectsOf({ maxClaimFace: 60n * USD })).toMatchObject({
    newlyRefused: { count: 1, claims: [{ claimId: held, reason: 'ABOVE_MAXIMUM_CLAIM_FACE' }] },
  })
  expect(await effectsOf({ maxClaimFace: 60n * USD + 1n })).toMatchObject({ newlyRefused: { count: 0 } })
  const names = (reason: string) => soonest.slice(0, 5).map((claimId) => ({ claimId, reason }))
  const refused = await effectsOf({ maxIssuerFace: 60n * USD })
  expect(refused).toMatchObject({ newlyRefused: { claims: names('ABOVE_MAXIMUM_ISSUER_FACE') } })
  expect(await effectsOf({ maxIssuerFace: 60n * USD + 1n })).toMatchObject({ newlyRefused: { count: 0 } })
  await sendPrepared(
    the.world,
    await prepare(the.app, tokenOf(curator), path(own), { mandate: mandateOf({ minDurationDays: 30 }) }),
  )
  const accepted = z.object({ newlyAccepted: z.object({ count: z.int(), claimIds: z.array(z.string()) }) })
  const { newlyAccepted } = accepted.parse(await effectsOf({}))
  expect(newlyAccepted.claimIds).toEqual(soonest.slice(0, 5))
  expect(newlyAccepted.count).toBeGreaterThanOrEqual(7)
})

it.each([
  ['VALIDATION_FAILED', {}],
  ['VALIDATION_FAILED', { action: 'accept', pricing }],
  ['TERMS_INVALID', { mandate: mandateOf({ minFace: 5n, maxFace: 4n }) }],
  ['TERMS_INVALID', { mandate: mandateOf({ minFace: 5n, maxClaimFace: 4n }) }],
  ['TERMS_INVALID', { mandate: mandateOf({ minFace: 5n, maxIssuerFace: 4n }) }],
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
