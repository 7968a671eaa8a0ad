/** How issuers pay their claims, one row for each issuer and token. */
import { type SqlBool, sql } from 'kysely'
import { BPS_DENOMINATOR } from '../../domain/limits.ts'
import { WRITE_DOWN_SECONDS } from '../../domain/value.ts'
import type { Sql } from '../sql/json.ts'
import { ROWS_MAX, whereAtMost } from '../sql/one-parent.ts'
import { midnightBefore, periodStart, toTimestamp, toUnixSeconds, truncated } from '../sql/period.ts'
import type { Scope } from '../sql/scope.ts'
import { type Source, view } from '../sql/source.ts'
import { claims } from './claim.ts'

export const paymentRecords = {
  table: 'paymentRecord',
  key: ['issuer', 'token'],
  columns: { issuer: 'hex', token: 'hex', settled: 'integer', averageDelay: 'integer' },
  orders: {
    averageDelay: ['averageDelay', 'issuer', 'token'],
    settled: ['settled', 'issuer', 'token'],
  },
  parents: [],
  isSmall: true,
} as const satisfies Source<'paymentRecord'>

/** Computes the face that is not paid. */
export function outstandingSql(record: Scope): Sql {
  return sql`(${record.column('face')} - ${record.column('settled')})`
}

/** Computes the face that is past due and not paid, at the time of the block. */
export function overdueSql(record: Scope): Sql {
  return sql`(${outstandingSql(record)} - ${unpaidFrom(record, record.now)})`
}

/** Computes the face that was not paid when its write-down was complete, at the time of the block. */
export function impairedSql(record: Scope): Sql {
  // The write-down of a claim begins with the day after the one in which it is due.
  const first = sql`(${midnightBefore(record.now)} - ${sql.lit(Number(WRITE_DOWN_SECONDS))})`
  return sql`(${record.column('recovered')} + ${outstandingSql(record)} - ${unpaidFrom(record, first)})`
}

/** The unpaid face of the claims that are due at a time or later: the fewest claims to read. */
function unpaidFrom(record: Scope, at: Sql): Sql {
  return sql`(
    select coalesce(sum(face_value - paid_face_value), 0) from ${view('claim')}
    where ${isOfRecord(record)} and due_at >= ${at} and state <> 'REVOKED'
  )`
}

function isOfRecord(record: Scope): Sql {
  return sql`issuer = ${record.column('issuer')} and token = ${record.column('token')}`
}

/**
 * Writes a relation with a row for each month of registration, up to the current one: `month`, `face` of its claims,
 * and lists `paid` and `paidBps` by the months from the registration to the payment, from 0 to the current month.
 *
 * @param tooMany a text that fails the statement where the months have too many claims
 */
export function cohortsOf(record: Scope, months: number, tooMany: Sql): Sql {
  const month = sql`interval '1 month'`
  const last = truncated('month', record.now)
  const first = sql`${last} - ${sql.lit(months - 1)} * ${month}`
  const isRegistered = sql<SqlBool>`issuer = ${record.column('issuer')} and registered_at >= ${toUnixSeconds(first)}`
  const where = sql<SqlBool>`${isRegistered} and token = ${record.column('token')} and state <> 'REVOKED'`
  const bps = sql.lit(Number(BPS_DENOMINATOR))
  return sql`(
    with registered as (
      select id, face_value, ${periodStart('month', sql`registered_at`)} as month from ${view('claim')}
      where ${whereAtMost(claims, isRegistered, where, ROWS_MAX, tooMany)}
    ), payment as (
      select month, ${monthNumber(sql`at`)} - ${monthNumber(sql`month`)} as months, sum(face_amount) as face
      from registered join ${view('settlement')} as settlement on settlement.claim_id = registered.id group by 1, 2
    )
    select own.month, own.face, parts.paid, parts.paid_bps from (
      select ${toUnixSeconds(sql`start`)} as month, (
        select coalesce(sum(face_value), 0) from registered where registered.month = ${toUnixSeconds(sql`start`)}
      ) as face from generate_series(${first}, ${last}, ${month}) as start
    ) as own cross join lateral (
      select array_agg(coalesce(payment.face, 0)::text order by age) as paid,
        array_agg(coalesce(div(${bps} * payment.face, nullif(own.face, 0)), 0)::int4 order by age) as paid_bps
      from generate_series(0, ${monthNumber(record.now)} - ${monthNumber(sql`own.month`)}) as age
      left join payment on payment.month = own.month and payment.months = age
    ) as parts
  )`
}

/** The number of a month, so that the difference of two is the number of months between them. */
function monthNumber(seconds: Sql): Sql {
  const at = toTimestamp(seconds)
  return sql`(extract(year from ${at}) * 12 + extract(month from ${at}))::int4`
}
