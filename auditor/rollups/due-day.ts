import { sql } from 'kysely'
import { addUp, column } from './additions.ts'
import type { Rollup } from './rollup.ts'

const FIGURES = ['faceDue', 'faceSettled']

/**
 * Sums of the allocations of a vault and an issuer by the day on which they are due, and on which their claims are
 * settled.
 */
export const dueDay: Rollup = {
  name: 'dueDay',
  key: ['vault', 'issuer', 'token', 'day'],
  isDaily: true,
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
            select allocation.*, greatest(settlement.at, allocation.due_at) as at from ${tables('settlement')} as settlement
            join ${tables('allocation')} as allocation using (claim_id)
          ) as settled`,
          at: 'at',
          adds: { faceSettled: column('faceAmount') },
        },
      ],
      days,
    ),
}
