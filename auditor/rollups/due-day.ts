import { sql } from 'kysely'
import { addUp, column } from './additions.ts'
import type { Rollup } from './rollup.ts'

const FIGURES = ['faceDue', 'faceSettled']

/**
 * Sums of the allocations of a vault and an issuer by the day on which they are due, and on which their claims are
 * settled or revoked.
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
          from: sql`(
            select allocation.*, settlement.at from ${tables('settlement')} as settlement
            join ${tables('allocation')} as allocation using (claim_id)
          ) as settled`,
          at: 'at',
          adds: { faceSettled: column('faceAmount') },
        },
        {
          // The revocation is the last change of its claim. A claim revoked before its due date is never overdue.
          from: sql`(
            select allocation.*, greatest(claim.changed_at, claim.due_at) as at from ${tables('claim')} as claim
            join ${tables('allocation')} as allocation on allocation.claim_id = claim.id where claim.state = 'REVOKED'
          ) as revoked`,
          at: 'at',
          adds: { faceSettled: column('faceAmount') },
        },
      ],
      days,
    ),
}
