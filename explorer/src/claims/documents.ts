import { graphql, type ResultOf } from 'claim-financing-client'

export const CLAIM_ROW = graphql(`
  fragment ClaimOfList on Claim @_unmask {
    claimId
    state
    claimType
    claimTypeLabel
    faceValue
    remainingFace
    paidFaceValue
    dueDate
    matured
    tokenInfo { address symbol name decimals }
    issuer { address label }
    beneficiary { address }
  }
`)

export const CLAIMS = graphql(
  `
  query ClaimsPage(
    $after: String
    $filter: ClaimFilter
    $orderBy: ClaimOrderBy! = registeredAt
    $orderDirection: OrderDirection! = desc
  ) {
    _meta { finalizedThrough { blockNumber timestamp } }
    tokens(first: 50) { nodes { address symbol name decimals } }
    claims(first: 50, after: $after, filter: $filter, orderBy: $orderBy, orderDirection: $orderDirection) {
      nodes { ...ClaimOfList }
      pageInfo { hasNextPage endCursor }
    }
  }
`,
  [CLAIM_ROW],
)

export const CLAIM = graphql(`
  query ClaimPage($claimId: Hash!) {
    _meta { finalizedThrough { blockNumber timestamp } }
    claim(claimId: $claimId) {
      claimId
      state
      claimType
      claimTypeLabel
      documentHash
      faceValue
      financedFaceValue
      paidFaceValue
      remainingFace
      registeredAt
      dueDate
      daysToDue
      matured
      overdueSince
      sliceCount
      slicesRemaining
      tokenInfo { address symbol name decimals }
      issuer { address label active }
      beneficiary { address }
      activity {
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
      allocations {
        id
        sliceIndex
        fundedAt
        repaidAt
        faceAmount
        advanceAmount
        discountAmount
        effectiveDiscountBps
        paidFace
        repaidFace
        settled
        vault { address name }
        execution { transactionHash }
      }
    }
    unfinalized(claimId: $claimId, first: 10) {
      events { name transactionHash logIndex expectedFinalAt }
    }
  }
`)

export type ClaimListed = ResultOf<typeof CLAIM_ROW>
export type ClaimShown = NonNullable<ResultOf<typeof CLAIM>['claim']>
export type Pending = ResultOf<typeof CLAIM>['unfinalized']
