import { sql } from 'kysely'
import type { Rollup } from './rollup.ts'

const RANGES = {
  onTime: sql`days = 0`,
  upTo1: sql`days = 1`,
  upTo7: sql`days between 2 and 7`,
  upTo30: sql`days between 8 and 30`,
  upTo90: sql`days between 31 and 90`,
  more: sql`days > 90`,
}

/** Sums of the claims of an issuer in a token that are not revoked, and of their payments. */
export const paymentRecord: Rollup = {
  name: 'paymentRecord',
  key: ['issuer', 'token'],
  figures: ['face', 'settled', ...Object.keys(RANGES), 'recovered', 'faceDays', 'averageDelay'],
  expected: (tables) => {
    const ranges = Object.entries(RANGES).map(
      ([name, isIn]) => sql`coalesce(sum(paid) filter (where ${isIn}), 0) as ${sql.ref(name)}`,
    )
    return sql`
      select issuer, token, sum(face) as face, sum(paid) as settled, ${sql.join(ranges)},
        coalesce(sum(paid) filter (where at >= due_at - due_at % 86400 + 91 * 86400), 0) as recovered,
        sum(paid * days) as face_days, coalesce(div(100 * sum(paid * days), nullif(sum(paid), 0)), 0) as average_delay
      from (
        select issuer, token, due_at, null as at, case state when 'REVOKED' then 0 else face_value end as face, 0 as paid, 0 as days
        from ${tables('claim')}
        union all
        select claim.issuer, claim.token, claim.due_at, payment.at, 0, payment.face_amount,
          div(greatest(payment.at - claim.due_at, 0), 86400)
        from ${tables('settlement')} as payment join ${tables('claim')} as claim on claim.id = payment.claim_id
      ) as one group by issuer, token`
  },
}
