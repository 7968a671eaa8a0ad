/** Pages of claims. */
import { type InfiniteData, infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { type Gateway, graphql, type Input, type ReadOptions, type ResultOf } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { useGateway } from './provider.ts'
import { retrying } from './retry.ts'

const CLAIMS = graphql(`
  query Claims(
    $first: Int
    $after: String
    $filter: ClaimFilter
    $orderBy: ClaimOrderBy! = registeredAt
    $orderDirection: OrderDirection! = desc
  ) {
    claims(first: $first, after: $after, filter: $filter, orderBy: $orderBy, orderDirection: $orderDirection) {
      nodes {
        claimId
        state
        claimType
        claimTypeLabel
        tokenInfo { address symbol name decimals }
        faceValue
        financedFaceValue
        remainingFace
        dueDate
        daysToDue
        matured
        slicesRemaining
        beneficiary { address }
        issuer { address label }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`)

type Page = ResultOf<typeof CLAIMS>['claims']
export type ClaimRow = Page['nodes'][number]

export type ClaimsInput = Pick<ReadOptions, 'headers'> & {
  filter?: Input<'ClaimFilter'>
  orderBy?: Input<'ClaimOrderBy'>
  orderDirection?: Input<'OrderDirection'>
  /** Rows of a page, 1 to 200. Default: 50. */
  first?: number
}

/**
 * Claims, newest first by default, a page at a time: `data` has the rows of all pages read so far, `fetchNextPage`
 * reads the next.
 */
export function useClaims(input: ClaimsInput = {}) {
  return useInfiniteQuery(claimsQuery(useGateway(), input))
}

/** The query of `useClaims`, to prefetch it. */
export function claimsQuery(gateway: Gateway, { headers, ...input }: ClaimsInput) {
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
