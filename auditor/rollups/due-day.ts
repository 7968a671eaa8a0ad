import { sql } from 'kysely'
import { addUp, column } from './additions.ts'
import type { Rollup } from './rollup.ts'

const FIGURES = ['faceDue', 'faceSettled']

/**
 * Sums of the allocations of a vault and an issuer by the day on which they are due, and on which settlements paid
 * them.
 */
export const dueDay: Rollup = {
  name: 'dueDay',
  key: ['vault', 'issuer', 'token', 'day'],
  figures: FIGURES,
  expected: (tables, days) =>
    addUp(
      ['vault', 'issuer', 'token'],
      FIGURES,
      [
        {
          // The index of due dates is that of the claims.
          from: sql`(
            select slice.vault, slice.issuer, slice.token, slice.face_amount, claim.due_at from ${tables('claim')} as claim
            join ${tables('allocation')} as slice on slice.claim_id = claim.id
          ) as due`,
          at: 'dueAt',
          adds: { faceDue: column('faceAmount') },
        },
        {
          // A claim that is settled before its due date is never overdue.
          from: sql`(
            select slice.vault, slice.issuer, slice.token, greatest(settlement.at, slice.due_at) as at, part.amount
            from ${tables('settlement')} as settlement
            cross join unnest(settlement.slice_amounts) with ordinality as part (amount, number)
            join ${tables('allocation')} as slice
              on slice.claim_id = settlement.claim_id and slice.slice_index = part.number - 1
            where part.amount > 0
          ) as settled`,
          at: 'at',
          adds: { faceSettled: column('amount') },
        },
      ],
      days,
    ),
}
