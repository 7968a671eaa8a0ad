import { Table } from '../parts/table.tsx'
import { ClaimLink, Day, IssuerLink, Money, Name, State, WalletLink } from '../parts/values.tsx'
import type { ClaimListed } from './documents.ts'

const FINANCEABLE = new Set(['ELIGIBLE', 'PARTIALLY_FUNDED'])

export function ClaimTable({
  claims,
  caption = 'Claims',
}: {
  claims: readonly ClaimListed[]
  caption?: string
}) {
  return (
    <Table
      caption={caption}
      rows={claims}
      keyOf={({ claimId }) => claimId}
      empty="No claim fits."
      columns={[
        { name: 'Claim', cell: (claim) => <ClaimLink {...claim} /> },
        { name: 'State', cell: (claim) => <State state={claim.state} /> },
        { name: 'Type', cell: (claim) => <Name text={claim.claimTypeLabel ?? `${claim.claimType}`} /> },
        {
          name: 'Face',
          isNumber: true,
          cell: (claim) => <Money amount={claim.faceValue} token={claim.tokenInfo} />,
        },
        {
          name: 'Left to finance',
          isNumber: true,
          cell: (claim) =>
            FINANCEABLE.has(claim.state) && !claim.matured ? (
              <Money amount={claim.remainingFace} token={claim.tokenInfo} />
            ) : (
              '–'
            ),
        },
        { name: 'Due', cell: (claim) => <Day at={claim.dueDate} /> },
        { name: 'Issuer', cell: ({ issuer }) => <IssuerLink {...issuer} /> },
        { name: 'Beneficiary', cell: ({ beneficiary }) => <WalletLink address={beneficiary.address} /> },
      ]}
    />
  )
}
