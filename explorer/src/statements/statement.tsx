/** A statement of account, to read and to print: balances, totals, and every movement of a period. */
import type { Address } from 'claim-financing-client'
import { useRead } from 'claim-financing-react'
import { gatewayUrl } from '../config.ts'
import { Loaded, Page, Section } from '../parts/page.tsx'
import { monthFrom } from '../parts/periods.ts'
import { Table } from '../parts/table.tsx'
import { ClaimLink, Day, Money, Name, Short, short, VaultLink, WalletLink, words } from '../parts/values.tsx'
import { replaceParams } from '../place/place.ts'
import { type Statement as Data, documents, type Kind, statementOf } from './documents.ts'

const FORMATS = [
  ['csv', 'CSV'],
  ['xml', 'camt.053'],
  ['journal', 'Journal'],
  ['json', 'JSON'],
] as const

export function Statement({
  kind: name,
  address,
  params,
}: {
  kind: string | undefined
  address: Address
  params: URLSearchParams
}) {
  const kind = name === 'vault' || name === 'issuer' ? name : 'wallet'
  const from = params.get('from') ?? monthFrom(-1)
  const to = params.get('to') ?? monthFrom(0)
  const file = (format: string) =>
    `${gatewayUrl}/api/v1/statements/${kind}/${address}.${format}?${new URLSearchParams({ from, to })}`
  return (
    <Page
      title={`Statement of ${kind} ${short(address)}`}
      actions={
        <span className="actions">
          {FORMATS.map(([format, text]) => (
            <a key={format} href={file(format)} download>
              {text}
            </a>
          ))}
          <button type="button" onClick={() => print()}>
            Print
          </button>
        </span>
      }
    >
      <form className="filters">
        <DayInput
          label="From"
          value={from}
          onChange={(day) => replaceParams({ from: day, skip: undefined })}
        />
        <DayInput
          label="Until, exclusive"
          value={to}
          onChange={(day) => replaceParams({ to: day, skip: undefined })}
        />
      </form>
      <Read kind={kind} address={address} from={from} to={to} skip={Number(params.get('skip')) || 0} />
    </Page>
  )
}

function DayInput({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (day: string) => void
}) {
  return (
    <label className="select">
      {label}{' '}
      <input
        type="date"
        value={value.slice(0, 10)}
        onChange={({ target }) => target.value && onChange(`${target.value}T00:00:00Z`)}
      />
    </label>
  )
}

/** Movements of one page; a statement can have many. */
const PAGE = 200

function Read({
  kind,
  address,
  from,
  to,
  skip,
}: {
  kind: Kind
  address: Address
  from: string
  to: string
  skip: number
}) {
  const read = useRead(documents[kind], { address, from, to, skip })
  return (
    <Loaded read={read}>
      {(data) => {
        const statement = statementOf(data)
        return statement ? (
          <Shown statement={statement} skip={skip} />
        ) : (
          <p>There is no {kind} at this address.</p>
        )
      }}
    </Loaded>
  )
}

const unitOf = (row: Data['balances'][number] | Data['entries'][number] | Data['totals'][number]) =>
  row.account === 'SHARES' || row.account === 'ISSUED'
    ? { decimals: row.vault?.shareDecimals ?? 0, symbol: 'shares' }
    : (row.tokenInfo ?? { decimals: 0 })

function Shown({ statement, skip }: { statement: Data; skip: number }) {
  const isFull = statement.entries.length === PAGE
  return (
    <>
      <p>
        From <Day at={statement.from} /> until <Day at={statement.to} />, exclusive, in UTC.
        {statement.isComplete ? '' : ' The period is not over: later blocks can add movements.'}
      </p>
      <Section title="Balances">
        <Table
          caption="Balances"
          rows={statement.balances}
          keyOf={({ account, tokenInfo, vault }) => `${account} ${tokenInfo?.symbol} ${vault?.address}`}
          empty="There is no balance."
          columns={[
            { name: 'Account', cell: ({ account }) => words(account) },
            { name: 'Vault', cell: ({ vault }) => (vault ? <VaultLink {...vault} /> : '–') },
            {
              name: 'Opening',
              isNumber: true,
              cell: (row) => <Money amount={row.opening} token={unitOf(row)} />,
            },
            {
              name: 'Increases',
              isNumber: true,
              cell: (row) => <Money amount={row.increases} token={unitOf(row)} />,
            },
            {
              name: 'Decreases',
              isNumber: true,
              cell: (row) => <Money amount={row.decreases} token={unitOf(row)} />,
            },
            {
              name: 'Closing',
              isNumber: true,
              cell: (row) => <Money amount={row.closing} token={unitOf(row)} />,
            },
            { name: 'Movements', isNumber: true, cell: ({ entryCount }) => entryCount },
            { name: 'Hash of movements', cell: ({ hash }) => <Short hex={hash} /> },
          ]}
        />
      </Section>
      <Section title="Totals by kind">
        <Table
          caption="Totals by kind"
          rows={statement.totals}
          keyOf={({ account, kind, tokenInfo, vault }) =>
            `${account} ${kind} ${tokenInfo?.symbol} ${vault?.address}`
          }
          empty="Nothing moved."
          columns={[
            { name: 'Account', cell: ({ account }) => words(account) },
            { name: 'Kind', cell: ({ kind }) => words(kind) },
            { name: 'Movements', isNumber: true, cell: ({ entryCount }) => entryCount },
            { name: 'Sum', isNumber: true, cell: (row) => <Money amount={row.amount} token={unitOf(row)} /> },
          ]}
        />
      </Section>
      <Section title="Movements">
        <Table
          caption="Movements"
          rows={statement.entries}
          keyOf={({ position, account }) => `${position} ${account}`}
          empty="Nothing moved."
          columns={[
            {
              name: 'Time',
              cell: ({ at }) => <time dateTime={at}>{at.replace('T', ' ').replace('Z', '')}</time>,
            },
            { name: 'Account', cell: ({ account }) => words(account) },
            { name: 'Kind', cell: ({ kind }) => words(kind) },
            {
              name: 'Amount',
              isNumber: true,
              cell: (row) => <Money amount={row.amount} token={unitOf(row)} />,
            },
            {
              name: 'Balance',
              isNumber: true,
              cell: (row) => <Money amount={row.balanceAfter} token={unitOf(row)} />,
            },
            {
              name: 'Counterparty',
              cell: ({ counterparty }) =>
                counterparty ? <WalletLink address={counterparty.address} /> : '–',
            },
            { name: 'Claim', cell: ({ claim }) => (claim ? <ClaimLink claimId={claim.claimId} /> : '–') },
            { name: 'Vault', cell: ({ vault }) => (vault ? <Name text={vault.name} /> : '–') },
            { name: 'Transaction', cell: ({ transactionHash }) => <Short hex={transactionHash} /> },
          ]}
        />
        <p className="pages">
          {skip > 0 ? (
            <button type="button" onClick={() => replaceParams({ skip: `${Math.max(0, skip - PAGE)}` })}>
              Earlier movements
            </button>
          ) : null}{' '}
          {isFull ? (
            <button type="button" onClick={() => replaceParams({ skip: `${skip + PAGE}` })}>
              Later movements
            </button>
          ) : null}
        </p>
      </Section>
    </>
  )
}
