/**
 * The histogram of requests. It costs each of them a third of what `observe` of prom-client does, which checks, sorts
 * and joins the labels each time; prom-client writes its text.
 */
import { Gauge, Histogram, type Registry } from 'prom-client'

type Options = {
  registry: Registry
  name: string
  help: string
  labelNames: readonly string[]
  /** Upper bounds in seconds, ascending. */
  buckets: readonly number[]
}

/** `counts` has one number for each bucket and one for what exceeds all of them. */
type Series = { labels: Readonly<Record<string, string | number>>; counts: number[]; sum: number }

/** Adds a duration in seconds. The caller bounds the number of keys. */
export type Observe = (key: string, labels: () => Series['labels'], seconds: number) => void

/** @returns adds a duration to the series of `key`; `labels` is called for a key that is new */
export function createDurations({ registry, name, help, labelNames, buckets }: Options): Observe {
  const all = new Map<string, Series>()
  const kind = new Histogram({ name, help, registers: [] })
  const written = new Gauge({ name, help, labelNames: [...labelNames, 'le'], registers: [registry] })
  // A histogram is written from what it observed itself, a gauge from what `get` returns.
  written.get = async () => ({
    ...(await kind.get()),
    values: [...all.values()].flatMap((series) => present(name, buckets, series)),
  })
  return (key, labels, seconds) => {
    let series = all.get(key)
    if (!series) {
      series = { labels: labels(), counts: [...buckets.map(() => 0), 0], sum: 0 }
      all.set(key, series)
    }
    const bucket = buckets.findIndex((bound) => seconds <= bound)
    const index = bucket < 0 ? buckets.length : bucket
    series.counts[index] = (series.counts[index] ?? 0) + 1
    series.sum += seconds
  }
}

/** The buckets of a series, each with those below it, its sum and its count. */
function present(name: string, buckets: readonly number[], { labels, counts, sum }: Series) {
  let count = 0
  const values = counts.map((inBucket, i) => {
    count += inBucket
    return { metricName: `${name}_bucket`, labels: { ...labels, le: buckets[i] ?? '+Inf' }, value: count }
  })
  return [
    ...values,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
