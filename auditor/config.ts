/** The auditor's settings. Settings that the gateway also has are named the same there. */
import { z } from 'zod'
import { connectionEnvironment } from '../nodes/unsafe-connections.ts'

const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

export const auditorEnvironment = z.object({
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** With the role `auditor`. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** Milliseconds to wait for a connection, and for one statement. */
  DATABASE_TIMEOUT_MS: wholeNumber(100, 3_600_000).default(60_000),
  /** Used in this order: when one fails, the next one is used. */
  RPC_URLS: z
    .string()
    .transform((text) => text.split(',').map((url) => url.trim()))
    .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1)),
  RPC_TIMEOUT_MS: wholeNumber(100, 600_000).default(10_000),
  CHAIN_ID: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  /** Folder of `<chainId>.json` manifests, when not the ones that ship with the service. */
  DEPLOYMENTS_DIR: z.string().min(1).optional(),
  /** Milliseconds between two rounds. */
  AUDIT_INTERVAL_MS: wholeNumber(100, 3_600_000).default(5000),
  /** Random rows in each round. */
  AUDIT_SAMPLE_ROWS: wholeNumber(0, 10_000).default(50),
  /** Selects the random rows. Default: from the time of the start. The log states it. */
  AUDIT_SEED: wholeNumber(0, 4_294_967_295).optional(),
  /** Address of the metrics: never a public one. */
  AUDIT_METRICS_HOST: z.string().default('127.0.0.1'),
  /** Port of the metrics; 0 takes any free port. */
  AUDIT_METRICS_PORT: wholeNumber(0, 65_535).default(9464),
  ...connectionEnvironment,
})

export type AuditorConfig = z.output<typeof auditorEnvironment>

/** Reads the settings. @throws Error that names every invalid variable, never its value */
export function parseAuditorConfig(env: Readonly<Record<string, string | undefined>>): AuditorConfig {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const result = auditorEnvironment.safeParse(set)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
  throw new Error(faults.join('; '))
}
