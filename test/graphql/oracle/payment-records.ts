/** How issuers pay, from claims and payments one by one. */
import { sum } from '../../support/sum.ts'
import { next, startOf } from '../calendar.ts'
import type { Args } from './pages.ts'
import { integer, type Row, rowsOf, type World } from './rows.ts'

const DAY = 86_400n

const claimsOf = (record: Row, world: World) =>
  rowsOf(world, 'Claim').filter(
    (claim) => claim.issuer === record.issuer && claim.token === record.token && claim.state !== 'REVOKED',
  )

const unpaidOf = (claims: readonly Row[]) =>
  sum(claims.map((claim) => integer(claim, 'faceValue') - integer(claim, 'paidFaceValue')))

const paymentsOf = (claim: Row, world: World) =>
  rowsOf(world, 'Settlement').filter(({ claimId }) => claimId === claim.id)

function impaired(record: Row, world: World): bigint {
  const isWorthless = (at: bigint, claim: Row) => at >= (integer(claim, 'dueAt') / DAY + 91n) * DAY
  const claims = claimsOf(record, world)
  const late = claims.flatMap((claim) =>
    paymentsOf(claim, world).filter((payment) => isWorthless(integer(payment, 'at'), claim)),
  )
  const unpaid = claims.filter((claim) => isWorthless(world.block.timestamp, claim))
  return sum(late.map((payment) => integer(payment, 'faceAmount'))) + unpaidOf(unpaid)
}

/** The starts of months, up to the current one. */
function monthsUntil(now: bigint, count: number): bigint[] {
  const starts = [startOf('month', now)]
  while (starts.length < count) starts.unshift(startOf('month', (starts[0] ?? 0n) - 1n))
  return starts
}

function cohorts(record: Row, world: World, args: Args): Row[] {
  const claims = claimsOf(record, world)
  const { timestamp: now } = world.block
  return monthsUntil(now, Number(args.months)).map((month) => {
    const own = claims.filter((claim) => startOf('month', integer(claim, 'registeredAt')) === month)
    const payments = own.flatMap((claim) => paymentsOf(claim, world))
    const face = sum(own.map((claim) => integer(claim, 'faceValue')))
    const paid: bigint[] = []
    for (let start = month; start <= now; start = next('month', start)) {
      const within = payments.filter((payment) => startOf('month', integer(payment, 'at')) === start)
      paid.push(sum(within.map((payment) => integer(payment, 'faceAmount'))))
    }
    return { month, face, paid, paidBps: paid.map((part) => Number((part * 10_000n) / (face || 1n))) }
  })
}

export const recordValues = {
  'Issuer.paymentRecord': (issuer: Row, world: World, { token }: Args) =>
    rowsOf(world, 'PaymentRecord').find((row) => row.issuer === issuer.address && row.token === token) ??
    null,
  'PaymentRecord.late': (record: Row) => record,
  'PaymentRecord.averageDaysLate': (record: Row) =>
    integer(record, 'settled') === 0n ? null : Number(integer(record, 'averageDelay')) / 100,
  'PaymentRecord.outstanding': (record: Row, world: World) => unpaidOf(claimsOf(record, world)),
  'PaymentRecord.overdue': (record: Row, world: World) =>
    unpaidOf(claimsOf(record, world).filter((claim) => integer(claim, 'dueAt') < world.block.timestamp)),
  'PaymentRecord.impaired': impaired,
  'PaymentRecord.cohorts': cohorts,
}
