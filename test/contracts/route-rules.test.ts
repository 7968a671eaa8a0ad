/** Every rule that the router enforces on a financing, each broken alone. */
import { type Address, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { MAX_ROUTE_LIFETIME_SECONDS } from '../../api/domain/limits.ts'
import type { Party } from '../support/parties.ts'
import { createSmartWallet, startWorld } from '../support/protocol.ts'
import {
  ClaimState,
  type ClaimTerms,
  cancelRoutes,
  chainTime,
  claimOf,
  createFundedVault,
  createVault,
  DAY,
  executeFinancing,
  executeRoute,
  type LegTerms,
  mintAndSettle,
  nonceOf,
  pauseRouter,
  type RouteTerms,
  registerClaim,
  revokeClaim,
  routeOf,
  setIssuerActive,
  setMandate,
  setVaultActive,
  signRoute,
  submitRoute,
  travelTo,
  unpauseRouter,
  vaultCapital,
} from '../support/scenario.ts'
import { eventsOf, revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let smartUser: Party
beforeAll(async () => {
  world = await startWorld()
  smartUser = await createSmartWallet(world, world.parties.stranger)
})
afterAll(() => world.stop())

async function newClaim(change: Partial<ClaimTerms> = {}): Promise<Hex> {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n, ...change }
  return (await registerClaim(world, terms)).claimId
}

function newVault(capital = 100_000n): Promise<Address> {
  return createFundedVault(world, { token: world.usd, capital })
}

function byRoute(legs: readonly LegTerms[], change: Partial<RouteTerms> = {}) {
  return executeRoute(world, { user: world.parties.beneficiary, legs, ...change })
}

/** The two ways to finance one claim; a rule of a leg holds for both. */
const ways = [
  { way: 'a route', finance: (leg: LegTerms) => byRoute([leg]) },
  {
    way: 'a direct financing',
    finance: (leg: LegTerms) => executeFinancing(world, { user: world.parties.beneficiary, ...leg }),
  },
]

describe.each(ways)('$way is refused', ({ finance }) => {
  test('for a claim that nobody registered', async () => {
    const claimId = keccak256(toHex('no such claim'))
    const refused = await revertOf(finance({ claimId, vault: await newVault(), faceAmount: 1n }))
    expect(refused).toEqual({ errorName: 'UnknownClaim', args: [claimId] })
  })

  test("for another beneficiary's claim", async () => {
    const { beneficiary, otherBeneficiary } = world.parties
    const claimId = await newClaim({ beneficiary: otherBeneficiary.address })
    const refused = await revertOf(finance({ claimId, vault: await newVault(), faceAmount: 1n }))
    expect(refused).toEqual({ errorName: 'NotBeneficiary', args: [claimId, beneficiary.address] })
  })

  test('while the issuer is inactive', async () => {
    const issuer = world.parties.otherIssuer
    const claimId = await newClaim({ issuer })
    const vault = await newVault()
    await setIssuerActive(world, { issuer: issuer.address, active: false })
    const refused = await revertOf(finance({ claimId, vault, faceAmount: 100n }))
    await setIssuerActive(world, { issuer: issuer.address, active: true })
    expect(refused).toEqual({ errorName: 'IssuerInactive', args: [claimId, issuer.address] })
    await finance({ claimId, vault, faceAmount: 100n })
  })

  test('while the vault is inactive, or when it is no vault of the registry', async () => {
    const claimId = await newClaim()
    const vault = await newVault()
    await setVaultActive(world, { vault, active: false })
    for (const refusing of [vault, world.usd, world.parties.stranger.address]) {
      const refused = await revertOf(finance({ claimId, vault: refusing, faceAmount: 100n }))
      expect(refused).toEqual({ errorName: 'VaultInactive', args: [refusing] })
    }
    await setVaultActive(world, { vault, active: true })
    await finance({ claimId, vault, faceAmount: 100n })
  })

  test('when the vault holds another token', async () => {
    const claimId = await newClaim()
    const { vault } = await createVault(world, { token: world.eur })
    const refused = await revertOf(finance({ claimId, vault, faceAmount: 1n }))
    expect(refused).toEqual({ errorName: 'TokenMismatch', args: [claimId, vault] })
  })

  test('for a revoked claim', async () => {
    const claimId = await newClaim()
    await revokeClaim(world, { issuer: world.parties.issuer, claimId })
    const refused = await revertOf(finance({ claimId, vault: await newVault(), faceAmount: 1n }))
    expect(refused).toEqual({ errorName: 'ClaimNotFinanceable', args: [claimId, ClaimState.REVOKED] })
  })

  test('from the second in which the claim falls due', async () => {
    const dueDate = (await chainTime(world)) + 200n
    const claimId = await newClaim({ dueDate })
    const vault = await newVault()
    const leg = { claimId, vault, faceAmount: 100n }
    await world.chain.setNextBlockTimestamp({ timestamp: dueDate })
    const refused = await revertOf(finance(leg))
    expect(refused).toEqual({ errorName: 'ClaimPastDue', args: [claimId, dueDate] })
    await travelTo(world, dueDate)
  })

  test('outside the lot bounds, the types or the duration that the mandate allows', async () => {
    const { curator } = world.parties
    const claimId = await newClaim({ claimType: 1 })
    const vault = await newVault()
    const under = async (mandate: Parameters<typeof setMandate>[1]['mandate'], faceAmount: bigint) => {
      await setMandate(world, { curator, vault, mandate })
      return revertOf(finance({ claimId, vault, faceAmount }))
    }
    const lots = { minFace: 100n, maxFace: 200n }
    expect(await under(lots, 99n)).toEqual({ errorName: 'BelowMinimumLot', args: [claimId, vault, 99n] })
    expect(await under(lots, 201n)).toEqual({ errorName: 'AboveMaximumLot', args: [claimId, vault, 201n] })
    const otherType = await under({ supportedTypesBitmap: 0b1101n }, 100n)
    expect(otherType).toEqual({ errorName: 'TypeNotSupported', args: [claimId, vault] })
    const tooShort = await under({ minDurationDays: 31 }, 100n)
    expect(tooShort).toEqual({ errorName: 'DurationBelowMinimum', args: [claimId, vault] })
    const tooLong = await under({ maxDurationDays: 29 }, 100n)
    expect(tooLong).toEqual({ errorName: 'DurationExceeded', args: [claimId, vault] })
    await setMandate(world, {
      curator,
      vault,
      mandate: { ...lots, maxDurationDays: 30, supportedTypesBitmap: 2n },
    })
    await finance({ claimId, vault, faceAmount: 100n })
    await finance({ claimId, vault, faceAmount: 200n })
  })

  test('in the last second before the due date, where the mandate requires a day', async () => {
    const dueDate = (await chainTime(world)) + 3n * DAY
    const [claimId, later] = [await newClaim({ dueDate }), await newClaim({ dueDate: dueDate + DAY })]
    const vault = await newVault()
    const { curator } = world.parties
    await setMandate(world, { curator, vault, mandate: { minDurationDays: 1 } })
    const refused = { errorName: 'DurationBelowMinimum', args: [claimId, vault] }
    /** Deadlines are minutes after the block before. */
    const at = async (timestamp: bigint) => {
      if ((await chainTime(world)) < timestamp - 1n) await travelTo(world, timestamp - 1n)
      await world.chain.setNextBlockTimestamp({ timestamp })
    }
    await at(dueDate - DAY)
    await finance({ claimId, vault, faceAmount: 100n })
    for (const timestamp of [dueDate - DAY + 1n, dueDate - 1n]) {
      await at(timestamp)
      expect(await revertOf(finance({ claimId, vault, faceAmount: 100n }))).toEqual(refused)
    }
    await at(dueDate)
    await finance({ claimId: later, vault, faceAmount: 100n })
  })

  test('by more slices than the most of one claim that the mandate allows', async () => {
    const { curator } = world.parties
    const claimId = await newClaim()
    const [vault, other] = [await newVault(), await newVault()]
    for (const address of [vault, other])
      await setMandate(world, { curator, vault: address, mandate: { maxFace: 100n, maxClaimFace: 250n } })
    const aboveMaximum = (faceAmount: bigint) => ({
      errorName: 'AboveMaximumClaimFace',
      args: [claimId, vault, faceAmount],
    })
    await finance({ claimId, vault, faceAmount: 100n })
    await finance({ claimId, vault: other, faceAmount: 100n })
    await finance({ claimId, vault, faceAmount: 100n })
    expect(await revertOf(finance({ claimId, vault, faceAmount: 51n }))).toEqual(aboveMaximum(51n))
    await finance({ claimId, vault, faceAmount: 50n })
    expect(await revertOf(finance({ claimId, vault, faceAmount: 1n }))).toEqual(aboveMaximum(1n))
    await finance({ claimId, vault: other, faceAmount: 100n })
    await finance({ claimId: await newClaim(), vault, faceAmount: 100n })
  })

  test('for more face of one issuer than the mandate allows, until the issuer pays', async () => {
    const { curator, payer, otherIssuer } = world.parties
    const vault = await newVault()
    await setMandate(world, { curator, vault, mandate: { maxIssuerFace: 250n } })
    const [first, second] = [await newClaim(), await newClaim()]
    const exceeded = (faceAmount: bigint) => ({
      errorName: 'AboveMaximumIssuerFace',
      args: [second, vault, faceAmount],
    })
    await finance({ claimId: first, vault, faceAmount: 200n })
    expect(await revertOf(finance({ claimId: second, vault, faceAmount: 51n }))).toEqual(exceeded(51n))
    await finance({ claimId: second, vault, faceAmount: 50n })
    expect(await revertOf(finance({ claimId: second, vault, faceAmount: 1n }))).toEqual(exceeded(1n))
    await finance({ claimId: await newClaim({ issuer: otherIssuer }), vault, faceAmount: 250n })
    await mintAndSettle(world, { payer, claimId: first })
    expect(await revertOf(finance({ claimId: second, vault, faceAmount: 201n }))).toEqual(exceeded(201n))
    await finance({ claimId: second, vault, faceAmount: 200n })
  })

  test('for more face than remains, or for none', async () => {
    const claimId = await newClaim()
    const vault = await newVault()
    await finance({ claimId, vault, faceAmount: 300n })
    const refused = await revertOf(finance({ claimId, vault, faceAmount: 701n }))
    expect(refused).toEqual({ errorName: 'FaceExceedsRemaining', args: [claimId, 701n, 700n] })
    const nothing = await revertOf(finance({ claimId, vault, faceAmount: 0n }))
    expect(nothing).toEqual({ errorName: 'BelowMinimumLot', args: [claimId, vault, 0n] })
  })

  test('for a ninth slice', async () => {
    const claimId = await newClaim()
    const vault = await newVault()
    for (let slice = 0; slice < 8; slice += 1) await finance({ claimId, vault, faceAmount: 100n })
    const refused = await revertOf(finance({ claimId, vault, faceAmount: 100n }))
    expect(refused).toEqual({ errorName: 'NoSlicesRemaining', args: [claimId] })
  })

  test('when the vault cannot pay the advance, by one unit', async () => {
    const claimId = await newClaim()
    const vault = await newVault(494n)
    const refused = await revertOf(finance({ claimId, vault, faceAmount: 500n }))
    expect(refused).toEqual({ errorName: 'InsufficientLiquidity', args: [vault, 495n, 494n] })
    await finance({ claimId, vault, faceAmount: 499n })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 0n })
  })

  test('when the advance is below its minimum, by one unit', async () => {
    const claimId = await newClaim()
    const vault = await newVault()
    const leg = { claimId, vault, faceAmount: 500n }
    const refused = await revertOf(finance({ ...leg, minimumAdvanceAmount: 496n }))
    expect(refused).toEqual({ errorName: 'AdvanceBelowMinimum', args: [claimId, 495n, 496n] })
    await finance({ ...leg, minimumAdvanceAmount: 495n })
  })

  test('while the router is paused', async () => {
    const leg = { claimId: await newClaim(), vault: await newVault(), faceAmount: 500n }
    await pauseRouter(world)
    const refused = await revertOf(finance(leg))
    await unpauseRouter(world)
    expect(refused).toEqual({ errorName: 'EnforcedPause', args: [] })
    await finance(leg)
  })
})

describe('two legs of one issuer in one vault', () => {
  test('are within its limit together, and legs of other issuers and vaults do not count', async () => {
    const { curator, otherIssuer } = world.parties
    const [vault, other] = [await newVault(), await newVault()]
    for (const address of [vault, other])
      await setMandate(world, { curator, vault: address, mandate: { maxIssuerFace: 300n } })
    const [first, second, third] = [await newClaim(), await newClaim(), await newClaim()]
    const foreign = await newClaim({ issuer: otherIssuer })
    const legs = (faceAmount: bigint) => [
      { claimId: first, vault, faceAmount: 100n },
      { claimId: foreign, vault, faceAmount: 300n },
      { claimId: third, vault: other, faceAmount: 300n },
      { claimId: second, vault, faceAmount },
    ]
    expect(await revertOf(byRoute(legs(201n)))).toEqual({
      errorName: 'AboveMaximumIssuerFace',
      args: [second, vault, 201n],
    })
    await byRoute(legs(200n))
  })

  test('are within its limit together with what the issuer owes the vault already', async () => {
    const { curator } = world.parties
    const vault = await newVault()
    await setMandate(world, { curator, vault, mandate: { maxIssuerFace: 300n } })
    await byRoute([{ claimId: await newClaim(), vault, faceAmount: 100n }])
    const [first, second] = [await newClaim(), await newClaim()]
    const legs = (faceAmount: bigint) => [
      { claimId: first, vault, faceAmount: 100n },
      { claimId: second, vault, faceAmount },
    ]
    expect(await revertOf(byRoute(legs(101n)))).toEqual({
      errorName: 'AboveMaximumIssuerFace',
      args: [second, vault, 101n],
    })
    await byRoute(legs(100n))
  })
})

describe('the deadline', () => {
  test('holds through its last second, for a route and for a direct financing', async () => {
    const { beneficiary: user } = world.parties
    const leg = { claimId: await newClaim(), vault: await newVault(), faceAmount: 100n }
    const attempts = [
      (deadline: bigint) => byRoute([leg], { deadline }),
      (deadline: bigint) => executeFinancing(world, { user, ...leg, deadline }),
    ]
    for (const attempt of attempts) {
      const deadline = (await chainTime(world)) + 100n
      await world.chain.setNextBlockTimestamp({ timestamp: deadline })
      await attempt(deadline)
      const late = deadline + 1n
      await world.chain.setNextBlockTimestamp({ timestamp: late })
      const refused = await revertOf(attempt(deadline))
      expect(refused).toEqual({ errorName: 'DeadlineExpired', args: [deadline, late] })
      await travelTo(world, late)
    }
  })
})

describe('a route as a whole is refused', () => {
  test.each([0, 9])('with %d legs', async (count) => {
    const vault = await newVault()
    const legs: LegTerms[] = []
    while (legs.length < count) legs.push({ claimId: await newClaim(), vault, faceAmount: 10n })
    const refused = await revertOf(byRoute(legs))
    expect(refused).toEqual({ errorName: 'InvalidLegCount', args: [BigInt(count)] })
  })

  test('with one claim twice, though each leg alone would pass', async () => {
    const claimId = await newClaim()
    const [vault, other] = [await newVault(), await newVault()]
    const another = { claimId: await newClaim(), vault, faceAmount: 100n }
    for (const second of [other, vault]) {
      const leg = { claimId, faceAmount: 100n }
      const refused = await revertOf(byRoute([{ ...leg, vault }, another, { ...leg, vault: second }]))
      expect(refused).toEqual({ errorName: 'DuplicateClaim', args: [claimId] })
    }
  })

  test('with claims in different tokens', async () => {
    const inEuros = await newClaim({ token: world.eur })
    const { vault: euros } = await createVault(world, { token: world.eur })
    const legs = [
      { claimId: await newClaim(), vault: await newVault(), faceAmount: 100n },
      { claimId: inEuros, vault: euros, faceAmount: 100n },
    ]
    expect(await revertOf(byRoute(legs))).toEqual({ errorName: 'MixedTokens', args: [inEuros] })
  })

  test('when its legs together ask one vault for more than it has, though each alone would pass', async () => {
    const shared = await newVault(1_485n)
    const legs = [
      { claimId: await newClaim(), vault: shared, faceAmount: 1_000n },
      { claimId: await newClaim(), vault: await newVault(), faceAmount: 1_000n },
      { claimId: await newClaim(), vault: shared, faceAmount: 502n },
    ]
    expect(await revertOf(byRoute(legs))).toEqual({
      errorName: 'InsufficientLiquidity',
      args: [shared, 990n + 496n, 1_485n],
    })
    await byRoute(legs.map((leg) => (leg.faceAmount === 502n ? { ...leg, faceAmount: 500n } : leg)))
  })

  test('when its advances miss the target by one unit', async () => {
    const legs = [
      { claimId: await newClaim(), vault: await newVault(), faceAmount: 100n },
      { claimId: await newClaim(), vault: await newVault(), faceAmount: 100n },
    ]
    const refused = await revertOf(byRoute(legs, { targetAdvance: 199n }))
    expect(refused).toEqual({ errorName: 'TargetNotMet', args: [198n, 199n] })
    await byRoute(legs, { targetAdvance: 198n })
  })

  test('when its faces exceed the limit by one unit', async () => {
    const legs = [
      { claimId: await newClaim(), vault: await newVault(), faceAmount: 100n },
      { claimId: await newClaim(), vault: await newVault(), faceAmount: 101n },
    ]
    const refused = await revertOf(byRoute(legs, { maxTotalFace: 200n }))
    expect(refused).toEqual({ errorName: 'TotalFaceExceeded', args: [201n, 200n] })
    await byRoute(legs, { maxTotalFace: 201n })
  })

  test('entirely, when its last leg fails', async () => {
    const user = world.parties.beneficiary
    const good = await newClaim()
    const bad = await newClaim()
    const vault = await newVault()
    const nonce = await nonceOf(world, user.address)
    const legs = [good, bad].map((claimId) => ({
      claimId,
      vault,
      faceAmount: claimId === bad ? 1_001n : 10n,
    }))
    expect(await revertOf(byRoute(legs))).toMatchObject({ errorName: 'FaceExceedsRemaining' })
    expect(await claimOf(world, good)).toMatchObject({ state: 'ELIGIBLE', financedFaceValue: 0n })
    expect(await nonceOf(world, user.address)).toBe(nonce)
  })
})

describe.each([
  { kind: 'an EOA', userOf: () => world.parties.beneficiary },
  { kind: 'a contract wallet', userOf: () => smartUser },
])('a route of $kind', ({ userOf }) => {
  const newLeg = async () => ({
    claimId: await newClaim({ beneficiary: userOf().address }),
    vault: await newVault(),
    faceAmount: 100n,
  })

  test('needs the signature of its user', async () => {
    const route = await routeOf(world, { user: userOf(), legs: [await newLeg()] })
    const { relayer } = world.parties
    for (const signature of [await signRoute(world, relayer, route), '0x', `0x${'00'.repeat(65)}`] as const) {
      const refused = await revertOf(submitRoute(world, { route, signature, submitter: relayer }))
      expect(refused).toEqual({ errorName: 'InvalidRouteSignature', args: [userOf().address] })
    }
  })

  test('needs the very fields that were signed', async () => {
    const signed = await routeOf(world, { user: userOf(), legs: [await newLeg()] })
    const signature = await signRoute(world, userOf(), signed)
    const changeLeg = (change: Partial<LegTerms>) => ({
      legs: signed.legs.map((leg) => ({ ...leg, ...change })),
    })
    const other = await newLeg()
    const changes = [
      { token: world.eur },
      { targetAdvance: 1n },
      { maxTotalFace: 1_000n },
      { nonce: signed.nonce + 1n },
      { deadline: signed.deadline + 1n },
      { legs: [] },
      { legs: [...signed.legs, ...signed.legs] },
      changeLeg({ claimId: other.claimId }),
      changeLeg({ vault: other.vault }),
      changeLeg({ faceAmount: 101n }),
      changeLeg({ minimumAdvanceAmount: 1n }),
    ]
    for (const change of changes) {
      const route = { ...signed, ...change }
      const refused = await revertOf(
        submitRoute(world, { route, signature, submitter: world.parties.relayer }),
      )
      expect(refused).toEqual({ errorName: 'InvalidRouteSignature', args: [userOf().address] })
    }
  })

  test('has a deadline that is at most an hour away', async () => {
    const user = userOf()
    const legs = [await newLeg()]
    const now = (await chainTime(world)) + 50n
    await world.chain.setNextBlockTimestamp({ timestamp: now })
    const refused = await revertOf(executeRoute(world, { user, legs, deadline: now + 3601n }))
    expect(refused).toEqual({ errorName: 'RouteLifetimeExceeded', args: [now + 3601n, now + 3600n] })
    await world.chain.setNextBlockTimestamp({ timestamp: now + 1n })
    await executeRoute(world, { user, legs, deadline: now + 3601n })
  })

  test('is cancelled with every other route of its nonce, also while the router is paused', async () => {
    const user = userOf()
    const nonce = await nonceOf(world, user.address)
    const route = await routeOf(world, { user, legs: [await newLeg()] })
    const signature = await signRoute(world, user, route)
    await cancelRoutes(world, { user: world.parties.otherBeneficiary })
    await pauseRouter(world)
    const receipt = await cancelRoutes(world, { user })
    await unpauseRouter(world)
    expect(eventsOf(receipt)).toEqual([
      {
        emitter: world.protocol.financingRouter,
        name: 'RoutesCancelled',
        args: { nonce, user: user.address },
      },
    ])
    const refused = await revertOf(submitRoute(world, { route, signature, submitter: world.parties.relayer }))
    expect(refused).toEqual({ errorName: 'InvalidAccountNonce', args: [user.address, nonce + 1n] })
    await executeRoute(world, { user, legs: [await newLeg()] })
  })

  test('names the token of its claims', async () => {
    const user = userOf()
    const legs = [await newLeg()]
    const refused = await revertOf(executeRoute(world, { user, legs, token: world.eur }))
    expect(refused).toEqual({ errorName: 'UnexpectedToken', args: [world.eur, world.usd] })
    await executeRoute(world, { user, legs, token: world.usd })
  })

  test('runs once, and only with the next nonce', async () => {
    const user = userOf()
    const nonce = await nonceOf(world, user.address)
    const legs = [await newLeg()]
    const early = await revertOf(executeRoute(world, { user, legs, nonce: nonce + 1n }))
    expect(early).toEqual({ errorName: 'InvalidAccountNonce', args: [user.address, nonce] })
    const { route, signature } = await executeRoute(world, { user, legs })
    expect(await nonceOf(world, user.address)).toBe(nonce + 1n)
    const again = submitRoute(world, { route, signature, submitter: world.parties.relayer })
    const replayed = { errorName: 'InvalidAccountNonce', args: [user.address, nonce + 1n] }
    expect(await revertOf(again)).toEqual(replayed)
  })
})

test('a direct financing uses no nonce', async () => {
  const user = world.parties.beneficiary
  const nonce = await nonceOf(world, user.address)
  await executeFinancing(world, {
    user,
    claimId: await newClaim(),
    vault: await newVault(),
    faceAmount: 100n,
  })
  expect(await nonceOf(world, user.address)).toBe(nonce)
})

test('the longest lifetime of a route is that of the API', async () => {
  const router = { abi: financingRouterAbi, address: world.protocol.financingRouter } as const
  const lifetime = await world.chain.readContract({ ...router, functionName: 'MAX_ROUTE_LIFETIME' })
  expect(lifetime).toBe(BigInt(MAX_ROUTE_LIFETIME_SECONDS))
})

test('the limit of legs can be read', async () => {
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'MAX_LEGS' })
  expect((await world.chain.call({ to: world.protocol.financingRouter, data })).data).toBe(
    toHex(8n, { size: 32 }),
  )
})
