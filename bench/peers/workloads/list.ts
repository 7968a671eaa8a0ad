import { z } from 'zod'
import type { Read, Row, Workload } from '../read.ts'
import { claimFields, claimShapes } from './claim-fields.ts'
import { askAgain, graphql, type Variables } from './graphql.ts'
import { sql } from './sql.ts'

const issuer: Variables = (sample) => ({ issuer: sample.issuer })

const OURS = `query List($issuer: Address!) { claims(first: 50, filter: { issuer: $issuer }) { nodes { ${claimFields.ours} } } }`

/** The newest 50 claims of an issuer. */
export const list: Workload = {
  id: 'list',
  title: 'list of 50, 8 fields',
  grows: true,
  reads: {
    ours: graphql(
      'ours',
      OURS,
      issuer,
      z
        .object({ claims: z.object({ nodes: z.array(claimShapes.ours) }) })
        .transform((data) => data.claims.nodes),
    ),
    postgraphile: graphql(
      'postgraphile',
      `query List($issuer: String!) {
        claims: allClaims(first: 50, condition: { issuer: $issuer }, orderBy: [REGISTERED_AT_DESC, ORDINAL_DESC]) { nodes { ${claimFields.postgraphile} } }
      }`,
      issuer,
      z
        .object({ claims: z.object({ nodes: z.array(claimShapes.postgraphile) }) })
        .transform((data) => data.claims.nodes),
    ),
    ponder: graphql(
      'ponder',
      `query List($issuer: String!) {
        claims(limit: 50, where: { issuer: $issuer }, orderBy: "registeredAt", orderDirection: "desc") { items { ${claimFields.ponder} } }
      }`,
      issuer,
      z
        .object({ claims: z.object({ items: z.array(claimShapes.ponder) }) })
        .transform((data) => data.claims.items),
    ),
    sql: sql('list', (sample) => [sample.issuer], z.array(claimShapes.sql)),
  },
}

/** The list by GET, which a browser or a cache asks again with the tag of the answer that it has. */
export const unchangedList: Read = {
  request: (sample, tag) => askAgain(OURS, issuer(sample, ''), tag),
  prepare: async (send, sample) =>
    (await send(askAgain(OURS, issuer(sample, ''), ''))).headers.get('etag') ?? '',
  rows: z.literal('').transform((): Row[] => []),
  status: 304,
}
