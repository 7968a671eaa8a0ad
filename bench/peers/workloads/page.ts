import { z } from 'zod'
import type { Workload } from '../read.ts'
import { claimFields, claimShapes } from './claim-fields.ts'
import { cursorFrom, graphql, type Variables } from './graphql.ts'
import { sql } from './sql.ts'

const after: Variables = (_, prepared) => ({ after: prepared })
const at: Variables = (sample) => ({ at: sample.registeredAt })
const INFO = 'pageInfo { endCursor hasNextPage }'
const pageInfo = z.strictObject({ endCursor: z.string(), hasNextPage: z.boolean() })
type Info = z.output<typeof pageInfo>

/** The cursor differs between the servers; whether there is a next page does not. */
const asRows = (rows: readonly object[], { hasNextPage }: Pick<Info, 'hasNextPage'>) => [
  ...rows.map((row) => ({ ...row })),
  { hasNextPage },
]
const cursor = z
  .object({ claims: z.object({ pageInfo }) })
  .transform((data) => data.claims.pageInfo.endCursor)

/** 50 claims of all after a cursor far down the list. */
export const page: Workload = {
  id: 'page',
  title: 'page 500 by cursor',
  grows: true,
  reads: {
    ours: {
      ...graphql(
        'ours',
        `query Page($after: String!) { claims(first: 50, after: $after) { nodes { ${claimFields.ours} } ${INFO} } }`,
        after,
        z
          .object({ claims: z.strictObject({ nodes: z.array(claimShapes.ours), pageInfo }) })
          .transform(({ claims }) => asRows(claims.nodes, claims.pageInfo)),
      ),
      prepare: cursorFrom(
        'ours',
        `query Start($at: DateTime!) { claims(first: 1, filter: { registeredAt: $at }) { ${INFO} } }`,
        (sample) => ({ at: new Date(Number(sample.registeredAt) * 1000).toISOString() }),
        cursor,
      ),
    },
    postgraphile: {
      ...graphql(
        'postgraphile',
        `query Page($after: Cursor!) {
          claims: allClaims(first: 50, after: $after, orderBy: [REGISTERED_AT_DESC, ORDINAL_DESC]) { nodes { ${claimFields.postgraphile} } ${INFO} }
        }`,
        after,
        z
          .object({ claims: z.strictObject({ nodes: z.array(claimShapes.postgraphile), pageInfo }) })
          .transform(({ claims }) => asRows(claims.nodes, claims.pageInfo)),
      ),
      prepare: cursorFrom(
        'postgraphile',
        `query Start($at: BigFloat!) {
          claims: allClaims(first: 1, condition: { registeredAt: $at }, orderBy: [REGISTERED_AT_DESC, ORDINAL_DESC]) { ${INFO} }
        }`,
        at,
        cursor,
      ),
    },
    ponder: {
      ...graphql(
        'ponder',
        `query Page($after: String!) {
          claims(limit: 50, after: $after, orderBy: "registeredAt", orderDirection: "desc") { items { ${claimFields.ponder} } ${INFO} }
        }`,
        after,
        z
          .object({ claims: z.strictObject({ items: z.array(claimShapes.ponder), pageInfo }) })
          .transform(({ claims }) => asRows(claims.items, claims.pageInfo)),
      ),
      prepare: cursorFrom(
        'ponder',
        `query Start($at: BigInt!) {
          claims(limit: 1, where: { registeredAt: $at }, orderBy: "registeredAt", orderDirection: "desc") { ${INFO} }
        }`,
        at,
        cursor,
      ),
    },
    sql: sql(
      'page',
      (sample) => [sample.registeredAt],
      z
        .strictObject({
          nodes: z.array(claimShapes.sql.extend({ place: z.int() }).transform(({ place: _, ...row }) => row)),
          hasNextPage: z.boolean(),
        })
        .transform(({ nodes, ...info }) => asRows(nodes, info)),
    ),
  },
}
