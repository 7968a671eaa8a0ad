/** Examples about the market as a whole, and about what is due. */

/** A query of the playground, with a comment. */
export type Example = {
  query: string
  variables?: Readonly<Record<string, string | number>>
  /** Initial content of the headers editor of the tab. */
  headers?: Readonly<Record<string, string>>
}

export const marketExamples = {
  DailyVolume: {
    query: `# The market per token and day, latest first:
# what was registered, financed and settled.
query DailyVolume {
  tokenDays(first: 31, orderDirection: desc) {
    nodes {
      day
      tokenInfo { symbol decimals }
      faceRegistered
      faceFinanced
      advanced
      executions
      faceSettled
      settlements
    }
  }
}
`,
  },
  MonthlyRates: {
    query: `# What vaults financed per month and token, and
# at what average rate (weighted by face), the
# latest month of a token last. Sums are exact.
# The token is part of every group: amounts of
# different tokens have no sum.
query MonthlyRates {
  allocationAggregates(groupBy: [fundedMonth]) {
    nodes {
      tokenInfo { symbol decimals }
      fundedMonth
      count
      faceAmount { sum average }
      advanceAmount { sum }
      discountAmount
      effectiveDiscountBps
    }
    pageInfo { hasNextPage endCursor }
  }
}
`,
  },
  LargestIssuers: {
    query: `# Whose claims are open, the largest face first:
# how many by state, and how much of them is
# financed.
query LargestIssuers {
  claimAggregates(
    first: 20
    filter: { state_in: [ELIGIBLE, PARTIALLY_FUNDED, FULLY_FUNDED, CLOSED] }
    groupBy: [issuer, state]
    orderBy: faceValue
    orderDirection: desc
  ) {
    nodes {
      issuer { address active }
      state
      tokenInfo { symbol decimals }
      count
      faceValue { sum }
      financedFaceValue { sum }
      remainingFace
    }
    pageInfo { hasNextPage endCursor }
  }
}
`,
  },
  OverdueClaims: {
    query: `# Claims that are overdue: financed, past due,
# and not settled, the longest
# overdue first.
query OverdueClaims {
  claims(
    first: 20
    filter: {
      state_in: [PARTIALLY_FUNDED, FULLY_FUNDED, CLOSED]
      matured: true
    }
    orderBy: dueDate
    orderDirection: asc
  ) {
    nodes {
      claimId
      overdueSince
      tokenInfo { symbol decimals }
      faceValue
      financedFaceValue
      allocations { vault { name } faceAmount }
    }
  }
}
`,
  },
  PaymentRecords: {
    query: `# How issuers pay, the longest average delay
# first: face by the days from the due date to
# the payment, and face that is not paid.
query PaymentRecords {
  paymentRecords(first: 5, orderDirection: desc) {
    nodes {
      issuer { address label }
      tokenInfo { symbol decimals }
      settled
      onTime
      late { upTo1 upTo7 upTo30 upTo90 more }
      averageDaysLate
      recovered
      outstanding
      overdue
    }
  }
}
`,
  },
  Maturities: {
    query: `# What each vault is owed, by the time at which
# it is due: overdue first, then face that is
# paid and held by the router, then the next six
# months, then all that is due later. The rows of
# a vault add up to its outstanding face.
query Maturities {
  vaults(first: 10, filter: { outstandingFace_gt: "0" }) {
    nodes {
      name
      tokenInfo { symbol decimals }
      capital { outstandingFace }
      maturities(period: month, periods: 6) {
        kind
        start
        outstandingFace
        outstandingAdvance
        outstandingDiscount
        allocations
      }
    }
  }
}
`,
  },
  Concentration: {
    query: `# How the outstanding face of each vault is
# spread: the largest issuers and their shares,
# the Herfindahl index (10000 basis points for
# one issuer), and the averages by face.
query Concentration {
  vaults(first: 10, filter: { outstandingFace_gt: "0" }) {
    nodes {
      name
      tokenInfo { symbol decimals }
      capital { outstandingFace }
      concentration {
        byIssuer(first: 5) {
          issuer { address label }
          outstandingFace
          shareBps
        }
        herfindahlBps
        weightedDaysToDue
        weightedDiscountBps
      }
    }
  }
}
`,
  },
} as const satisfies Record<string, Example>
