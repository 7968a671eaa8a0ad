/** Quotes of vaults for a claim. */
import { queryOptions } from '@tanstack/react-query'
import type { components, Gateway } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { retrying } from './retry.ts'

export type QuotesInput = components['schemas']['QuotePreviewRequest']

export type Quotes = components['schemas']['QuotePreview']

/** The query of `useQuotes`. */
export function quotesQuery(gateway: Gateway, input: QuotesInput) {
  return queryOptions({
    ...retrying,
    queryKey: readKey(gateway, 'quotes', input),
    queryFn: ({ signal }) => gateway.post('/api/v1/quotes/preview', { body: input, signal }),
  })
}
