/** How issuers pay their claims: each payment adds its face by the days from the due date to it. */
import type { Context } from 'ponder:registry'
import { type claim, paymentRecord } from 'ponder:schema'
import { midnightOf } from './position.ts'

type Claim = Pick<typeof claim.$inferSelect, 'issuer' | 'token' | 'dueAt'>

const SECONDS_PER_DAY = 86_400n

/** The value of a claim is 0 when these days have passed after its due day. */
const WRITE_DOWN_DAYS = 90n

const NOTHING = {
  face: 0n,
  settled: 0n,
  onTime: 0n,
  upTo1: 0n,
  upTo7: 0n,
  upTo30: 0n,
  upTo90: 0n,
  more: 0n,
  recovered: 0n,
  faceDays: 0n,
  averageDelay: 0n,
}

/** Adds face that an issuer owes, or subtracts it. */
export async function addOwed(db: Context['db'], { issuer, token }: Claim, face: bigint): Promise<void> {
  await db
    .insert(paymentRecord)
    .values({ issuer, token, ...NOTHING, face })
    .onConflictDoUpdate((row) => ({ face: row.face + face }))
}

/** Adds a payment of a claim, which was registered before. */
export async function addPayment(
  db: Context['db'],
  { block }: { block: { timestamp: bigint } },
  { issuer, token, dueAt }: Claim,
  face: bigint,
): Promise<void> {
  const late = block.timestamp > dueAt ? block.timestamp - dueAt : 0n
  const days = late / SECONDS_PER_DAY
  const within = (least: bigint, most: bigint) => (days >= least && days <= most ? face : 0n)
  const writtenOffAt = midnightOf(dueAt) + (1n + WRITE_DOWN_DAYS) * SECONDS_PER_DAY
  await db.update(paymentRecord, { issuer, token }).set((row) => {
    const settled = row.settled + face
    const faceDays = row.faceDays + face * days
    return {
      settled,
      onTime: row.onTime + within(0n, 0n),
      upTo1: row.upTo1 + within(1n, 1n),
      upTo7: row.upTo7 + within(2n, 7n),
      upTo30: row.upTo30 + within(8n, 30n),
      upTo90: row.upTo90 + within(31n, 90n),
      more: row.more + (days > 90n ? face : 0n),
      recovered: row.recovered + (block.timestamp >= writtenOffAt ? face : 0n),
      faceDays,
      averageDelay: settled === 0n ? 0n : (100n * faceDays) / settled,
    }
  })
}
