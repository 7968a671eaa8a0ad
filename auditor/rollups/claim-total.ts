import { sql } from 'kysely'
import type { Rollup } from './rollup.ts'

/** Sums of the current claims. A group without claims keeps its row, with figures of 0. */
export const claimTotal: Rollup = {
  name: 'claimTotal',
  key: ['token', 'state', 'issuer', 'claimType'],
  figures: ['claims', 'faceValue', 'financedFaceValue'],
  expected: (tables) => sql`
    select token, state, issuer, claim_type, sum(claims) as claims,
      sum(face_value) as face_value, sum(financed_face_value) as financed_face_value
    from (
      select token, state, issuer, claim_type, 1 as claims, face_value, financed_face_value from ${tables('claim')}
      union all
      select token, state, issuer, claim_type, 0, 0, 0 from ${tables('claimTotal')}
    ) as one group by token, state, issuer, claim_type`,
}
