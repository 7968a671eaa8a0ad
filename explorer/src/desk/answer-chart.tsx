/** The answer of a saved query as a chart. Bars of one category are stacked. */
import { Chart } from '../parts/chart.tsx'
import type { Answer } from './engine.ts'
import type { SavedChart } from './saved.ts'

type Point = { key: string; x: string; y: number; series: string }

export function AnswerChart({ answer, chart, title }: { answer: Answer; chart: SavedChart; title: string }) {
  const indexOf = (name: string | undefined) => answer.columns.findIndex((column) => column.name === name)
  const [x, y, series] = [indexOf(chart.x), indexOf(chart.y), indexOf(chart.series)]
  const points = answer.rows.map(
    (row, index): Point => ({
      key: String(index),
      x: row[x] ?? '',
      y: Number(row[y] ?? 0),
      series: row[series] ?? '',
    }),
  )
  return (
    <Chart
      title={title}
      rows={points}
      keyOf={({ key }) => key}
      height={320}
      columns={[
        { name: chart.x, cell: (point) => point.x },
        ...(chart.series ? [{ name: chart.series, cell: (point: Point) => point.series }] : []),
        { name: chart.y, isNumber: true, cell: (point) => point.y },
      ]}
      plot={(plot) => {
        const color = { type: 'categorical' as const, legend: chart.series !== undefined }
        const title = ({ x: place, y: value, series: name }: Point) =>
          [place, name, String(value)].filter((part) => part !== '').join('\n')
        if (chart.kind === 'line')
          return {
            color,
            x: { label: null, type: 'utc' },
            y: { label: chart.y, grid: true },
            marks: [
              plot.lineY(points, {
                x: ({ x: at }: Point) => new Date(at),
                y: 'y',
                z: 'series',
                stroke: 'series',
                title,
                tip: true,
              }),
            ],
          }
        return {
          color,
          marginLeft: 150,
          x: { label: chart.y, grid: true },
          y: {
            label: null,
            type: 'band',
            tickFormat: (place: string) => (place.length > 22 ? `${place.slice(0, 21)}…` : place),
          },
          marks: [
            plot.barX(points, {
              x: 'y',
              y: 'x',
              fill: 'series',
              title,
              tip: true,
              sort: { y: '-x', limit: 20 },
            }),
            plot.ruleX([0]),
          ],
        }
      }}
    />
  )
}
