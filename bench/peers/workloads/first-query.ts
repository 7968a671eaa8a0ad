import { z } from 'zod'
import type { Row, Workload } from '../read.ts'
import { graphql } from './graphql.ts'

const QUERY = `{
  claims(first: 1, filter: { financeable: true }, orderBy: dueDate, orderDirection: asc) {
    nodes { claimId state remainingFace tokenInfo { symbol decimals } dueDate }
  }
  _meta { finalizedThrough { blockNumber timestamp } }
}`

const answer = z
  .object({ claims: z.object({ nodes: z.array(z.record(z.string(), z.unknown())) }) })
  .transform(({ claims }): Row[] => claims.nodes)

/** The first query of README.md: a list, and the block of the answer. */
export const firstQuery: Workload = {
  id: 'first-query',
  title: 'first query of README.md',
  reads: { ours: graphql('ours', QUERY, () => ({}), answer) },
}
