/** Events in a table, newest first. */
import type { Address, Hash } from 'claim-financing-client'
import { Table } from './table.tsx'
import { ClaimLink, Money, Short, VaultLink, WalletLink, When, words } from './values.tsx'

export type ActivityRow = {
  id: string
  kind: string
  at: string
  amount: string
  transactionHash: Hash
  tokenInfo: { symbol: string; decimals: number }
  wallet: { address: Address }
  vault: { address: Address; name: string } | null
  claim: { claimId: Hash } | null
}

export function ActivityTable({ rows }: { rows: readonly ActivityRow[] }) {
  return (
    <Table
      caption="Events"
      rows={rows}
      keyOf={({ id }) => id}
      empty="Nothing has happened yet."
      columns={[
        { name: 'Event', cell: ({ kind }) => words(kind) },
        { name: 'Time', cell: ({ at }) => <When at={at} /> },
        {
          name: 'Amount',
          isNumber: true,
          cell: ({ amount, tokenInfo }) => <Money amount={amount} token={tokenInfo} />,
        },
        { name: 'Wallet', cell: ({ wallet }) => <WalletLink address={wallet.address} /> },
        { name: 'Claim', cell: ({ claim }) => (claim ? <ClaimLink claimId={claim.claimId} /> : '–') },
        { name: 'Vault', cell: ({ vault }) => (vault ? <VaultLink {...vault} /> : '–') },
        { name: 'Transaction', cell: ({ transactionHash }) => <Short hex={transactionHash} /> },
      ]}
    />
  )
}
