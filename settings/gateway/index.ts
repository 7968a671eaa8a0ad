/** Settings of the gateway. */
import { z } from 'zod'
import { shared } from '../shared.ts'
import { rateLimits, server, signIn } from './api.ts'
import { chain, readiness, stop, telemetry } from './operation.ts'
import { reads, streams } from './reads.ts'

/** In the order of docs/settings.md. */
export const gatewayGroups = {
  Server: server,
  'Sign-in': signIn,
  'Rate limits': rateLimits,
  'Database and reads': reads,
  'Subscriptions and exports': streams,
  'Chain and routes': chain,
  Readiness: readiness,
  Stop: stop,
  'Metrics and traces': telemetry,
}

export const gatewaySettings = z.object({
  ...shared,
  ...server,
  ...signIn,
  ...rateLimits,
  ...reads,
  ...streams,
  ...chain,
  ...readiness,
  ...stop,
  ...telemetry,
})

export type GatewaySettings = z.output<typeof gatewaySettings>
