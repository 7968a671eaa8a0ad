/** A chart of Observable Plot with the table of its rows. Its place is kept free until the library is loaded. */
import type { PlotOptions } from '@observablehq/plot'
import { useEffect, useRef, useState } from 'react'
import type * as Plot from './plot.ts'
import { type Column, Table } from './table.tsx'

export type Plotted = (plot: typeof Plot) => PlotOptions

const HEIGHT = 240

export function Chart<Row>({
  title,
  rows,
  columns,
  keyOf,
  plot,
  height = HEIGHT,
  empty = 'Nothing in this time.',
}: {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  plot: Plotted
  height?: number
  empty?: string
}) {
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      {rows.length === 0 ? (
        <p className="empty" style={{ minHeight: height }}>
          {empty}
        </p>
      ) : (
        <>
          <Drawing title={title} plot={plot} height={height} />
          <details>
            <summary>Show as a table</summary>
            <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} />
          </details>
        </>
      )}
    </figure>
  )
}

/** The place of a chart while its rows are read. */
export function ChartSkeleton() {
  return (
    <figure className="chart empty-chart" aria-busy="true">
      <span className="hidden">Loading</span>
    </figure>
  )
}

/** The library is loaded once, after the first paint. */
const library = () => import('./plot.ts')

function Drawing({ title, plot, height }: { title: string; plot: Plotted; height: number }) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  useEffect(() => {
    let isOver = false
    if (width > 0)
      library().then((loaded) => {
        if (isOver) return
        const drawn = loaded.plot({ ...plot(loaded), width, height })
        // Its place has the name, and the table the values.
        drawn.setAttribute('aria-hidden', 'true')
        place.current?.replaceChildren(drawn)
      })
    return () => {
      isOver = true
    }
  }, [plot, width, height])
  return <div className="drawing" role="img" aria-label={title} ref={place} style={{ minHeight: height }} />
}

function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const { current } = place
    if (!current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [place])
  return width
}
