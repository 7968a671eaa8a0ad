import type { Config } from '../config.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { exposeProcess } from './process.ts'
import { serveMetrics } from './serve.ts'
import { exposeState, type Parts } from './state.ts'

/** Serves the metrics. @returns their port, and closes it with its connections. @throws Error when the port cannot be listened on */
export async function startOperations(metrics: Metrics, parts: Parts & { config: Config }) {
  const { metricsHost: host, metricsPort: port = 0 } = parts.config
  const forgetProcess = exposeProcess(metrics)
  const closeState = exposeState(metrics, parts)
  const server = await serveMetrics(metrics.registry, { host, port })
  const close = async () => {
    server.close()
    forgetProcess()
    await closeState()
  }
  return { port: server.port, close }
}
