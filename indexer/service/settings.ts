/** Settings of the service. No row depends on them, so they are apart from `indexer/environment.ts`, whose change starts another index. */
import { z } from 'zod'
import { connectionEnvironment } from '../../nodes/unsafe-connections.ts'

export const serviceEnvironment = z.object({
  /** Address of `/metrics` and `/status`: never a public one. */
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  ...connectionEnvironment,
})

/** Reads the settings. @throws Error that names the variables that are not valid */
export function parseServiceSettings(env: Readonly<Record<string, string | undefined>>) {
  const result = serviceEnvironment.safeParse(env)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
  throw new Error(`the indexer cannot start. ${faults.join('; ')}`)
}
