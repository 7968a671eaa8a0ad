import { createPublicClient, fallback, http } from 'viem'

type ChainOptions = {
  /** Asked in this order; the next one is asked when one fails. */
  urls: readonly string[]
  /** Milliseconds one node may take for one request. */
  timeout: number
}

/** The chain as the gateway reads it. It never signs: there is no account here. */
export function createChain({ urls, timeout }: ChainOptions) {
  return createPublicClient({
    transport: fallback(
      urls.map((url) => http(url, { timeout, retryCount: 0 })),
      { retryCount: 1, retryDelay: 100 },
    ),
  })
}

export type Chain = ReturnType<typeof createChain>
