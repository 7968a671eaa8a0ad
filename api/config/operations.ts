/** Settings of what operators read: metrics and traces. */
import { z } from 'zod'
import { commaList, urlOf, wholeNumber } from './values.ts'

/** Each name has about ten series for each status. */
const OPERATIONS_MAX = 100

export const operationsEnvironment = {
  /**
   * Address of the metrics: never a public one. Without a port they are off: several gateways may run on one host, and no default port would
   * be free for all of them. 0 takes any free port.
   */
  GATEWAY_METRICS_HOST: z.string().default('127.0.0.1'),
  GATEWAY_METRICS_PORT: wholeNumber(0, 65_535).optional(),
  /** Names of GraphQL operations that have series of their own; all others share one. */
  METRICS_OPERATIONS: z
    .string()
    .default('')
    .transform(commaList)
    .refine((names) => names.length <= OPERATIONS_MAX, `must list at most ${OPERATIONS_MAX} names`),
  /** Collector of traces (OTLP over HTTP), without the path `/v1/traces`. Without it there are no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(
    ['http:', 'https:'],
    'must be an http:// or https:// address of a collector of traces',
  ).optional(),
  /** Share of traces that are kept, of those that no caller began. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
}

const environment = z.object(operationsEnvironment)

export type OperationsConfig = {
  metricsHost: string
  metricsPort: number | undefined
  metricsOperations: readonly string[]
  tracesEndpoint: string | undefined
  tracesRatio: number
}

export function operationsConfig(set: z.output<typeof environment>): OperationsConfig {
  return {
    metricsHost: set.GATEWAY_METRICS_HOST,
    metricsPort: set.GATEWAY_METRICS_PORT,
    metricsOperations: set.METRICS_OPERATIONS,
    tracesEndpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
    tracesRatio: set.OTEL_TRACES_SAMPLER_ARG,
  }
}
