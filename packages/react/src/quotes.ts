/** Quotes of vaults for a claim. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { components, Gateway } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { useGateway } from './provider.ts'
import { retrying } from './retry.ts'

export type QuotesInput = components['schemas']['QuotePreviewRequest']

/** Quotes of each vault for a claim, lowest discount first, and the reasons of vaults that have none. */
export function useQuotes(input: QuotesInput, { enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({ ...quotesQuery(useGateway(), input), enabled })
}

/** The query of `useQuotes`, to prefetch it. */
export function quotesQuery(gateway: Gateway, input: QuotesInput) {
  return queryOptions({
    ...retrying,
    queryKey: readKey(gateway, 'quotes', input),
    queryFn: ({ signal }) => gateway.post('/api/v1/quotes/preview', { body: input, signal }),
  })
}
