/** Pages of vaults, and the history of one. */
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  type Address,
  type DateTime,
  type Gateway,
  graphql,
  type Input,
  type ReadOptions,
  type ResultOf,
} from 'claim-financing-client'
import { readKey } from './keys.ts'
import { retrying } from './retry.ts'

const VAULTS = graphql(`
  query Vaults(
    $first: Int
    $after: String
    $filter: VaultFilter
    $orderBy: VaultOrderBy! = registeredAt
    $orderDirection: OrderDirection! = asc
  ) {
    vaults(first: $first, after: $after, filter: $filter, orderBy: $orderBy, orderDirection: $orderDirection) {
      nodes {
        address
        name
        symbol
        tokenInfo { address symbol name decimals }
        shareDecimals
        active
        curator { address }
        capital {
          totalAssets entryAssets fundableLiquidity outstandingFace overdueFace writtenDown
          sharePrice entryPrice yieldToDateBps
        }
        mandate { minFace maxFace maxClaimFace maxIssuerFace minDurationDays maxDurationDays supportedTypes }
        pricing { baseDiscountBps durationBpsPerDay }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`)

type Page = ResultOf<typeof VAULTS>['vaults']
export type VaultRow = Page['nodes'][number]

export type VaultsInput = Pick<ReadOptions, 'headers'> & {
  filter?: Input<'VaultFilter'>
  orderBy?: Input<'VaultOrderBy'>
  orderDirection?: Input<'OrderDirection'>
  /** Rows of a page, 1 to 200. Default: 50. */
  first?: number
}

/** The query of `useVaults`. */
export function vaultsQuery(gateway: Gateway, { headers, ...input }: VaultsInput = {}) {
  return infiniteQueryOptions({
    ...retrying,
    queryKey: readKey(gateway, 'vaults', { input, headers }),
    initialPageParam: null,
    queryFn: async ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) => {
      const variables = { ...input, after: pageParam }
      return (await gateway.ask(VAULTS, variables, { signal, headers })).vaults
    },
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    select: ({ pages }: InfiniteData<Page, string | null>) => pages.flatMap(({ nodes }) => nodes),
  })
}

const VAULT_SERIES = graphql(`
  query VaultSeries($vault: Address!, $period: Period! = day, $from: DateTime, $to: DateTime) {
    vault(address: $vault) {
      series(period: $period, from: $from, to: $to) {
        start
        tokenInfo { address symbol name decimals }
        totalAssets
        sharePrice
        yieldToDateBps
        advanced
        discountEarned
        deposited
        withdrawn
        faceRepaid
        idleAssets
        outstandingFace
        outstandingAdvance
        overdueFace
        utilizationBps
        effectiveDiscountBps
      }
    }
  }
`)

/** Figures of a vault in one day, week or month. */
export type VaultPeriod = NonNullable<ResultOf<typeof VAULT_SERIES>['vault']>['series'][number]

/** `to` is exclusive. Default: the last 30 days. */
export type VaultSeriesInput = { period?: Input<'Period'>; from?: DateTime; to?: DateTime }

/** The query of `useVaultSeries`. */
export function vaultSeriesQuery(gateway: Gateway, vault: Address, input: VaultSeriesInput = {}) {
  return queryOptions({
    ...retrying,
    queryKey: readKey(gateway, 'vaultSeries', { vault, ...input }),
    queryFn: async ({ signal }) => {
      const answer = await gateway.ask(VAULT_SERIES, { vault, ...input }, { signal })
      return answer.vault?.series ?? null
    },
  })
}
