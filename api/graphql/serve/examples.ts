import { TOKEN_PLACEHOLDER } from './demo-wallets.ts'
import { type Example, marketExamples } from './market-examples.ts'

export type { Example }

/** The example queries of the playground, each with a comment. */
export const examples = {
  FinanceableClaims: {
    query: `# Claims that can still be financed, the next due
# first: open, not due, with a slice left and an
# active issuer. Amounts are base units of the
# token, as decimal strings: 10^decimals of them
# are one unit. The whole answer is of one
# finalized block.
query FinanceableClaims {
  claims(
    first: 10
    filter: { financeable: true }
    orderBy: dueDate
    orderDirection: asc
  ) {
    nodes {
      claimId
      state
      faceValue
      remainingFace
      dueDate
      daysToDue
      slicesRemaining
      tokenInfo { symbol decimals }
      beneficiary { address }
      issuer { address }
      allocations { faceAmount effectiveDiscountBps vault { name } }
    }
    pageInfo { hasNextPage endCursor }
  }
  _meta { finalizedThrough { blockNumber timestamp } }
}
`,
  },
  Portfolio: {
    query: `# What a wallet owns and did: its claims, its
# vault shares, its last executions. Put your own
# wallet in the variables.
query Portfolio($wallet: Address!) {
  account(address: $wallet) {
    claims(first: 20) {
      totalCount
      nodes {
        claimId
        state
        faceValue
        remainingFace
        dueDate
        daysToDue
        tokenInfo { symbol decimals }
      }
    }
    positions { nodes { shares vault { name shareDecimals tokenInfo { symbol decimals } } } }
    executions(first: 5) {
      nodes {
        executionId
        executedAt
        totalFace
        totalAdvance
        tokenInfo { symbol decimals }
        effectiveDiscountBps
        legs { vault { name } faceAmount }
      }
    }
  }
}
`,
    // The first demo wallet of the devnet.
    variables: { wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
  },
  ThenAndNow: {
    query: `# What a wallet owned after an earlier block,
# beside what it owns now. In place of a block,
# asOf takes a time, which stands for the last
# block until then:
# { time: "2026-11-30T23:59:59Z" }
query ThenAndNow($wallet: Address!, $block: SafeInt!) {
  _meta(asOf: { block: $block }) { finalizedThrough { blockNumber timestamp } }
  earlier: account(address: $wallet, asOf: { block: $block }) { ...Claims }
  now: account(address: $wallet) { ...Claims }
}

fragment Claims on Account {
  claims(first: 10) {
    totalCount
    nodes {
      claimId
      state
      faceValue
      financedFaceValue
      paidFaceValue
      tokenInfo { symbol decimals }
    }
  }
}
`,
    variables: { wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', block: 100 },
  },
  CheapestVaults: {
    query: `# The cheapest vaults for claims of one type, by
# the whole discount (base, premium of the type,
# duration) of a claim that is due in 30 days.
# totalBps takes any number of days. orderBy has
# the discount of claims due now and in 90 days,
# too.
query CheapestVaults($claimType: Int!) {
  vaultTerms(
    claimType: $claimType
    first: 10
    filter: { active: true, maxDurationDays_gte: 30 }
    orderBy: totalBpsMonth
    orderDirection: asc
  ) {
    nodes {
      totalBpsMonth
      dueInTwoMonths: totalBps(daysToDue: 60)
      minDurationDays
      maxDurationDays
      minFace
      maxFace
      maxClaimFace
      maxIssuerFace
      tokenInfo { symbol decimals }
      vault { address name capital { fundableLiquidity } }
    }
  }
}
`,
    variables: { claimType: 1 },
  },
  ActiveVaults: {
    query: `# Active vaults that can fund something now: what
# they finance (mandate), at what discount
# (pricing), with what (capital). The discount is
# base + perDay * whole days to the due date +
# the premium of the claim type.
query ActiveVaults {
  vaults(first: 50, filter: { active: true, fundableLiquidity_gt: "0" }) {
    nodes {
      address
      name
      tokenInfo { symbol decimals }
      mandate {
        supportedTypes minDurationDays maxDurationDays
        minFace maxFace maxClaimFace maxIssuerFace
      }
      pricing { baseDiscountBps durationBpsPerDay premiumBps }
      capital { fundableLiquidity totalAssets utilizationBps discountEarned }
    }
  }
}
`,
  },
  ...marketExamples,
  NotFinalYet: {
    query: `# Events of the last blocks, which are mined and
# not final, beside the newest claims that are
# final. A reorganization can remove an event;
# otherwise reads show its effect once its block
# is final. It is null while the gateway has no
# recent view of the latest block.
query NotFinalYet {
  _meta {
    finalizedThrough { blockNumber timestamp }
    latestBlock { number timestamp }
    finalitySeconds
  }
  unfinalized(first: 10) {
    truncated
    events {
      name
      claimId
      vault
      wallets
      arguments { name type value }
      confirmations
      expectedFinalAt
      transactionHash
    }
  }
  claims(first: 5) { nodes { claimId state faceValue tokenInfo { symbol decimals } } }
}
`,
  },
  Live: {
    query: `# An event each time the finalized block
# advances. Run it, and stop it with the same
# button. The fields claim, account and execution
# send an event when a selected value changes.
subscription Live {
  finalizedBlock { blockNumber timestamp }
}
`,
  },
  SignedIn: {
    query: `# Claims and balances of the signed-in wallet.
# 1. GET /api/v1/auth/nonce gives a nonce. Put it
#    in a message of Sign-In with Ethereum
#    (EIP-4361).
# 2. Have the wallet sign the message
#    (personal_sign).
# 3. POST /api/v1/auth/verify { message,
#    signature } gives a token for an hour.
# 4. Replace TOKEN in the Headers tab below with
#    it. The page does not store the token.
# On a development system, a button above does
# all of this.
# Without a good token, data is null and the
# error states the reason. No other example needs
# a token.
query SignedIn {
  viewer {
    address
    balances { symbol decimals balance }
    claims(first: 10) {
      totalCount
      nodes { claimId state remainingFace dueDate tokenInfo { symbol decimals } }
    }
    settlementsReceived(first: 5) {
      nodes { faceAmount beneficiaryAmount settledAt tokenInfo { symbol decimals } }
    }
  }
}
`,
    headers: { Authorization: TOKEN_PLACEHOLDER },
  },
} as const satisfies Record<string, Example>
