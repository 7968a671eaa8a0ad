/** One issuer: how it pays, what it owes, and its claims. */
import type { Address } from 'claim-financing-client'
import { useRead } from 'claim-financing-react'
import { ClaimTable } from '../claims/claim-table.tsx'
import { Chart, ChartSkeleton } from '../parts/chart.tsx'
import { MaturityLadder } from '../parts/charts.tsx'
import { Figures, Loaded, Page, Section } from '../parts/page.tsx'
import { StatementLink } from '../parts/statement-link.tsx'
import { Day, days, Money, percent, Short } from '../parts/values.tsx'
import { linkTo } from '../place/place.ts'
import { ISSUER, ISSUER_MATURITIES, type RecordShown } from './documents.ts'
import { shareBps } from './issuers.tsx'

export function Issuer({ address }: { address: Address }) {
  const read = useRead(ISSUER, { issuer: address })
  const issuer = read.data?.issuer
  return (
    <Page title={issuer?.label ?? 'Issuer'} actions={<StatementLink kind="issuer" address={address} />}>
      <Loaded read={read}>
        {({ issuer, paymentRecords }) =>
          issuer ? (
            <>
              <p>
                <Short hex={issuer.address} /> · {issuer.active ? 'active' : 'inactive'} · since{' '}
                <Day at={issuer.addedAt} /> · {issuer.claimCount} claims
              </p>
              {paymentRecords.nodes.map((record) => (
                <Record key={record.id} record={record} issuer={address} />
              ))}
              {paymentRecords.nodes.length === 0 ? <p>It has no claim yet.</p> : null}
              <Section title="Latest claims">
                <ClaimTable claims={issuer.claims.nodes} />
                <p>
                  <a href={linkTo(['claims'], { issuer: address })}>All claims of this issuer</a>
                </p>
              </Section>
            </>
          ) : (
            <p>There is no issuer at this address.</p>
          )
        }
      </Loaded>
    </Page>
  )
}

function Record({ record, issuer }: { record: RecordShown; issuer: Address }) {
  const { tokenInfo: token } = record
  const { data } = useRead(ISSUER_MATURITIES, { issuer, token: token.address })
  return (
    <Section title={`Record in ${token.symbol}`}>
      <Figures
        items={[
          ['Days late, mean', days(record.averageDaysLate)],
          ['Paid', <Money key="s" amount={record.settled} token={token} />],
          ['Paid on time', percent(shareBps(record.onTime, record.settled))],
          ['Unpaid face of its claims', <Money key="o" amount={record.outstanding} token={token} />],
          ['Of this, overdue', <Money key="d" amount={record.overdue} token={token} />],
          ['Written down', <Money key="i" amount={record.impaired} token={token} />],
          ['Recovered', <Money key="r" amount={record.recovered} token={token} />],
        ]}
      />
      <div className="charts">
        <Delay record={record} />
        <Cohorts record={record} />
        {data ? <MaturityLadder rows={data.issuer?.maturities ?? []} token={token} /> : <ChartSkeleton />}
      </div>
    </Section>
  )
}

/** Face that was paid, by how late it was. */
function Delay({ record: { onTime, late, settled, tokenInfo: token } }: { record: RecordShown }) {
  const rows = [
    ['on time', onTime],
    ['1 day', late.upTo1],
    ['2 to 7', late.upTo7],
    ['8 to 30', late.upTo30],
    ['31 to 90', late.upTo90],
    ['more', late.more],
  ].map(([name = '', face = '0']) => ({ name, face, bps: shareBps(face, settled) ?? 0 }))
  return (
    <Chart
      title="Paid face by days late"
      rows={settled === '0' ? [] : rows}
      keyOf={({ name }) => name}
      empty="It has paid nothing yet."
      columns={[
        { name: 'Days late', cell: ({ name }) => name },
        { name: 'Face', isNumber: true, cell: ({ face }) => <Money amount={face} token={token} /> },
        { name: 'Share', isNumber: true, cell: ({ bps }) => percent(bps) },
      ]}
      plot={(plot) => ({
        x: { label: null, domain: rows.map(({ name }) => name) },
        y: { label: 'percent of what was paid', grid: true },
        marks: [
          plot.barY(rows, {
            x: 'name',
            y: ({ bps }: { bps: number }) => bps / 100,
            fill: ({ name }: { name: string }) => (name === 'on time' ? 'var(--good)' : 'var(--bad)'),
            tip: true,
          }),
          plot.ruleY([0]),
        ],
      })}
    />
  )
}

/** Share of the face of a month of registration that was paid until some months later. */
function Cohorts({ record: { cohorts, tokenInfo: token } }: { record: RecordShown }) {
  const rows = cohorts
    .filter(({ face }) => face !== '0')
    .map(({ month, face, paid }) => ({ month: month.slice(0, 7), face, paidBps: paidSharesOf(face, paid) }))
  const cells = rows.flatMap(({ month, paidBps }) =>
    paidBps.map((bps, after) => ({ month, after, percent: bps / 100 })),
  )
  return (
    <Chart
      title="Paid share by month of registration"
      rows={rows}
      keyOf={({ month }) => month}
      empty="Nothing was registered in the last 12 months."
      columns={[
        { name: 'Registered', cell: ({ month }) => month },
        { name: 'Face', isNumber: true, cell: ({ face }) => <Money amount={face} token={token} /> },
        { name: 'Paid by now', isNumber: true, cell: ({ paidBps }) => percent(paidBps.at(-1)) },
        ...Array.from({ length: Math.max(0, ...rows.map(({ paidBps }) => paidBps.length)) }, (_, after) => ({
          name: `${after}`,
          isNumber: true,
          cell: ({ paidBps }: (typeof rows)[number]) => percent(paidBps[after]),
        })),
      ]}
      plot={(plot) => ({
        x: { label: 'months since registration', tickFormat: 'd' },
        y: { label: null, type: 'band' },
        marginLeft: 64,
        opacity: { domain: [0, 100] },
        marks: [
          plot.cell(cells, {
            x: 'after',
            y: 'month',
            fill: 'var(--accent)',
            fillOpacity: 'percent',
            stroke: 'var(--line)',
            tip: true,
            inset: 0.5,
          }),
        ],
      })}
    />
  )
}

/** Shares of a face that was paid until each month, basis points. @param paid face paid in each month */
function paidSharesOf(face: string, paid: readonly string[]): number[] {
  let until = 0n
  return paid.map((own) => {
    until += BigInt(own)
    return shareBps(`${until}`, face) ?? 0
  })
}
