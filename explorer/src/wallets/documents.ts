import { graphql, type ResultOf } from 'claim-financing-client'
import { CLAIM_ROW } from '../claims/documents.ts'

export const WALLET = graphql(
  `
  query WalletPage($wallet: Address!) {
    _meta { finalizedThrough { blockNumber timestamp } }
    account(address: $wallet) {
      address
      issuer { address label active }
      balances { token symbol name decimals balance }
      credits { amount tokenInfo { address symbol decimals } }
      positions(first: 50) {
        nodes {
          id
          assets
          withdrawableNow
          costBasis
          unrealizedGain
          realizedGain
          returnBps
          since
          vault { address name tokenInfo { symbol decimals } }
        }
      }
      curatedVaults(first: 20) { nodes { address name } }
      claims(first: 15) { nodes { ...ClaimOfList } }
      activity(first: 15) {
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
    unfinalized(wallet: $wallet, first: 20) {
      events { name transactionHash logIndex confirmations expectedFinalAt }
    }
  }
`,
  [CLAIM_ROW],
)

export type WalletShown = ResultOf<typeof WALLET>['account']
export type WalletPending = ResultOf<typeof WALLET>['unfinalized']
