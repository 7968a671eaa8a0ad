/** The life of a claim in order: what is final, what is mined and not final, and the due date. */
import type { ReactNode } from 'react'
import { Money, Short, VaultLink, WalletLink, When, words } from '../parts/values.tsx'
import type { ClaimShown, Pending } from './documents.ts'

type Moment = { key: string; at: string; text: ReactNode }

export function Timeline({ claim, pending }: { claim: ClaimShown; pending: NonNullable<Pending>['events'] }) {
  const due = { key: 'due', at: claim.dueDate, text: <strong>due</strong> }
  const moments = [...eventsOf(claim), ...financingsOf(claim), due]
  moments.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return (
    <ol className="timeline">
      {moments.map(({ key, at, text }) => (
        <li key={key}>
          <When at={at} /> {text}
        </li>
      ))}
      {pending.map(({ name, transactionHash, logIndex, expectedFinalAt }) => (
        <li key={`${transactionHash} ${logIndex}`} className="pending">
          <strong>{name}</strong> is mined in <Short hex={transactionHash} /> and should be final at{' '}
          <When at={expectedFinalAt} />
        </li>
      ))}
    </ol>
  )
}

/** An execution with several legs names no claim, so financings are those of the slices. */
function eventsOf({ activity }: ClaimShown): Moment[] {
  return activity
    .filter(({ kind, amount }) => kind !== 'EXECUTION' && amount !== '0')
    .map(({ id, kind, at, amount, tokenInfo, wallet, transactionHash }) => ({
      key: id,
      at,
      text: (
        <>
          <strong>{words(kind)}</strong>, <Money amount={amount} token={tokenInfo} />, wallet{' '}
          <WalletLink address={wallet.address} />, in <Short hex={transactionHash} />
        </>
      ),
    }))
}

function financingsOf({ allocations, tokenInfo }: ClaimShown): Moment[] {
  return allocations.map(({ id, fundedAt, faceAmount, advanceAmount, vault, execution }) => ({
    key: id,
    at: fundedAt,
    text: (
      <>
        <strong>financed</strong>, <Money amount={advanceAmount} token={tokenInfo} /> for a face of{' '}
        <Money amount={faceAmount} token={tokenInfo} />, by <VaultLink {...vault} />
        {execution.transactionHash ? (
          <>
            , in <Short hex={execution.transactionHash} />
          </>
        ) : null}
      </>
    ),
  }))
}
