/** Payment records as of a block: from the claims of the issuers and their payments. */
import { sql } from 'kysely'
import { SECONDS_PER_DAY } from '../../domain/limits.ts'
import { WRITE_DOWN_SECONDS } from '../../domain/value.ts'
import type { Sql } from '../sql/json.ts'
import { DAY, midnightBefore } from '../sql/period.ts'
import { view } from '../sql/source.ts'
import { type At, isUntil } from './at.ts'
import { pastClaims } from './claims.ts'

export function pastRecords(at: At): Sql {
  // The write-down ends when these days have passed after the due day.
  const written = sql`${midnightBefore(sql`claim.due_at`)} + ${sql.lit(Number(SECONDS_PER_DAY + WRITE_DOWN_SECONDS))}`
  const within = (least: number, most: number) =>
    sql`sum(case when days between ${sql.lit(least)} and ${sql.lit(most)} then paid else 0 end)`
  return sql`
    select issuer, token, sum(face) as face, sum(paid) as settled, ${within(0, 0)} as on_time, ${within(1, 1)} as up_to1,
      ${within(2, 7)} as up_to7, ${within(8, 30)} as up_to30, ${within(31, 90)} as up_to90,
      sum(case when days > 90 then paid else 0 end) as more, sum(case when is_recovered then paid else 0 end) as recovered,
      sum(paid * days) as face_days, coalesce(div(100 * sum(paid * days), nullif(sum(paid), 0)), 0) as average_delay
    from (
      select issuer, token, case when state = 'REVOKED' then 0 else face_value end as face, 0 as paid, 0 as days,
        false as is_recovered
      from (${pastClaims(at)}) as claim
      union all
      select settlement.issuer, settlement.token, 0, settlement.face_amount,
        div(greatest(settlement.at - claim.due_at, 0), ${DAY}), settlement.at >= ${written}
      from ${view('settlement')} as settlement join ${view('claim')} as claim on claim.id = settlement.claim_id
      where ${isUntil(at, 'settlement.block', 'settlement.at')}
    ) as part group by issuer, token`
}
