/** Libraries of metrics and traces, loaded only where they are used: they take a tenth of a second. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Tracing } from '../tracing/tracing.ts'

export async function loadMetrics({ metricsPort, metricsOperations }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined
  const { createMetrics } = await import('../metrics/metrics.ts')
  return createMetrics(metricsOperations)
}

export async function loadTracing(
  { tracesEndpoint, tracesRatio: ratio }: Config,
  log: Logger,
): Promise<Tracing | undefined> {
  if (tracesEndpoint === undefined) return undefined
  const { startTracing } = await import('../tracing/start.ts')
  const onFailure = (err: unknown) => log.warn({ err }, 'traces were not exported')
  return startTracing({ endpoint: tracesEndpoint, ratio, onFailure })
}
