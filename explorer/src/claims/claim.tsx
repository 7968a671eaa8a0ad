/** One claim: its life, its slices, and who is owed what of it. */
import type { Hash } from 'claim-financing-client'
import { useRead } from 'claim-financing-react'
import { Figures, Loaded, Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import {
  Day,
  days,
  IssuerLink,
  Money,
  Name,
  percent,
  Short,
  State,
  VaultLink,
  WalletLink,
} from '../parts/values.tsx'
import { linkTo } from '../place/place.ts'
import { CLAIM, type ClaimShown, type Pending } from './documents.ts'
import { SettleForm } from './settle-form.tsx'
import { Timeline } from './timeline.tsx'

export function Claim({ claimId }: { claimId: Hash }) {
  const read = useRead(CLAIM, { claimId })
  return (
    <Page title="Claim">
      <Loaded read={read}>
        {({ claim, unfinalized }) =>
          claim ? (
            <Shown claim={claim} pending={unfinalized} />
          ) : (
            <p>There is no claim with this id in a finalized block.</p>
          )
        }
      </Loaded>
    </Page>
  )
}

function Shown({ claim, pending }: { claim: ClaimShown; pending: Pending }) {
  const { tokenInfo: token } = claim
  const isOpen = claim.state === 'ELIGIBLE' || claim.state === 'PARTIALLY_FUNDED'
  const isFinanceable = isOpen && !claim.matured
  return (
    <>
      <p>
        <Short hex={claim.claimId} /> · <State state={claim.state} /> ·{' '}
        <Name text={claim.claimTypeLabel ?? `type ${claim.claimType}`} /> · owed by{' '}
        <IssuerLink {...claim.issuer} /> to <WalletLink address={claim.beneficiary.address} />
      </p>
      <Figures
        items={[
          ['Face', <Money key="f" amount={claim.faceValue} token={token} />],
          ['Financed', <Money key="i" amount={claim.financedFaceValue} token={token} />],
          [
            'Left to finance',
            isFinanceable ? <Money key="r" amount={claim.remainingFace} token={token} /> : '–',
          ],
          ['Paid', <Money key="p" amount={claim.paidFaceValue} token={token} />],
          ['Due', <Day key="d" at={claim.dueDate} />],
          claim.overdueSince
            ? ['Overdue since', <Day key="o" at={claim.overdueSince} />]
            : ['Days until due', days(claim.daysToDue)],
        ]}
      />
      {isFinanceable ? (
        <p>
          <a className="action" href={linkTo(['finance'], { claims: claim.claimId })}>
            Finance this claim
          </a>
        </p>
      ) : null}
      <Section title="Life">
        <Timeline claim={claim} pending={pending?.events ?? []} />
      </Section>
      <Section title="Who is owed what">
        <Owed claim={claim} />
      </Section>
      <SettleForm claim={claim} />
      <Section title="Document">
        <p>
          The attestation names a document with the hash <Short hex={claim.documentHash} />.
        </p>
      </Section>
    </>
  )
}

/** Each slice is owed to the vault that financed it, and the rest to the beneficiary. */
function Owed({ claim: { allocations, tokenInfo: token, ...claim } }: { claim: ClaimShown }) {
  const financed = allocations.reduce((sum, { faceAmount }) => sum + BigInt(faceAmount), 0n)
  const paidToVaults = allocations.reduce((sum, { paidFace }) => sum + BigInt(paidFace), 0n)
  return (
    <>
      <Table
        caption="Slices"
        rows={allocations}
        keyOf={({ id }) => id}
        empty="No vault has financed it."
        columns={[
          { name: 'Slice', cell: ({ sliceIndex }) => sliceIndex },
          { name: 'Owed to', cell: ({ vault }) => <VaultLink {...vault} /> },
          {
            name: 'Face',
            isNumber: true,
            cell: (slice) => <Money amount={slice.faceAmount} token={token} />,
          },
          {
            name: 'Advance',
            isNumber: true,
            cell: (slice) => <Money amount={slice.advanceAmount} token={token} />,
          },
          { name: 'Discount', isNumber: true, cell: (slice) => percent(slice.effectiveDiscountBps) },
          { name: 'Paid', isNumber: true, cell: (slice) => <Money amount={slice.paidFace} token={token} /> },
          { name: 'Status', cell: ({ settled }) => (settled ? 'repaid' : 'outstanding') },
        ]}
      />
      <Rest
        rest={BigInt(claim.faceValue) - financed}
        paid={BigInt(claim.paidFaceValue) - paidToVaults}
        isRevoked={claim.state === 'REVOKED'}
        token={token}
      />
    </>
  )
}

/** The face that no vault has financed, and what is paid of it. */
function Rest({
  rest,
  paid,
  isRevoked,
  token,
}: {
  rest: bigint
  paid: bigint
  isRevoked: boolean
  token: ClaimShown['tokenInfo']
}) {
  if (rest === 0n) return <p>Vaults have financed the whole face.</p>
  const amount = <Money amount={rest} token={token} />
  if (isRevoked)
    return <p>The claim is revoked: nobody is owed {amount} of face that no vault has financed.</p>
  return (
    <p>
      The beneficiary is owed the rest: {amount} of face that no vault has financed. So far,{' '}
      <Money amount={paid} token={token} /> of it is paid.
    </p>
  )
}
