/** Counters and measurements of the gateway (Prometheus text format). Each label has a bounded number of values. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ErrorCode } from '../errors.ts'
import { createDurations } from './durations.ts'

/** Seconds. A kept answer takes less than the first, a search for routes up to several seconds. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

/** Label of what has no series of its own: a client can request any number of names. */
const OTHER = 'other'

/** The methods that the gateway calls. */
const RPC_METHODS: ReadonlySet<string> = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
])

/** `refused`: the node answered with an error, such as a revert. `failed`: it gave no answer. */
export type RpcOutcome = 'answered' | 'refused' | 'failed'

/** `refused`: the queue was full, or the work budget ended. */
export type SearchOutcome = 'answered' | 'refused' | 'aborted' | 'failed'

export type Metrics = ReturnType<typeof createMetrics>

/** @param operations names of GraphQL operations that have series of their own */
export function createMetrics(operations: readonly string[]) {
  const registry = new Registry()
  const registers = [registry]
  const known = new Set(operations)
  const requests = createDurations({
    registry,
    name: 'gateway_request_duration_seconds',
    help: 'Time from a request to its answer, of a stream to its first byte.',
    labelNames: ['route', 'operation', 'status'],
    buckets: BUCKETS,
  })
  const errors = new Counter({
    name: 'gateway_errors_total',
    help: 'Errors in answers, by code of the catalogue.',
    labelNames: ['code'],
    registers,
  })
  const limited = new Counter({
    name: 'gateway_rate_limited_total',
    help: 'Requests refused by a rate limit, by policy.',
    labelNames: ['policy'],
    registers,
  })
  const calls = new Histogram({
    name: 'gateway_rpc_duration_seconds',
    help: 'Time of one request to one node.',
    labelNames: ['method', 'outcome'],
    buckets: BUCKETS,
    registers,
  })
  const waits = new Histogram({
    name: 'gateway_read_wait_seconds',
    help: 'Time that a read waited for room among the connections.',
    buckets: BUCKETS,
    registers,
  })
  const searches = new Histogram({
    name: 'gateway_optimizer_duration_seconds',
    help: 'Time of a search for a route, with its wait for a thread.',
    labelNames: ['outcome'],
    buckets: BUCKETS,
    registers,
  })
  const labelOf = (operation: string | undefined): string => {
    if (operation === undefined) return ''
    return known.has(operation) ? operation : OTHER
  }
  return {
    registry,
    /**
     * @param route method and path as registered
     * @param operation name of the GraphQL operation; undefined for other requests
     */
    answered: (route: string, operation: string | undefined, status: number, seconds: number): void => {
      const label = labelOf(operation)
      requests(`${route}\n${label}\n${status}`, () => ({ route, operation: label, status }), seconds)
    },
    failed: (code: ErrorCode): void => errors.inc({ code }),
    /** @param policy as `RateLimit-Policy` calls it */
    limited: (policy: string): void => limited.inc({ policy }),
    called: (method: string, outcome: RpcOutcome, seconds: number): void =>
      calls.observe({ method: RPC_METHODS.has(method) ? method : OTHER, outcome }, seconds),
    waited: (seconds: number): void => waits.observe(seconds),
    searched: (outcome: SearchOutcome, seconds: number): void => searches.observe({ outcome }, seconds),
    /** A value that is read when the metrics are. Where it is unknown (undefined), the metric is absent. */
    gauge: (name: string, help: string, read: () => Value | Promise<Value>): void => {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await read()
          if (value === undefined) this.remove()
          else this.set(value)
        },
      })
    },
    /** A gauge of several values, by the value of one label. */
    gauges: (name: string, help: string, label: string, read: () => Values | Promise<Values>): void => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const values = await read()
          this.reset()
          for (const [key, value] of Object.entries(values)) this.set({ [label]: key }, value)
        },
      })
    },
    /** A counter that is read from a number. */
    counter: (name: string, help: string, read: () => number): void => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
  }
}

type Value = number | undefined
type Values = Readonly<Record<string, number>>
