/** No amount, time, id or address changes between a request and what the wallet is given to sign or to send. */
import fc from 'fast-check'
import {
  type Address,
  bytesToHex,
  decodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { ClaimAttestation } from '../../api/typed-data/claim-attestation.ts'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { ATTEST, attestationBody, REGISTER, registrationBody } from '../support/attestations.ts'
import { describedRefusals } from '../support/described-refusals.ts'
import { lowercase } from '../support/parties.ts'
import { postPrepare, prepare } from '../support/prepared.ts'
import { assertProperty } from '../support/property.ts'
import { deployForTest } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'

const MOST_FACE = 2n ** 128n - 1n
const MAX_UINT256 = 2n ** 256n - 1n
const LAST_SECOND = 253_402_300_799n

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
beforeAll(async () => {
  the = await routes.startRouteWorld()
  await routes.settleDown(the)
})
afterAll(() => the.stop())

/** The ends of the range and what floats get wrong, beside anything else. */
const amounts = (most = MOST_FACE) =>
  fc.oneof(
    fc.constantFrom(1n, 2n ** 53n + 1n, 10n ** 18n + 1n, most),
    fc.bigInt({ min: 1n, max: 10n ** 18n }),
    fc.bigInt({ min: 1n, max: most }),
  )
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => bytesToHex(array))
/** Every way in which a caller may write hex. */
const letterCase = fc.constantFrom('as it is', 'upper', 'checksum')
type LetterCase = 'as it is' | 'upper' | 'checksum'
function written(hex: Hex, inCase: LetterCase): Hex {
  if (inCase === 'checksum' && hex.length === zeroAddress.length) return getAddress(hex)
  return inCase === 'as it is' ? hex : `0x${hex.slice(2).toUpperCase()}`
}

/** Decoded values with their addresses in lowercase, as the gateway writes them. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

const message = z.object({ typedData: z.object({ message: z.record(z.string(), z.string()) }) })

describe('what is asked for reaches what is signed and sent, digit for digit', () => {
  it('as typed data of an attestation, and from there as calldata of its registration', async () => {
    const { issuer, relayer } = the.world.parties
    const [issuers, relayers] = [await routes.tokenOf(the, issuer), await routes.tokenOf(the, relayer)]
    const now = await act.chainTime(the.world)
    const times = fc.bigInt({ min: now + act.DAY, max: LAST_SECOND })
    const attestations: fc.Arbitrary<ClaimAttestation> = fc.record({
      issuer: fc.constant(issuer.address),
      beneficiary: bytes(20),
      token: fc.constantFrom<Address[]>(the.world.usd, the.world.eur),
      faceValue: amounts(),
      dueDate: times,
      claimType: fc.nat({ max: 255 }),
      documentHash: bytes(32),
      validUntil: times,
    })
    const property = fc.asyncProperty(attestations, letterCase, async (attestation, inCase) => {
      fc.pre(attestation.beneficiary !== zeroAddress)
      const { beneficiary, token, documentHash } = attestation
      const hex = {
        beneficiary: written(beneficiary, inCase),
        token: written(token, inCase),
        documentHash: written(documentHash, inCase),
      }
      const asked = { ...attestationBody(attestation), ...hex }
      const response = await postPrepare(the.app, issuers, ATTEST, asked)
      const { typedData } = message.parse(await response.json())
      expect(typedData.message).toEqual(registrationBody({ attestation, signature: '0x' }).attestation)

      const signature = await act.signAttestation(the.world, issuer, attestation)
      const body = { attestation: { ...typedData.message, ...hex }, signature: written(signature, inCase) }
      const { transaction, issues } = await prepare(the.app, relayers, REGISTER, body)
      expect(issues).toEqual([])
      expect(transaction.to).toBe(the.world.protocol.claimRegistry)
      const { functionName, args } = decodeFunctionData({ abi: claimRegistryAbi, data: transaction.data })
      expect([functionName, plain(args)]).toEqual(['register', [attestation, signature]])
    })
    await assertProperty(property, { numRuns: 40 })
  })

  it('as calldata of a direct financing', async () => {
    const { beneficiary } = the.world.parties
    const token = await routes.tokenOf(the, beneficiary)
    const { vault, claimId } = await hugeMarket()
    const asks = fc.record({
      faceAmount: amounts(),
      /** Per mille of what the vault pays; left out where there is none. */
      minimum: fc.option(fc.bigInt({ min: 0n, max: 1_000n })),
      deadlineSeconds: fc.integer({ min: 60, max: 3600 }),
    })
    const property = fc.asyncProperty(asks, letterCase, async (ask, inCase) => {
      const { faceAmount, minimum, deadlineSeconds } = ask
      const advance = faceAmount - (faceAmount * 100n + 9_999n) / 10_000n
      const minimumAdvanceAmount = minimum === null ? advance : (advance * minimum) / 1_000n
      const body = {
        claimId: written(claimId, inCase),
        vault: written(vault, inCase),
        faceAmount: String(faceAmount),
        ...(minimum !== null && { minimumAdvanceAmount: String(minimumAdvanceAmount) }),
        deadlineSeconds,
      }
      const answer = await prepare(the.app, token, '/executions/prepare', body)
      const { transaction, issues, deadline } = answer
      expect(issues).toEqual([])
      expect(transaction.to).toBe(the.world.protocol.financingRouter)
      const { functionName, args } = decodeFunctionData({ abi: financingRouterAbi, data: transaction.data })
      const until = BigInt(Date.parse(String(deadline)) / 1000)
      const expected = [claimId, vault, faceAmount, minimumAdvanceAmount, until]
      expect([functionName, plain(args)]).toEqual(['executeFinancing', expected])
    })
    await assertProperty(property, { numRuns: 40 })
  })

  it('as typed data of a route', async () => {
    const { beneficiary } = the.world.parties
    const token = await routes.tokenOf(the, beneficiary)
    const { claimId } = await hugeMarket()
    const asks = fc.record({
      targetAdvance: amounts((MOST_FACE * 98n) / 100n),
      maxTotalFace: fc.oneof(
        fc.constant(undefined),
        fc.constantFrom(MOST_FACE, MAX_UINT256),
        fc.bigInt({ min: MOST_FACE, max: MAX_UINT256 }),
      ),
    })
    const property = fc.asyncProperty(asks, letterCase, async ({ targetAdvance, maxTotalFace }, inCase) => {
      // At another block it is another route, even where the same is asked for.
      await the.world.chain.mine({ blocks: 1 })
      const claimIds = [written(claimId, inCase)]
      const body = { claimIds, targetAdvance, ...(maxTotalFace !== undefined && { maxTotalFace }) }
      const { routeId, route } = await routes.optimizeToRoute(the.app, token, body)
      const { typedData, legs, issues } = await routes.prepare(the.app, token, written(routeId, inCase))
      expect(issues).toEqual([])
      const signed = legs.map(({ claimId, vault, faceAmount, minimumAdvanceAmount }) => {
        return { claimId, vault, faceAmount, minimumAdvanceAmount }
      })
      expect(typedData.message).toMatchObject({
        user: beneficiary.address,
        legs: signed,
        targetAdvance,
        maxTotalFace: maxTotalFace ?? route.totals.totalFace,
      })
      const chosen = (all: typeof route.legs) =>
        all.map(({ claimId, vault, faceAmount }) => ({ claimId, vault, faceAmount }))
      expect(chosen(legs)).toEqual(chosen(route.legs))
      expect(legs[0]?.claimId).toBe(claimId)
    })
    await assertProperty(property, { numRuns: 40 })
  })

  it('as calldata of a settlement and of its approval', async () => {
    const { payer, beneficiary, issuer } = the.world.parties
    const router = the.world.protocol.financingRouter
    const property = fc.asyncProperty(
      fc.array(amounts(), { minLength: 4, maxLength: 8 }),
      letterCase,
      async (faces, inCase) => {
        const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd }
        const claims: [Hex, bigint][] = []
        for (const faceValue of faces) {
          claims.push([(await act.registerClaim(the.world, { ...terms, faceValue })).claimId, faceValue])
        }
        await act.travelDays(the.world, 31)
        await routes.settleDown(the)
        const token = await routes.tokenOf(the, payer)
        for (const [claimId, face] of claims) {
          const answer = await prepare(the.app, token, `/settlements/${written(claimId, inCase)}/prepare`)
          const { transaction, approvals, issues } = answer
          expect(answer).toMatchObject({ faceValue: String(face), beneficiaryAmount: String(face) })
          expect(issues.map(({ have, need }) => [have, need])).toEqual(Array(2).fill(['0', String(face)]))
          const settled = decodeFunctionData({ abi: financingRouterAbi, data: transaction.data })
          expect([transaction.to, settled]).toEqual([
            router,
            { functionName: 'settle', args: [claimId, getAddress(the.world.usd), face] },
          ])
          const approved = approvals.map((step) => step.transaction)
          const calls = approved.map(({ data }) => decodeFunctionData({ abi: erc20Abi, data }))
          expect(approved.map(({ to }) => to)).toEqual([the.world.usd])
          expect(plain(calls)).toEqual([{ functionName: 'approve', args: [router, face] }])
        }
      },
    )
    await assertProperty(property, { numRuns: 4 })
  })

  it('as calldata of the withdrawal of a credit', async () => {
    const { world } = the
    const { issuer, beneficiary, payer } = world.parties
    const token = await deployForTest(world, blockingTokenAbi, blockingTokenBytecode, [])
    await act.setTokenListed(world, { token, listed: true })
    const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: MOST_FACE }
    const { claimId } = await act.registerClaim(world, terms)
    await act.travelDays(world, 31)
    await act.setBlocked(world, { token, account: beneficiary.address, blocked: true })
    await act.mintAndSettle(world, { payer, claimId })
    await act.setBlocked(world, { token, account: beneficiary.address, blocked: false })
    await routes.settleDown(the)
    const session = await routes.tokenOf(the, beneficiary)
    const property = fc.asyncProperty(letterCase, async (inCase) => {
      const body = { token: written(token, inCase) }
      const answer = await prepare(the.app, session, '/credits/withdrawal/prepare', body)
      expect(answer).toMatchObject({ token, amount: String(MOST_FACE), issues: [] })
      const call = decodeFunctionData({ abi: financingRouterAbi, data: answer.transaction.data })
      expect(plain(call)).toEqual({ functionName: 'withdrawcredit', args: [token] })
    })
    await assertProperty(property, { numRuns: 20 })
  })

  it('as calldata of a deposit, of its approval and of a withdrawal', async () => {
    const { world } = the
    const { provider } = world.parties
    const most = 2n ** 189n
    const vault = await act.createFundedVault(world, { token: world.usd, capital: most })
    await routes.settleDown(the)
    const session = await routes.tokenOf(the, provider)
    const asked = fc.record({
      unit: fc.constantFrom('assets', 'shares'),
      amount: amounts(most).map((amount) => amount + 10n ** 6n),
      receiver: bytes(20),
      slippageBps: fc.nat({ max: 10_000 }),
      inCase: letterCase,
    })
    const property = fc.asyncProperty(asked, async ({ unit, amount, receiver, slippageBps, inCase }) => {
      const body = { [unit]: `${amount}`, receiver: written(receiver, inCase), slippageBps }
      const path = `/vaults/${written(vault, inCase)}`
      const deposit = await prepare(the.app, session, `${path}/deposits/prepare`, body)
      const withdrawal = await prepare(the.app, session, `${path}/withdrawals/prepare`, body)
      const bounds = z.object({
        minShares: z.string().nullish(),
        maxAssets: z.string().nullish(),
        maxShares: z.string().nullish(),
        minAssets: z.string().nullish(),
      })
      const { minShares, maxAssets } = bounds.parse(deposit)
      const { maxShares, minAssets } = bounds.parse(withdrawal)
      const callOf = ({ transaction: { data } }: typeof deposit) =>
        plain(decodeFunctionData({ abi: financingVaultAbi, data }))
      expect(callOf(deposit)).toEqual({
        functionName: unit === 'assets' ? 'deposit' : 'mint',
        args: [amount, receiver, BigInt(minShares ?? maxAssets ?? -1)],
      })
      expect(callOf(withdrawal)).toEqual({
        functionName: unit === 'assets' ? 'withdraw' : 'redeem',
        args: [amount, receiver, provider.address, BigInt(maxShares ?? minAssets ?? -1)],
      })
      const calls = deposit.approvals.map(({ transaction: { data } }) =>
        plain(decodeFunctionData({ abi: erc20Abi, data })),
      )
      const taken = unit === 'assets' ? amount : BigInt(maxAssets ?? -1)
      expect(calls).toEqual([{ functionName: 'approve', args: [vault, taken] }])
    })
    await assertProperty(property, { numRuns: 20 })
  })

  it('at every endpoint that prepares', async () => {
    const refusing = Object.keys(await describedRefusals(the.app))
    const preparing = refusing.filter((operation) => !/^(export|get|list)/.test(operation))
    expect(preparing.toSorted()).toEqual([
      'optimizeRoute',
      'prepareAttestation',
      'prepareAttestationCancellation',
      'prepareCreditWithdrawal',
      'prepareDeposit',
      'prepareExecution',
      'prepareRegistration',
      'prepareRevocation',
      'prepareRouteExecution',
      'prepareSettlement',
      'prepareTerms',
      'prepareWithdrawal',
    ])
  })
})

/** A claim of the largest face there is, and a vault that can pay for all of it. */
async function hugeMarket(): Promise<{ claimId: Hex; vault: Hex }> {
  const { world } = the
  const { issuer, beneficiary } = world.parties
  const mandate = { maxFace: MOST_FACE }
  const vault = await act.createFundedVault(world, { token: world.usd, capital: MOST_FACE, mandate })
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: MOST_FACE }
  const { claimId } = await act.registerClaim(world, terms)
  await routes.settleDown(the)
  return { claimId, vault: lowercase(vault) }
}
