import { isEveryAddress, isPublicAddress } from '../../nodes/public-address.ts'
import type { Config } from '../config/config.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { exposeProcess } from './process.ts'
import { serveMetrics } from './serve.ts'
import { exposeState, type Parts } from './state.ts'

/**
 * Serves the metrics. @returns their port, and closes it with its connections. @throws Error when the port cannot be
 * listened on
 */
export async function startOperations(metrics: Metrics, parts: Parts & { config: Config }) {
  const { metricsHost: host, metricsPort: port = 0 } = parts.config
  if (isEveryAddress(host) || isPublicAddress(host)) {
    parts.log.warn({ host }, 'the metrics are served beyond this machine: keep their port private')
  }
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
