/** GraphiQL as one page that this server sends whole: no script, font or icon of others. */
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { Plugin, YogaServerOptions } from 'graphql-yoga'

const FIRST_QUERY = `# Claims that can still be financed, the next due first: who owns them, who has financed what so far.
# Amounts are base units of the token, as decimal strings. The whole answer is of one finalized block.
query FinanceableClaims {
  claims(
    first: 10
    filter: { state_in: [ELIGIBLE, PARTIALLY_FUNDED] }
    orderBy: dueDate
    orderDirection: asc
  ) {
    nodes {
      claimId
      state
      faceValue
      remainingFace
      dueDate
      matured
      token
      beneficiary { address }
      issuer { address active }
      allocations { faceAmount effectiveDiscountBps vault { name } }
    }
    pageInfo { hasNextPage endCursor }
  }
  _meta { finalizedThrough { blockNumber timestamp } }
}
`

export const playground = {
  graphiql: { title: 'Claim financing: GraphQL', defaultQuery: FIRST_QUERY, credentials: 'same-origin' },
  renderGraphiQL,
} as const satisfies Pick<YogaServerOptions<object, object>, 'graphiql' | 'renderGraphiQL'>

/** GraphiQL is inline in its page and starts its workers from blobs; the browser is to ask nobody but us. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  'worker-src blob: data:',
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function usePlaygroundPolicy(): Plugin {
  return {
    onResponse({ response }) {
      if (!response.headers.get('content-type')?.startsWith('text/html')) return
      response.headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    },
  }
}
