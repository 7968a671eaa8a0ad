/** How issuers pay, the latest first. */
import { useRead } from 'claim-financing-react'
import { Chart } from '../parts/chart.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { chosenToken, TokenChoice } from '../parts/token-choice.tsx'
import { days, IssuerLink, Money, percent, short } from '../parts/values.tsx'
import { ISSUERS, type RecordListed } from './documents.ts'

export function Issuers({ params }: { params: URLSearchParams }) {
  const read = useRead(ISSUERS, {})
  const tokens = read.data?.tokens.nodes ?? []
  const token = chosenToken(tokens, params)
  return (
    <Page title="Issuers" actions={<TokenChoice tokens={tokens} chosen={token} />}>
      <Loaded read={read}>
        {({ paymentRecords }) => {
          const shown = paymentRecords.nodes.filter(({ tokenInfo }) => tokenInfo.address === token?.address)
          return (
            <>
              <Delays records={shown} />
              <Records records={shown} />
              {paymentRecords.pageInfo.hasNextPage ? (
                <p>These are the 200 records with the longest delay. GraphQL has all of them.</p>
              ) : null}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

const nameOf = ({ issuer }: RecordListed) => issuer.label ?? short(issuer.address)

function Delays({ records }: { records: readonly RecordListed[] }) {
  const measured = records.filter(({ averageDaysLate }) => averageDaysLate !== null)
  return (
    <Chart
      title="Mean days from the due date to the payment"
      rows={measured}
      keyOf={({ id }) => id}
      height={Math.max(160, 28 * measured.length + 60)}
      empty="Nobody has paid a claim yet."
      columns={[
        { name: 'Issuer', cell: ({ issuer }) => <IssuerLink {...issuer} /> },
        { name: 'Days', isNumber: true, cell: ({ averageDaysLate }) => days(averageDaysLate) },
      ]}
      plot={(plot) => ({
        x: { label: 'days after the due date', grid: true },
        y: { label: null },
        marginLeft: 150,
        marks: [
          plot.barX(measured, {
            x: 'averageDaysLate',
            y: nameOf,
            fill: 'var(--accent)',
            sort: { y: '-x' },
            tip: true,
          }),
          plot.ruleX([0]),
        ],
      })}
    />
  )
}

function Records({ records }: { records: readonly RecordListed[] }) {
  return (
    <Table
      caption="Payment records"
      rows={records}
      keyOf={({ id }) => id}
      empty="No issuer has a claim in this token."
      columns={[
        { name: 'Issuer', cell: ({ issuer }) => <IssuerLink {...issuer} /> },
        { name: 'Status', cell: ({ issuer }) => (issuer.active ? 'active' : 'inactive') },
        { name: 'Claims in all tokens', isNumber: true, cell: ({ issuer }) => issuer.claimCount },
        { name: 'Days late, mean', isNumber: true, cell: (record) => days(record.averageDaysLate) },
        {
          name: 'Paid',
          isNumber: true,
          cell: (record) => <Money amount={record.settled} token={record.tokenInfo} />,
        },
        {
          name: 'On time',
          isNumber: true,
          cell: (record) => percent(shareBps(record.onTime, record.settled)),
        },
        {
          name: 'Unpaid',
          isNumber: true,
          cell: (record) => <Money amount={record.outstanding} token={record.tokenInfo} />,
        },
        {
          name: 'Overdue',
          isNumber: true,
          cell: (record) => <Money amount={record.overdue} token={record.tokenInfo} />,
        },
      ]}
    />
  )
}

/** @returns basis points, rounded down; null of nothing */
export function shareBps(part: string, whole: string): number | null {
  return whole === '0' ? null : Number((BigInt(part) * 10_000n) / BigInt(whole))
}
