/** Where a payment counts that comes in the first or in the last second of a period, which no random history hits. */
import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { dueDay, paymentRecord, valueDay } from '../../ponder.schema.ts'
import { createHandled, type PlayedEvent } from '../support/handlers.ts'

const DAY = 86_400n
const LOSS_PER_SECOND = 2n ** 32n
const wallet = `0x${'c1'.repeat(20)}` as const
const issuer = `0x${'d1'.repeat(20)}` as const
const token = `0x${'b1'.repeat(20)}` as const
const vault = `0x${'a1'.repeat(20)}` as const
const claimId = `0x${'01'.repeat(32)}` as const
const executionId = `0x${'02'.repeat(32)}` as const

const FACE = 2n ** 40n
const MIDNIGHT = 20_000n * DAY
/** At noon, so that whole days after it end within a day. */
const DUE = MIDNIGHT + DAY / 2n
const OVERDUE = MIDNIGHT + DAY
const WRITTEN_OFF = OVERDUE + 90n * DAY

const mandate = { supportedTypesBitmap: 1n, minDurationDays: 0, maxDurationDays: 9 }
const faces = { minFace: 1n, maxFace: FACE, maxClaimFace: FACE, maxIssuerFace: FACE }
const slice = { claimId, sliceIndex: 0, faceAmount: FACE, advanceAmount: FACE }

/** A claim that one vault finances whole, without a discount. */
function financed(dueDate: bigint): PlayedEvent[] {
  const at = MIDNIGHT - 9n * DAY
  const parties = { issuer, beneficiary: wallet, token }
  const pricing = { baseDiscountBps: 0, durationBpsPerDay: 0, premiumBps: [] }
  const terms = { noticePeriod: 0, mandate: { ...mandate, ...faces }, pricing }
  return [
    ['IssuerRegistry:IssuerStatusChanged', { issuer, active: true }, { at }],
    ['VaultRegistry:VaultRegistered', { vault, token, curator: wallet, name: 'V', symbol: 'v', ...terms }],
    ['FinancingVault:Transfer', { from: zeroAddress, to: wallet, value: FACE }, { by: vault }],
    ['FinancingVault:Deposit', { sender: wallet, owner: wallet, assets: FACE, shares: FACE }, { by: vault }],
    [
      'ClaimRegistry:ClaimRegistered',
      { ...parties, claimId, faceValue: FACE, dueDate, claimType: 0, documentHash: claimId },
    ],
    ['ClaimRegistry:SliceReserved', { claimId, sliceIndex: 0, faceAmount: FACE, financedFaceValue: FACE }],
    ['ClaimRegistry:AllocationRegistered', { ...slice, vault, executionId }],
    ['FinancingVault:Funded', { ...slice, recipient: wallet }, { by: vault }],
  ]
}

/** Payments in parts, each of which reaches the vault. */
function payments(...parts: readonly (readonly [at: bigint, faceAmount: bigint])[]): PlayedEvent[] {
  let paidFaceValue = 0n
  return parts.flatMap(([at, faceAmount]): PlayedEvent[] => {
    paidFaceValue += faceAmount
    const amounts = { faceAmount, paidFaceValue, sliceAmounts: [faceAmount], beneficiaryAmount: 0n }
    const repayment = { claimId, sliceIndex: 0, faceAmount, advanceAmount: faceAmount }
    return [
      ['FinancingRouter:ClaimPaid', { claimId, payer: wallet, token, ...amounts }, { at }],
      ['FinancingVault:Repaid', repayment, { at, by: vault }],
    ]
  })
}

describe('the payment record of an issuer', () => {
  it('counts whole days from the due second, and recoveries from the end of the write-down', async () => {
    const { db, play } = createHandled()
    await play(...financed(DUE))
    const late = (days: bigint, seconds = 0n) => DUE + days * DAY + seconds
    await play(
      ...payments(
        [late(0n, -1n), 1n],
        [late(0n), 2n],
        [late(1n, -1n), 4n],
        [late(1n), 8n],
        [late(2n, -1n), 16n],
        [late(2n), 32n],
        [late(8n, -1n), 64n],
        [late(8n), 128n],
        [late(31n, -1n), 256n],
        [late(31n), 512n],
        [WRITTEN_OFF - 1n, 1024n],
        [WRITTEN_OFF, 2048n],
        [late(91n, -1n), 4096n],
        [late(91n), 8192n],
      ),
    )
    const faceDays =
      8n + 16n + 2n * 32n + 7n * 64n + 8n * 128n + 30n * 256n + 31n * 512n + 90n * 7168n + 91n * 8192n
    expect(await db.find(paymentRecord, { issuer, token })).toMatchObject({
      face: FACE,
      settled: 16_383n,
      onTime: 7n,
      upTo1: 24n,
      upTo7: 96n,
      upTo30: 384n,
      upTo90: 512n + 7168n,
      more: 8192n,
      recovered: 2048n + 4096n + 8192n,
      faceDays,
      averageDelay: (100n * faceDays) / 16_383n,
    })
  })
})

describe('a payment is of the day', () => {
  const dueAt = MIDNIGHT + DAY - 1n
  it.each([
    ['on which it is due, days before', dueAt - 3n * DAY, MIDNIGHT],
    ['on which it is due, a second before', dueAt - 1n, MIDNIGHT],
    ['on which it is due, in the due second', dueAt, MIDNIGHT],
    ['after its due day, a second after', dueAt + 1n, MIDNIGHT + DAY],
  ])('%s', async (_, at, day) => {
    const { db, play } = createHandled()
    await play(...financed(dueAt), ...payments([at, 5n]))
    const key = { vault, issuer, token }
    expect(await db.find(dueDay, { ...key, day })).toMatchObject({
      faceSettled: 5n,
      faceDue: day === MIDNIGHT ? FACE : 0n,
    })
    expect(await db.find(dueDay, { ...key, day: MIDNIGHT })).toMatchObject({ faceDue: FACE })
  })
})

describe('a loss', () => {
  const losses = async (play: readonly PlayedEvent[]) => {
    const handled = createHandled()
    await handled.play(...financed(DUE), ...play)
    const on = async (day: bigint) => {
      const row = await handled.db.find(valueDay, { vault, day })
      return [row?.lossPerSecond, row?.lossOffset, row?.scheduledLossPerSecond, row?.scheduledLossOffset]
    }
    return { start: await on(OVERDUE), end: await on(WRITTEN_OFF) }
  }
  const line = (face: bigint, since: bigint) => [face * LOSS_PER_SECOND, -face * LOSS_PER_SECOND * since]
  const scheduled = (face: bigint, since: bigint) => [...line(face, since), ...line(face, since)]

  it('never begins for face that is paid a second before the midnight after its due day', async () => {
    expect(await losses(payments([OVERDUE - 1n, 3n]))).toEqual({
      start: scheduled(FACE - 3n, OVERDUE),
      end: scheduled(3n - FACE, WRITTEN_OFF),
    })
  })

  it('begins with that midnight, and a payment in its first second takes it back', async () => {
    expect(await losses(payments([OVERDUE, 3n]))).toEqual({
      start: [...line(FACE - 3n, OVERDUE), ...line(FACE, OVERDUE)],
      end: scheduled(3n - FACE, WRITTEN_OFF),
    })
  })

  it('is of the whole face 90 days later, and a payment in that second takes it back', async () => {
    const [perSecond = 0n, offset = 0n] = line(-FACE, WRITTEN_OFF)
    expect(await losses(payments([WRITTEN_OFF, 3n]))).toEqual({
      start: scheduled(FACE, OVERDUE),
      end: [perSecond, offset - 3n * LOSS_PER_SECOND * 90n * DAY, perSecond, offset],
    })
  })
})
