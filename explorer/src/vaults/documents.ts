import { graphql, type ResultOf } from 'claim-financing-client'

const TERMS = graphql(`
  fragment VaultTermsOfPage on Vault @_unmask {
    mandate { minFace maxFace maxClaimFace maxIssuerFace minDurationDays maxDurationDays supportedTypes }
    pricing { baseDiscountBps durationBpsPerDay premiumBps }
  }
`)

export const VAULTS = graphql(
  `
  query VaultsPage {
    _meta { finalizedThrough { blockNumber timestamp } }
    tokens(first: 50) { nodes { address symbol name decimals } }
    vaults(first: 100, orderBy: fundableLiquidity, orderDirection: desc) {
      nodes {
        address
        name
        active
        tokenInfo { address symbol name decimals }
        capital {
          totalAssets
          sharePrice
          fundableLiquidity
          outstandingFace
          overdueFace
          utilizationBps
          yieldToDateBps
        }
        ...VaultTermsOfPage
      }
      pageInfo { hasNextPage }
    }
    claimAggregates(first: 50, groupBy: [claimType]) { nodes { claimType claimTypeLabel } }
  }
`,
  [TERMS],
)

export const VAULT = graphql(
  `
  query VaultPage($vault: Address!, $from: DateTime) {
    _meta { finalizedThrough { blockNumber timestamp } }
    vault(address: $vault) {
      address
      name
      symbol
      shareDecimals
      active
      noticePeriod
      registeredAt
      curator { address }
      tokenInfo { address symbol name decimals }
      capital {
        totalAssets
        totalShares
        entryAssets
        sharePrice
        entryPrice
        fundableLiquidity
        outstandingFace
        outstandingAdvance
        overdueFace
        writtenDown
        discountEarned
        utilizationBps
        yieldToDateBps
      }
      returns { last7DaysBps last30DaysBps last90DaysBps toDateBps }
      ...VaultTermsOfPage
      pendingTerms {
        effectiveAt
        mandate { minFace maxFace maxClaimFace maxIssuerFace minDurationDays maxDurationDays supportedTypes }
        pricing { baseDiscountBps durationBpsPerDay premiumBps }
      }
      series(period: day, from: $from) {
        start
        sharePrice
        utilizationBps
        outstandingFace
      }
      maturities(period: month, periods: 12) {
        kind
        start
        outstandingFace
        outstandingAdvance
        allocations
      }
      concentration {
        herfindahlBps
        weightedDaysToDue
        weightedDiscountBps
        byIssuer(first: 10) { shareBps outstandingFace issuer { address label } }
      }
      allocations(first: 15) {
        nodes {
          id
          fundedAt
          dueDate
          faceAmount
          advanceAmount
          effectiveDiscountBps
          settled
          claim { claimId }
        }
      }
      positions(first: 15) { nodes { id owner { address } shares assets since } }
    }
    claimAggregates(first: 50, groupBy: [claimType]) { nodes { claimType claimTypeLabel } }
  }
`,
  [TERMS],
)

/** How the issuers pay whose claims a vault holds, and what they owe to all vaults. */
export const RECORDS = graphql(`
  query RecordsOfIssuers($token: Address!, $issuers: [Address!]!) {
    paymentRecords(first: 50, filter: { token: $token, issuer_in: $issuers }) {
      nodes { issuer { address exposure(token: $token) { overdueFace } } averageDaysLate }
    }
  }
`)

export type VaultsData = ResultOf<typeof VAULTS>
export type VaultListed = VaultsData['vaults']['nodes'][number]
export type VaultShown = NonNullable<ResultOf<typeof VAULT>['vault']>
export type ClaimTypes = VaultsData['claimAggregates']['nodes']
