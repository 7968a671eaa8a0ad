import { graphql, type ResultOf } from 'claim-financing-client'
import { CLAIM_ROW } from '../claims/documents.ts'

export const ISSUERS = graphql(`
  query IssuersPage {
    _meta { finalizedThrough { blockNumber timestamp } }
    tokens(first: 50) { nodes { address symbol name decimals } }
    paymentRecords(first: 200, orderBy: averageDaysLate, orderDirection: desc) {
      nodes {
        id
        issuer { address label active claimCount }
        tokenInfo { address symbol name decimals }
        averageDaysLate
        settled
        onTime
        outstanding
        overdue
        impaired
        recovered
        late { upTo1 upTo7 upTo30 upTo90 more }
      }
      pageInfo { hasNextPage }
    }
  }
`)

export const ISSUER = graphql(
  `
  query IssuerPage($issuer: Address!) {
    _meta { finalizedThrough { blockNumber timestamp } }
    issuer(address: $issuer) {
      address
      label
      active
      addedAt
      claimCount
      claims(first: 15) { nodes { ...ClaimOfList } }
    }
    paymentRecords(first: 20, filter: { issuer: $issuer }) {
      nodes {
        id
        tokenInfo { address symbol name decimals }
        averageDaysLate
        settled
        onTime
        outstanding
        overdue
        impaired
        recovered
        late { upTo1 upTo7 upTo30 upTo90 more }
        cohorts(months: 12) { month face paid }
      }
    }
  }
`,
  [CLAIM_ROW],
)

export const ISSUER_MATURITIES = graphql(`
  query IssuerMaturities($issuer: Address!, $token: Address!) {
    issuer(address: $issuer) {
      maturities(token: $token, period: month, periods: 12) {
        kind
        start
        outstandingFace
        outstandingAdvance
        allocations
      }
    }
  }
`)

export type RecordListed = ResultOf<typeof ISSUERS>['paymentRecords']['nodes'][number]
export type RecordShown = ResultOf<typeof ISSUER>['paymentRecords']['nodes'][number]
