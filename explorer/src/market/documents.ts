import { graphql, type ResultOf } from 'claim-financing-client'

/** All that the first paint of the market needs, for every token. */
export const MARKET = graphql(`
  query Market {
    _meta { finalizedThrough { blockNumber timestamp } }
    tokens(first: 50, filter: { listed: true }) { nodes { address symbol name decimals } }
    vaultAggregates(first: 50) {
      nodes {
        tokenInfo { address }
        count
        assetsAtCost
        fundableLiquidity { sum }
        outstandingFace { sum }
        outstandingAdvance { sum }
        discountEarned { sum }
        utilizationBps
      }
    }
    activity(first: 12) {
      nodes {
        id
        kind
        at
        amount
        transactionHash
        tokenInfo { symbol decimals }
        wallet { address }
        vault { address name }
        claim { claimId }
      }
    }
  }
`)

/** The charts of one token. */
export const MARKET_OF_TOKEN = graphql(`
  query MarketOfToken($token: Address!, $from: DateTime) {
    marketSeries(token: $token, period: day, from: $from) {
      start
      advanced
      outstandingFace
      overdueFace
    }
    marketMaturities(token: $token, period: month, periods: 12) {
      kind
      start
      outstandingFace
      outstandingAdvance
      allocations
    }
    allocationAggregates(first: 50, groupBy: [claimType], filter: { token: $token }) {
      nodes { claimType claimTypeLabel count effectiveDiscountBps faceAmount { sum } advanceAmount { sum } }
    }
  }
`)

export type MarketData = ResultOf<typeof MARKET>
export type MarketOfToken = ResultOf<typeof MARKET_OF_TOKEN>
