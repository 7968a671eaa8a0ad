/** The whole market: what is lent, what is due, and what happens now. */
import { useRead } from 'claim-financing-react'
import { useMemo } from 'react'
import { ActivityTable } from '../parts/activity.tsx'
import { Chart, ChartSkeleton } from '../parts/chart.tsx'
import { AmountSeries, MaturityLadder } from '../parts/charts.tsx'
import { Failure } from '../parts/failure.tsx'
import { Figures, Loaded, Page, Section } from '../parts/page.tsx'
import { firstDayShown } from '../parts/periods.ts'
import type { Column } from '../parts/table.tsx'
import { chosenToken, type Token, TokenChoice } from '../parts/token-choice.tsx'
import { Money, Name, percent } from '../parts/values.tsx'
import { MARKET, MARKET_OF_TOKEN, type MarketData, type MarketOfToken } from './documents.ts'

export function Market({ params }: { params: URLSearchParams }) {
  const read = useRead(MARKET, {})
  const tokens = read.data?.tokens.nodes ?? []
  const token = chosenToken(tokens, params)
  return (
    <Page title="Market" actions={<TokenChoice tokens={tokens} chosen={token} />}>
      <Loaded read={read}>
        {(data) => (
          <>
            {token ? <TokenFigures data={data} token={token} /> : <p>No token is listed yet.</p>}
            {token ? <TokenCharts token={token} /> : null}
            <Section title="Latest events">
              <ActivityTable rows={data.activity.nodes} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function TokenFigures({ data, token }: { data: MarketData; token: Token }) {
  const vaults = data.vaultAggregates.nodes.find(({ tokenInfo }) => tokenInfo.address === token.address)
  if (!vaults) return <p>No vault lends {token.symbol} yet.</p>
  return (
    <Figures
      items={[
        ['Vaults', vaults.count],
        ['Assets of vaults, at cost', <Money key="a" amount={vaults.assetsAtCost} token={token} compact />],
        ['Free to lend', <Money key="l" amount={vaults.fundableLiquidity.sum} token={token} compact />],
        ['Outstanding face', <Money key="o" amount={vaults.outstandingFace.sum} token={token} compact />],
        ['Advanced for it', <Money key="v" amount={vaults.outstandingAdvance.sum} token={token} compact />],
        ['Utilization', percent(vaults.utilizationBps)],
        ['Discount earned', <Money key="d" amount={vaults.discountEarned.sum} token={token} compact />],
      ]}
    />
  )
}

function TokenCharts({ token }: { token: Token }) {
  const from = useMemo(firstDayShown, [])
  const read = useRead(MARKET_OF_TOKEN, { token: token.address, from })
  const { data, error } = read
  if (error && !data) return <Failure error={error} retry={() => read.refetch()} />
  if (!data)
    return (
      <div className="charts">
        {[1, 2, 3, 4, 5].map((place) => (
          <ChartSkeleton key={place} />
        ))}
      </div>
    )
  const series = data.marketSeries
  return (
    <div className="charts">
      <AmountSeries
        title="Advanced to holders by day"
        rows={series}
        token={token}
        amountOf={({ advanced }) => advanced}
        as="bars"
      />
      <AmountSeries
        title="Outstanding face"
        rows={series}
        token={token}
        amountOf={({ outstandingFace }) => outstandingFace}
        as="area"
      />
      <MaturityLadder rows={data.marketMaturities} token={token} />
      <DiscountByType groups={data.allocationAggregates.nodes} token={token} />
      <AmountSeries
        title="Overdue face"
        rows={series}
        token={token}
        amountOf={({ overdueFace }) => overdueFace}
        as="area"
      />
    </div>
  )
}

type Group = MarketOfToken['allocationAggregates']['nodes'][number]

/** Mean discount of all that was financed, weighted by face. */
function DiscountByType({ groups, token }: { groups: readonly Group[]; token: Token }) {
  const nameOf = ({ claimType, claimTypeLabel }: Group) => claimTypeLabel ?? `Type ${claimType}`
  const columns: Column<Group>[] = [
    { name: 'Claim type', cell: (group) => <Name text={nameOf(group)} /> },
    { name: 'Discount', isNumber: true, cell: (group) => percent(group.effectiveDiscountBps) },
    { name: 'Face', isNumber: true, cell: (group) => <Money amount={group.faceAmount.sum} token={token} /> },
    { name: 'Slices', isNumber: true, cell: (group) => group.count },
  ]
  return (
    <Chart
      title="Discount by claim type"
      rows={groups}
      columns={columns}
      keyOf={nameOf}
      plot={(plot) => ({
        x: { label: 'percent of face', grid: true },
        y: { label: null },
        marginLeft: 140,
        marks: [
          plot.barX(groups, {
            x: (group: Group) => group.effectiveDiscountBps / 100,
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
