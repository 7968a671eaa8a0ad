/** Face that vaults financed and have not received, and the advances and discounts that belong to it. */
import { sql } from 'kysely'
import type { Sql } from '../sql/json.ts'
import { ref, view } from '../sql/source.ts'

export type OutstandingKey = 'vault' | 'issuer' | 'token' | 'beneficiary'

/**
 * Selects the parts of the allocations of one owner that are not repaid, with the columns `due_at`, `issuer`,
 * `is_held`, `face`, `advance` and `discount`. An allocation has up to two parts: the face that is not paid, and the
 * face that is paid and held by the router. A repayment takes its part of the advance, rounded down for the sum of all
 * repayments, as the router books it.
 *
 * @param token only allocations in this token
 */
export function outstandingOf(by: OutstandingKey, key: Sql, token?: Sql): Sql {
  const isOwn =
    by === 'beneficiary'
      ? sql`claim_id in (select id from ${view('claim')} where beneficiary = ${key})`
      : sql`${ref(by)} = ${key}`
  const ofToken = token ? sql` and token = ${token}` : sql``
  // Two conditions, each with an index.
  const slices = (condition: Sql) =>
    sql`select * from ${view('allocation')} where ${isOwn}${ofToken} and ${condition}`
  return sql`(
    select due_at, issuer, is_held, face, advance, face - advance as discount
    from (${slices(sql`not settled`)} union all ${slices(sql`settled and repaid_face < face_amount`)}) as slice
    cross join lateral (values (false, paid_face, face_amount), (true, repaid_face, paid_face)) as part (is_held, less, until)
    cross join lateral (
      select until - less as face,
        div(advance_amount * until, face_amount) - div(advance_amount * less, face_amount) as advance
    ) as amounts
    where until > less
  )`
}
