import { z } from 'zod'
import type { Workload } from '../read.ts'
import { graphql, type Variables } from './graphql.ts'
import { sql } from './sql.ts'

const wallet: Variables = (sample) => ({ wallet: sample.wallet })
const issuer: Variables = (sample) => ({ issuer: sample.issuer })
const counted = z
  .object({ claims: z.strictObject({ totalCount: z.int() }) })
  .transform(({ claims }) => [claims])

/** How many claims a wallet owns. */
export const count: Workload = {
  id: 'count',
  title: 'totalCount of a wallet',
  reads: {
    ours: graphql(
      'ours',
      'query Count($wallet: Address!) { claims(filter: { beneficiary: $wallet }) { totalCount } }',
      wallet,
      counted,
    ),
    postgraphile: graphql(
      'postgraphile',
      'query Count($wallet: String!) { claims: allClaims(condition: { beneficiary: $wallet }) { totalCount } }',
      wallet,
      counted,
    ),
    ponder: graphql(
      'ponder',
      'query Count($wallet: String!) { claims(where: { beneficiary: $wallet }, limit: 1) { totalCount } }',
      wallet,
      counted,
    ),
    sql: sql(
      'count',
      (sample) => [sample.wallet],
      z.int().transform((totalCount) => [{ totalCount }]),
    ),
  },
}

type Group = { token: string | null; state: string | null; sum: string }
const byKey = (groups: readonly Group[]) =>
  groups.toSorted((a, b) => `${a.token} ${a.state}`.localeCompare(`${b.token} ${b.state}`))

const sqlGroups = z
  .array(z.strictObject({ token: z.string(), state: z.string(), sum: z.string() }))
  .transform(byKey)
const ourGroups = z
  .object({
    claimAggregates: z.object({
      nodes: z.array(
        z.strictObject({
          tokenInfo: z.strictObject({ address: z.string() }),
          state: z.string(),
          faceValue: z.strictObject({ sum: z.string() }),
        }),
      ),
    }),
  })
  .transform(({ claimAggregates }) =>
    byKey(
      claimAggregates.nodes.map(({ tokenInfo: { address: token }, state, faceValue: { sum } }) => ({
        token,
        state,
        sum,
      })),
    ),
  )
const peersGroups = z
  .object({
    groups: z.object({
      groupedAggregates: z.array(
        z.strictObject({
          keys: z.tuple([z.string(), z.string()]),
          sum: z.strictObject({ faceValue: z.string() }),
        }),
      ),
    }),
  })
  .transform(({ groups }) =>
    byKey(
      groups.groupedAggregates.map(({ keys: [token, state], sum }) => ({ token, state, sum: sum.faceValue })),
    ),
  )
const GROUPS = 'groupedAggregates(groupBy: [TOKEN, STATE]) { keys sum { faceValue } }'

/** Face by token and state of an issuer's claims, which is kept as totals. */
export const rollup: Workload = {
  id: 'rollup',
  title: 'aggregate by state, one issuer (rollup)',
  grows: true,
  reads: {
    ours: graphql(
      'ours',
      `query Rollup($issuer: Address!) {
        claimAggregates(filter: { issuer: $issuer }, groupBy: [state]) { nodes { tokenInfo { address } state faceValue { sum } } }
      }`,
      issuer,
      ourGroups,
    ),
    // From the totals, too, which its schema has as a table.
    postgraphile: graphql(
      'postgraphile',
      `query Rollup($issuer: String!) { groups: allClaimTotals(condition: { issuer: $issuer }) { ${GROUPS} } }`,
      issuer,
      peersGroups,
    ),
    sql: sql('rollup', (sample) => [sample.issuer], sqlGroups),
  },
}

/** Totals of a wallet's claims, which are summed from the rows. */
export const rows: Workload = {
  id: 'rows',
  title: 'aggregate by state, one wallet (rows)',
  reads: {
    ours: graphql(
      'ours',
      `query Rows($wallet: Address!) {
        claimAggregates(filter: { beneficiary: $wallet }, groupBy: [state]) { nodes { tokenInfo { address } state faceValue { sum } } }
      }`,
      wallet,
      ourGroups,
    ),
    postgraphile: graphql(
      'postgraphile',
      `query Rows($wallet: String!) { groups: allClaims(condition: { beneficiary: $wallet }) { ${GROUPS} } }`,
      wallet,
      peersGroups,
    ),
    sql: sql('rows', (sample) => [sample.wallet], sqlGroups),
  },
}
