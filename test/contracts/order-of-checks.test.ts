/**
 * A call that breaks several rules reverts with the error of the first one: each list below breaks all of its rules,
 * and repairs them one after the other.
 */
import { type Address, type Hex, maxUint256, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const UNKNOWN: Hex = `0x${'ab'.repeat(32)}`
const errorOf = async (call: Promise<unknown>) => (await revertOf(call)).errorName

function newClaim(change: Partial<act.ClaimTerms> = {}) {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n }
  return act.registerClaim(world, { ...terms, ...change })
}

/** Calls with all of the faults, then without the first one, and so on. The names of the errors are in the order. */
async function expectOrder<Terms extends object>(
  faults: readonly (readonly [errorName: string, fault: Partial<Terms>])[],
  call: (faults: Partial<Terms>) => Promise<unknown>,
): Promise<void> {
  const errors: string[] = []
  for (const index of faults.keys()) {
    const left = faults.slice(index).map(([, fault]) => fault)
    // A fault of a rule that is checked earlier replaces that of a later one in one field.
    errors.push(await errorOf(call(Object.assign({}, ...left.toReversed()))))
  }
  expect(errors).toEqual(faults.map(([errorName]) => errorName))
}

test('a registration checks time, document, issuer, beneficiary, token, face, due date, then the signature', async () => {
  const { otherIssuer, relayer, beneficiary, issuer } = world.parties
  const { attestation: standing } = await newClaim({ issuer: otherIssuer })
  await act.setIssuerActive(world, { issuer: otherIssuer.address, active: false })
  onTestFinished(async () => {
    await act.setIssuerActive(world, { issuer: otherIssuer.address, active: true })
  })
  const now = await act.chainTime(world)
  const good = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n }
  await expectOrder<act.ClaimTerms>(
    [
      ['AttestationExpired', { validUntil: now - 1n }],
      ['ClaimAlreadyRegistered', { issuer: otherIssuer, documentHash: standing.documentHash }],
      ['IssuerInactive', { issuer: otherIssuer }],
      ['InvalidBeneficiary', { beneficiary: zeroAddress }],
      ['TokenNotListed', { token: relayer.address }],
      ['InvalidFaceValue', { faceValue: 0n }],
      ['DueDateNotInFuture', { dueDate: now }],
      ['InvalidAttestationSignature', {}],
    ],
    async (faults) => {
      const attestation = await act.attestationOf(world, { ...good, ...faults })
      const signature = await act.signAttestation(world, relayer, attestation)
      return act.submitAttestation(world, { attestation, signature, submitter: relayer })
    },
  )
})

test('an attestation is cancelled by its issuer alone, whether it is registered or not', async () => {
  const { issuer, relayer } = world.parties
  const { attestation } = await newClaim()
  expect(await errorOf(act.cancelAttestation(world, { attestation, as: relayer }))).toBe('NotIssuer')
  expect(await errorOf(act.cancelAttestation(world, { attestation, as: issuer }))).toBe(
    'ClaimAlreadyRegistered',
  )
})

test('a route checks pause, deadline, signature, nonce, legs, token, then its totals', async () => {
  const { beneficiary: user, relayer } = world.parties
  const { claimId } = await newClaim()
  const vault = await act.createFundedVault(world, { token: world.usd, capital: 10_000n })
  const legs = [{ claimId, vault, faceAmount: 500n }]
  const nonce = await act.nonceOf(world, user.address)
  const now = await act.chainTime(world)
  type Faults = Partial<act.RouteTerms> & { signer?: typeof user }
  const call = async ({ signer = user, ...faults }: Faults) => {
    const route = await act.routeOf(world, { user, legs, ...faults })
    const signature = await act.signRoute(world, signer, route)
    return act.submitRoute(world, { route, signature, submitter: relayer })
  }
  const faults: readonly (readonly [string, Faults])[] = [
    ['DeadlineExpired', { deadline: now - 1n }],
    ['RouteLifetimeExceeded', { deadline: now + 90_000n }],
    ['InvalidRouteSignature', { signer: relayer }],
    ['InvalidAccountNonce', { nonce: nonce + 1n }],
    ['BelowMinimumLot', { legs: [{ claimId, vault, faceAmount: 0n }] }],
    ['UnexpectedToken', { token: world.eur }],
    ['TargetNotMet', { targetAdvance: 496n }],
    ['TotalFaceExceeded', { maxTotalFace: 499n }],
  ]
  await expectOrder<Faults>(faults, call)
  await act.pauseRouter(world)
  expect(await errorOf(call({ deadline: now - 1n }))).toBe('EnforcedPause')
  await act.unpauseRouter(world)
})

test('a leg checks claim, token, beneficiary, issuer and vault before its quote', async () => {
  const { beneficiary: user, otherBeneficiary, otherIssuer } = world.parties
  const inEuros = await newClaim({
    token: world.eur,
    beneficiary: otherBeneficiary.address,
    issuer: otherIssuer,
  })
  const funded = await act.createFundedVault(world, { token: world.usd, capital: 10n })
  const first = { claimId: (await newClaim()).claimId, vault: funded, faceAmount: 1n }
  const { vault } = await act.createVault(world, { token: world.eur })
  await act.setVaultActive(world, { vault, active: false })
  await act.setIssuerActive(world, { issuer: otherIssuer.address, active: false })
  const byRoute = (...legs: act.LegTerms[]) =>
    errorOf(act.executeRoute(world, { user, legs, token: world.usd }))
  const leg = { claimId: inEuros.claimId, vault, faceAmount: 0n }

  expect(await byRoute(first, { ...leg, claimId: first.claimId })).toBe('DuplicateClaim')
  expect(await byRoute(first, { ...leg, claimId: UNKNOWN })).toBe('UnknownClaim')
  expect(await byRoute(first, leg)).toBe('MixedTokens')
  expect(await byRoute(leg)).toBe('NotBeneficiary')
  expect(await errorOf(act.executeFinancing(world, { user: otherBeneficiary, ...leg }))).toBe(
    'IssuerInactive',
  )
  await act.setIssuerActive(world, { issuer: otherIssuer.address, active: true })
  expect(await errorOf(act.executeFinancing(world, { user: otherBeneficiary, ...leg }))).toBe('VaultInactive')
  await act.setVaultActive(world, { vault, active: true })
  expect(await errorOf(act.executeFinancing(world, { user: otherBeneficiary, ...leg }))).toBe(
    'BelowMinimumLot',
  )
})

test('a quote names the first rule of the mandate that a leg breaks, and the advance and the liquidity come last', async () => {
  const { beneficiary: user, curator, issuer } = world.parties
  const { claimId } = await newClaim({ claimType: 3 })
  const { vault } = await act.createVault(world, { token: world.usd })
  const { vault: euros } = await act.createVault(world, {
    token: world.eur,
    mandate: { supportedTypesBitmap: 1n },
  })
  type Faults = Partial<act.Mandate> & { faceAmount?: bigint }
  const finance = async ({ faceAmount = 600n, ...mandate }: Faults) => {
    await act.setMandate(world, { curator, vault, mandate })
    return act.executeFinancing(world, { user, claimId, vault, faceAmount, minimumAdvanceAmount: 9_999n })
  }
  expect(await errorOf(act.executeFinancing(world, { user, claimId, vault: euros, faceAmount: 1n }))).toBe(
    'TokenMismatch',
  )
  await expectOrder<Faults>(
    [
      ['TypeNotSupported', { supportedTypesBitmap: 1n }],
      ['DurationBelowMinimum', { minDurationDays: 31, maxDurationDays: 32 }],
      ['DurationExceeded', { maxDurationDays: 29 }],
      ['BelowMinimumLot', { minFace: 1_002n, maxFace: 1_003n, maxClaimFace: 1_003n, maxIssuerFace: 1_003n }],
      ['AboveMaximumLot', { maxFace: 1_000n }],
      ['FaceExceedsRemaining', { faceAmount: 1_001n }],
      ['AboveMaximumClaimFace', { maxClaimFace: 599n }],
      ['AboveMaximumIssuerFace', { maxIssuerFace: 599n }],
      ['AdvanceBelowMinimum', {}],
    ],
    finance,
  )
  expect(await errorOf(act.executeFinancing(world, { user, claimId, vault, faceAmount: 600n }))).toBe(
    'InsufficientLiquidity',
  )
  await act.setMandate(world, { curator, vault, mandate: { supportedTypesBitmap: 1n } })
  await act.revokeClaim(world, { issuer, claimId })
  expect(await act.quoteOf(world, vault, claimId, maxUint256)).toMatchObject({
    reason: 'CLAIM_NOT_FINANCEABLE',
  })
})

test('a claim of eight slices has no room for a lot that is too large, then no slice, then too small an advance', async () => {
  const { beneficiary: user } = world.parties
  const { claimId } = await newClaim()
  const vault = await act.createFundedVault(world, { token: world.usd, capital: 10_000n })
  const finance = (faceAmount: bigint, minimumAdvanceAmount = 0n) =>
    act.executeFinancing(world, { user, claimId, vault, faceAmount, minimumAdvanceAmount })
  for (let slice = 0; slice < 8; slice += 1) await finance(100n)
  expect(await errorOf(finance(201n))).toBe('FaceExceedsRemaining')
  expect(await errorOf(finance(200n, 9_999n))).toBe('NoSlicesRemaining')
})

test('a payment checks claim, token, amount or due date, then the state', async () => {
  const { payer, issuer } = world.parties
  const { claimId, attestation } = await newClaim()
  await act.revokeClaim(world, { issuer, claimId })
  const settle = (terms: { claimId: Hex; token: Address; maxAmount: bigint }) =>
    errorOf(act.settle(world, { payer, ...terms }))
  expect(await settle({ claimId: UNKNOWN, token: world.eur, maxAmount: 0n })).toBe('UnknownClaim')
  expect(await settle({ claimId, token: world.eur, maxAmount: 999n })).toBe('UnexpectedToken')
  expect(await settle({ claimId, token: world.usd, maxAmount: 999n })).toBe('AmountExceedsMaximum')
  expect(await settle({ claimId, token: world.usd, maxAmount: 1_000n })).toBe('ClaimNotSettleable')
  const pay = (terms: { claimId: Hex; token: Address }) =>
    errorOf(act.pay(world, { payer, faceAmount: 0n, ...terms }))
  expect(await pay({ claimId: UNKNOWN, token: world.eur })).toBe('UnknownClaim')
  expect(await pay({ claimId, token: world.eur })).toBe('UnexpectedToken')
  expect(await pay({ claimId, token: world.usd })).toBe('ClaimNotDue')
  await act.travelTo(world, attestation.dueDate - 1n)
  await world.chain.setNextBlockTimestamp({ timestamp: attestation.dueDate })
  expect(await pay({ claimId, token: world.usd })).toBe('ClaimNotSettleable')
})
