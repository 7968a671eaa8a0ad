'use client'
/** Reads of the gateway. Each hook takes options of TanStack Query, and returns what its `useQuery` returns. */
import {
  type keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import {
  type Address,
  formatAmount,
  type Gateway,
  type Hash,
  type Transaction,
  type TypedDocument,
} from 'claim-financing-client'
import { useGateway } from './provider.ts'
import { type AccountFigures, accountQuery } from './queries/account.ts'
import { type ClaimRow, type ClaimsInput, claimsQuery } from './queries/claims.ts'
import { documentQuery } from './queries/document.ts'
import { type Quotes, type QuotesInput, quotesQuery } from './queries/quotes.ts'
import { type TokenRow, tokensQuery } from './queries/tokens.ts'
import { transactionQuery } from './queries/transaction.ts'
import { type PendingEvents, type PendingInput, unfinalizedQuery } from './queries/unfinalized.ts'
import {
  type VaultPeriod,
  type VaultRow,
  type VaultSeriesInput,
  type VaultsInput,
  vaultSeriesQuery,
  vaultsQuery,
} from './queries/vaults.ts'
import { useSession } from './session.ts'

/** Options of TanStack Query that every read takes. */
export type QueryOptions = {
  /** Nothing is read while it is false. */
  enabled?: boolean
  /** Milliseconds for which an answer is not read again. */
  staleTime?: number
  /** Milliseconds between two reads. */
  refetchInterval?: number | false
  /** `keepPreviousData` of TanStack Query: the former answer, until there is one for the new input. */
  placeholderData?: typeof keepPreviousData
}

/**
 * The answer to a document of `graphql(…)`, for what no other hook reads: `useRead(Due, { first: 10 })`. While the
 * answer for new variables is read, there is no `data`, unless `placeholderData` is `keepPreviousData`: amounts would
 * stand beside the unit of another token.
 */
export function useRead<Result, Variables extends object>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  options?: QueryOptions,
): UseQueryResult<Result> {
  const gateway = useGateway()
  return useQuery({
    ...documentQuery(gateway, document, variables),
    ...options,
  })
}

/**
 * Claims, newest first by default, a page at a time: `data` has the rows of all pages read so far, `fetchNextPage`
 * reads the next. While the answer for a new filter is read, `data` has the former rows, and `isPlaceholderData` is
 * true.
 */
export function useClaims(input?: ClaimsInput, options?: QueryOptions): UseInfiniteQueryResult<ClaimRow[]> {
  const gateway = useGateway()
  return useInfiniteQuery({
    ...claimsQuery(gateway, input),
    placeholderData: formerOf(gateway),
    ...options,
  })
}

/** Vaults in the order of registration by default, a page at a time, as `useClaims`. */
export function useVaults(input?: VaultsInput, options?: QueryOptions): UseInfiniteQueryResult<VaultRow[]> {
  const gateway = useGateway()
  return useInfiniteQuery({
    ...vaultsQuery(gateway, input),
    placeholderData: formerOf(gateway),
    ...options,
  })
}

/** Figures of a vault by day, week or month, by default of the last 30 days; null if there is no such vault. */
export function useVaultSeries(
  vault: Address,
  input?: VaultSeriesInput,
  options?: QueryOptions,
): UseQueryResult<VaultPeriod[] | null> {
  return useQuery({ ...vaultSeriesQuery(useGateway(), vault, input), ...options })
}

/**
 * Balances, credits of the router and vault shares of an account. Default: the signed-in wallet; without one, nothing
 * is read.
 */
export function useAccount(address?: Address, options?: QueryOptions): UseQueryResult<AccountFigures> {
  const wallet = useSession()?.wallet
  return useQuery({ ...accountQuery(useGateway(), address ?? wallet), ...options })
}

const PENDING_INTERVAL_MS = 4_000

/**
 * Events that are mined and not final, newest first: rows to show as pending, beside the final ones and never in their
 * sums. Null while the gateway has no recent view of the latest block. They are read every four seconds, or at
 * `refetchInterval`: a subscription would take one of the few connections that a browser has to an origin.
 */
export function useUnfinalized(
  input?: PendingInput,
  options?: QueryOptions,
): UseQueryResult<PendingEvents | null> {
  const refetchInterval = PENDING_INTERVAL_MS
  return useQuery({ ...unfinalizedQuery(useGateway(), input), refetchInterval, ...options })
}

/** Quotes of each vault for a claim, lowest discount first, and the reasons of vaults that have none. */
export function useQuotes(input: QuotesInput, options?: QueryOptions): UseQueryResult<Quotes> {
  return useQuery({ ...quotesQuery(useGateway(), input), ...options })
}

/**
 * The tokens, and `show(amount, token)`: the amount in units of the token with its symbol, undefined until the tokens
 * are read.
 */
export function useTokens(
  locale?: string,
  options?: QueryOptions,
): UseQueryResult<TokenRow[]> & { show: (amount: bigint | string, token: Address) => string | undefined } {
  const query = useQuery({ ...tokensQuery(useGateway()), ...options })
  const show = (amount: bigint | string, token: Address): string | undefined => {
    const unit = query.data?.find(({ address }) => address === token.toLowerCase())
    return unit && formatAmount(amount, unit, { locale })
  }
  return { ...query, show }
}

/**
 * Follows a transaction until reads show it; `data` is its last status. Fails with `TRANSACTION_REVERTED`. Requires no
 * session.
 */
export function useTransaction(hash: Hash | undefined): UseQueryResult<Transaction> {
  return useQuery(transactionQuery(useGateway(), useQueryClient(), hash))
}

/** The rows of the former query, if it is one of this gateway. */
function formerOf({ origin }: Gateway) {
  return <Rows>(rows: Rows | undefined, former: { queryKey: readonly unknown[] } | undefined) =>
    former?.queryKey[1] === origin ? rows : undefined
}
