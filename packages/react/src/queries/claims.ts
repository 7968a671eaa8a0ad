/** Claims: pages of them, and one as it changes. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { type Gateway, graphql, type Input, type ReadOptions, type ResultOf } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { retrying } from './retry.ts'

const CLAIM_ROW = graphql(`
  fragment ClaimRow on Claim @_unmask {
    claimId
    state
    claimType
    claimTypeLabel
    tokenInfo { address symbol name decimals }
    faceValue
    financedFaceValue
    paidFaceValue
    remainingFace
    dueDate
    daysToDue
    matured
    slicesRemaining
    beneficiary { address }
    issuer { address label }
  }
`)

export type ClaimRow = ResultOf<typeof CLAIM_ROW>

const CLAIMS = graphql(
  `
  query Claims(
    $first: Int
    $after: String
    $filter: ClaimFilter
    $orderBy: ClaimOrderBy! = registeredAt
    $orderDirection: OrderDirection! = desc
  ) {
    claims(first: $first, after: $after, filter: $filter, orderBy: $orderBy, orderDirection: $orderDirection) {
      nodes { ...ClaimRow }
      pageInfo { hasNextPage endCursor }
    }
  }
`,
  [CLAIM_ROW],
)

export const LIVE_CLAIM = graphql(
  'subscription LiveClaim($claimId: Hash!) { claim(claimId: $claimId) { ...ClaimRow } }',
  [CLAIM_ROW],
)

type Page = ResultOf<typeof CLAIMS>['claims']

export type ClaimsInput = Pick<ReadOptions, 'headers'> & {
  filter?: Input<'ClaimFilter'>
  orderBy?: Input<'ClaimOrderBy'>
  orderDirection?: Input<'OrderDirection'>
  /** Rows of a page, 1 to 200. Default: 50. */
  first?: number
}

/** The query of `useClaims`. */
export function claimsQuery(gateway: Gateway, { headers, ...input }: ClaimsInput = {}) {
  return infiniteQueryOptions({
    ...retrying,
    queryKey: readKey(gateway, 'claims', { input, headers }),
    initialPageParam: null,
    queryFn: async ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) => {
      const variables = { ...input, after: pageParam }
      return (await gateway.ask(CLAIMS, variables, { signal, headers })).claims
    },
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    select: ({ pages }: InfiniteData<Page, string | null>) => pages.flatMap(({ nodes }) => nodes),
  })
}
