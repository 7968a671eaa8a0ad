import { graphql, type ResultOf } from 'claim-financing-client'

const STATEMENT = graphql(`
  fragment StatementShown on Statement @_unmask {
    from
    to
    isComplete
    balances {
      account
      opening
      increases
      decreases
      closing
      entryCount
      hash
      tokenInfo { symbol decimals }
      vault { address name shareDecimals }
    }
    totals {
      account
      kind
      entryCount
      amount
      tokenInfo { symbol decimals }
      vault { address shareDecimals }
    }
    entries(first: 200, skip: $skip) {
      account
      position
      kind
      at
      amount
      balanceAfter
      transactionHash
      tokenInfo { symbol decimals }
      vault { address name shareDecimals }
      claim { claimId }
      counterparty { address }
    }
  }
`)

/** The statement of each kind of subject, read in one request. */
export const documents = {
  wallet: graphql(
    `query WalletStatement($address: Address!, $from: DateTime!, $to: DateTime!, $skip: Int!) {
      _meta { finalizedThrough { blockNumber timestamp } }
      subject: account(address: $address) { statement(from: $from, to: $to) { ...StatementShown } }
    }`,
    [STATEMENT],
  ),
  vault: graphql(
    `query VaultStatement($address: Address!, $from: DateTime!, $to: DateTime!, $skip: Int!) {
      _meta { finalizedThrough { blockNumber timestamp } }
      subject: vault(address: $address) { statement(from: $from, to: $to) { ...StatementShown } }
    }`,
    [STATEMENT],
  ),
  issuer: graphql(
    `query IssuerStatement($address: Address!, $from: DateTime!, $to: DateTime!, $skip: Int!) {
      _meta { finalizedThrough { blockNumber timestamp } }
      subject: issuer(address: $address) { statement(from: $from, to: $to) { ...StatementShown } }
    }`,
    [STATEMENT],
  ),
}

export type Kind = keyof typeof documents
export type Statement = ResultOf<typeof STATEMENT>

type Answer = ResultOf<(typeof documents)[Kind]>

export function statementOf({ subject }: Answer): Statement | undefined {
  return subject?.statement
}
