/** The clients that frontends use, unmodified, page through a filtered list over HTTP. */
import { ApolloClient, gql as apolloGql, HttpLink, InMemoryCache } from '@apollo/client/core'
import { createClient as createUrql, fetchExchange } from '@urql/core'
import { GraphQLClient } from 'graphql-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { serveHttp } from '../support/serve.ts'
import { sharedPlan, sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const QUERY = `query Open($after: String, $states: [ClaimState!]) {
  claims(first: 7, after: $after, filter: { state_in: $states }, orderBy: dueDate, orderDirection: asc) {
    edges { node { id claimId state remainingFace } }
    pageInfo { hasNextPage endCursor }
  }
}`
type Claims = {
  edges: { node: { id: string; claimId: string; state: string; remainingFace: string } }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}
type Variables = { after: string | null; states: string[] }

const states = ['ELIGIBLE', 'PARTIALLY_FUNDED']

const gateway = createClient(sharedWorld().databaseUrl)
let url: string
let server: Awaited<ReturnType<typeof serveHttp>>

beforeAll(async () => {
  server = await serveHttp(gateway.app.fetch)
  url = server.url + GRAPHQL_PATH
})
afterAll(async () => {
  await server.close()
  await gateway.stop()
})

/** All claim ids that a client gets by following the cursors. */
async function walk(ask: (variables: Variables) => Promise<Claims | undefined>): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null = null; ; ) {
    const page: Claims | undefined = await ask({ after, states })
    if (!page) throw new Error('no answer')
    ids.push(...page.edges.map(({ node }) => node.claimId))
    if (!page.pageInfo.hasNextPage) return ids
    after = page.pageInfo.endCursor
  }
}

function expectAllOpen(ids: string[]): void {
  const open = sharedPlan().outcomes.flatMap(({ state }, i) =>
    states.includes(state) ? [sharedWorld().claimIds[i]] : [],
  )
  expect(open.length).toBeGreaterThan(7)
  expect(ids.toSorted()).toEqual(open.toSorted())
}

describe('a paginated, filtered query', () => {
  it('runs in @apollo/client', async () => {
    const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() })
    const query = apolloGql(QUERY)
    expectAllOpen(
      await walk(
        async (variables) => (await client.query<{ claims: Claims }>({ query, variables })).data?.claims,
      ),
    )
    client.stop()
  })

  it('runs in urql', async () => {
    const client = createUrql({ url, exchanges: [fetchExchange], preferGetMethod: false })
    expectAllOpen(
      await walk(
        async (variables) => (await client.query<{ claims: Claims }>(QUERY, variables)).data?.claims,
      ),
    )
  })

  it('runs in graphql-request', async () => {
    const client = new GraphQLClient(url)
    expectAllOpen(
      await walk(async (variables) => (await client.request<{ claims: Claims }>(QUERY, variables)).claims),
    )
  })
})
