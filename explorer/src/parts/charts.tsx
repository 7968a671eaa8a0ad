/** Charts that several pages have. */
import type { TokenUnit } from 'claim-financing-client'
import type { ReactNode } from 'react'
import { Chart, type Plotted } from './chart.tsx'
import type { Column } from './table.tsx'
import { Day, day, Money, toNumber, words } from './values.tsx'

type MaturityRow = {
  kind: string
  start: string | null
  outstandingFace: string
  outstandingAdvance: string
  allocations: number
}

const LATE = new Set(['OVERDUE', 'HELD'])

/** Outstanding face by the time at which it is due; what is overdue stands first. */
export function MaturityLadder({ rows, token }: { rows: readonly MaturityRow[]; token: TokenUnit }) {
  const isEmpty = rows.every(({ outstandingFace }) => outstandingFace === '0')
  const shown = isEmpty
    ? []
    : rows.filter(({ kind, outstandingFace }) => kind === 'PERIOD' || outstandingFace !== '0')
  const nameOf = ({ kind, start }: MaturityRow) =>
    kind === 'PERIOD' && start ? start.slice(0, 7) : words(kind)
  const plot: Plotted = (plot) => ({
    x: { label: null, domain: shown.map(nameOf), tickRotate: shown.length > 8 ? -40 : 0 },
    y: { label: token.symbol ?? null, grid: true, tickFormat: 's' },
    marginBottom: 48,
    marks: [
      plot.barY(shown, {
        x: nameOf,
        y: (row: MaturityRow) => toNumber(row.outstandingFace, token),
        fill: (row: MaturityRow) => (LATE.has(row.kind) ? 'var(--bad)' : 'var(--accent)'),
        tip: true,
      }),
      plot.ruleY([0]),
    ],
  })
  const columns: Column<MaturityRow>[] = [
    { name: 'Due', cell: nameOf },
    { name: 'Face', isNumber: true, cell: (row) => <Money amount={row.outstandingFace} token={token} /> },
    {
      name: 'Advance',
      isNumber: true,
      cell: (row) => <Money amount={row.outstandingAdvance} token={token} />,
    },
    { name: 'Slices', isNumber: true, cell: (row) => row.allocations },
  ]
  return (
    <Chart
      title="Owed to vaults by due date"
      rows={shown}
      columns={columns}
      keyOf={(row) => `${row.kind} ${row.start}`}
      plot={plot}
      empty="Nothing is outstanding."
    />
  )
}

/** One figure of a token by period, as bars or as a line. */
export function AmountSeries<Row extends { start: string }>({
  title,
  rows,
  token,
  amountOf,
  as,
}: {
  title: string
  rows: readonly Row[]
  token: TokenUnit
  amountOf: (row: Row) => string
  as: 'bars' | 'area'
}) {
  return (
    <NumberSeries
      title={title}
      rows={rows}
      numberOf={(row) => toNumber(amountOf(row), token)}
      show={(row) => <Money amount={amountOf(row)} token={token} />}
      label={token.symbol ?? ''}
      as={as}
    />
  )
}

export function NumberSeries<Row extends { start: string }>({
  title,
  rows,
  numberOf,
  show,
  label,
  as,
}: {
  title: string
  rows: readonly Row[]
  numberOf: (row: Row) => number | null
  show: (row: Row) => ReactNode
  label: string
  as: 'bars' | 'area' | 'line'
}) {
  const plot: Plotted = (plot) => {
    const channels = { x: (row: Row) => new Date(row.start), y: numberOf }
    const options = { ...channels, tip: true }
    const marks = {
      bars: () => [plot.rectY(rows, { ...options, interval: 'day', fill: 'var(--accent)' }), plot.ruleY([0])],
      area: () => [
        plot.areaY(rows, { ...channels, fill: 'var(--accent)', fillOpacity: 0.15 }),
        plot.lineY(rows, { ...options, stroke: 'var(--accent)' }),
        plot.ruleY([0]),
      ],
      line: () => [plot.lineY(rows, { ...options, stroke: 'var(--accent)' })],
    }
    return {
      marginLeft: 52,
      x: { label: null, type: 'utc' as const },
      y: { label, grid: true, ...(as !== 'line' && { tickFormat: 's', zero: true }) },
      marks: marks[as](),
    }
  }
  const isEmpty = rows.every((row) => !numberOf(row))
  const columns: Column<Row>[] = [
    { name: 'From', cell: ({ start }) => <Day at={start} /> },
    { name: title, isNumber: true, cell: show },
  ]
  return (
    <Chart
      title={title}
      rows={isEmpty ? [] : rows}
      columns={columns}
      keyOf={({ start }) => day(start)}
      plot={plot}
    />
  )
}
