import { z } from 'zod'
import type { Workload } from '../read.ts'
import { claimFields, claimShapes } from './claim-fields.ts'
import { graphql, type Variables } from './graphql.ts'
import { sql } from './sql.ts'

const id: Variables = (sample) => ({ id: sample.claimId })

/** One claim by its id. */
export const claim: Workload = {
  id: 'claim',
  title: 'one claim',
  grows: true,
  reads: {
    ours: graphql(
      'ours',
      `query Claim($id: Hash!) { claim(claimId: $id) { ${claimFields.ours} } }`,
      id,
      z.object({ claim: claimShapes.ours }).transform((data) => [data.claim]),
    ),
    postgraphile: graphql(
      'postgraphile',
      `query Claim($id: String!) { claim: claimByRowId(rowId: $id) { ${claimFields.postgraphile} } }`,
      id,
      z.object({ claim: claimShapes.postgraphile }).transform((data) => [data.claim]),
    ),
    ponder: graphql(
      'ponder',
      `query Claim($id: String!) { claim(id: $id) { ${claimFields.ponder} } }`,
      id,
      z.object({ claim: claimShapes.ponder }).transform((data) => [data.claim]),
    ),
    sql: sql(
      'claim',
      (sample) => [sample.claimId],
      claimShapes.sql.transform((row) => [row]),
    ),
  },
}
