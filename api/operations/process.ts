/** The process: event loop, memory, processor time. Names are those of Prometheus clients. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from '../metrics/metrics.ts'

/** Milliseconds between two measurements. */
const RESOLUTION_MS = 20

const QUANTILES = { '0.5': 50, '0.99': 99, '1': 100 }

/** @returns ends the measurement */
export function exposeProcess({ gauge, gauges, counter }: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  gauges(
    'nodejs_event_loop_delay_seconds',
    'Delay of timers since the metrics were read last, by quantile.',
    'quantile',
    () => {
      if (delay.count === 0) return {}
      // A measurement is the time between two timers, so it includes the time for which they are set.
      const delayOf = (percentile: number) =>
        Math.max(0, delay.percentile(percentile) / 1e9 - RESOLUTION_MS / 1000)
      const values = Object.entries(QUANTILES).map(([quantile, percentile]) => [
        quantile,
        delayOf(percentile),
      ])
      delay.reset()
      return Object.fromEntries(values)
    },
  )
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  gauges('nodejs_heap_bytes', 'Memory of JavaScript, by kind.', 'kind', () => {
    const { heapUsed, heapTotal, external } = process.memoryUsage()
    return { used: heapUsed, total: heapTotal, external }
  })
  counter('process_cpu_seconds_total', 'Processor time, of all threads.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  const startedAt = performance.timeOrigin / 1000
  gauge('process_start_time_seconds', 'Unix time of the start.', () => startedAt)
  return () => delay.disable()
}
