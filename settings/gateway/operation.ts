/** Settings of how a gateway is operated: chain, readiness, stop, metrics and traces. */
import { collector, oneOf, operationNames, share, text, wholeNumber } from '../formats.ts'
import { setting } from '../setting.ts'

const MS = { unit: 'milliseconds' }
const SECONDS = { unit: 'seconds' }
/**
 * On Ethereum a finalized block is 64 to 96 slots of 12 s behind the head (two to three epochs of 32 slots; consensus
 * specification, Casper FFG).
 */
const SLOT_SECONDS = 12
/** The rest is for late blocks, differing clocks and planning. */
const PLANNING_SLOTS = 96 + 14

export const chain = {
  RPC_TIMEOUT_MS: setting(
    wholeNumber(100, 600_000).default(5000),
    'Time that one node has for one request.',
    MS,
  ),
  HEAD_POLL_MS: setting(
    wholeNumber(0, 600_000).default(2000),
    'Time between two reads of the latest block, whose events `unfinalized` shows. With 0, the gateway does not read it, and those fields are null.',
    MS,
  ),
  OPTIMIZER_THREADS: setting(wholeNumber(1, 64).default(2), 'Threads that search for routes.', {
    unit: 'threads',
  }),
  OPTIMIZER_QUEUE: setting(wholeNumber(0, 10_000).default(32), 'Requests that may wait for such a thread.', {
    unit: 'requests',
  }),
  PLANNING_DELAY_SECONDS: setting(
    wholeNumber(1, 86_400).default(PLANNING_SLOTS * SLOT_SECONDS),
    "Maximum age of the finalized block of a planned route; the same on all replicas. Routes are planned to hold for that much longer, so claims due within it are left out. The default is for Ethereum's finality.",
    SECONDS,
  ),
}

export const readiness = {
  READY_BLOCKS_BEHIND_MAX: setting(
    wholeNumber(0, 1_000_000_000).default(96),
    'Blocks that the projection may be behind the finalized block while `/health/ready` is a 200; beyond them it is a 503 `PROJECTION_BEHIND`. The default is three finalizations of Ethereum.',
    { unit: 'blocks' },
  ),
  READY_SECONDS_BEHIND_MAX: setting(
    wholeNumber(0, 1_000_000_000).default(1200),
    'Time that the projection may be behind the finalized block while `/health/ready` is a 200.',
    SECONDS,
  ),
  READY_CHAIN_TIMEOUT_MS: setting(
    wholeNumber(1, 600_000).default(2000),
    'Time that a check of readiness waits for the chain. Reads do not need the chain, so a timeout does not make the gateway unready.',
    MS,
  ),
  UNREADY_ON_DIFFERENCES: setting(
    oneOf(['missing-logs', 'any', 'none']).default('missing-logs'),
    'Differences of the auditor that make `/health/ready` a 503 `PROJECTION_DIFFERS`: proven missing events, any, or none.',
  ),
  AUDIT_STALE_SECONDS: setting(
    wholeNumber(1, 1_000_000_000).default(600),
    'Time since its last completed round after which the auditor is reported as `STOPPED`.',
    SECONDS,
  ),
}

export const stop = {
  DRAIN_LEAD_MS: setting(
    wholeNumber(0, 600_000).default(10_000),
    'Time from SIGTERM until the gateway stops listening ([stopping a gateway](operations.md#stopping-a-gateway)). Meanwhile `/health/ready` is a 503, so that balancers send requests to other gateways. The default exceeds three probes at intervals of 3 s. With 0, idle connections are closed at once too.',
    MS,
  ),
  DRAIN_TIMEOUT_MS: setting(
    wholeNumber(0, 600_000).default(10_000),
    'Time that pending requests have to finish after that.',
    MS,
  ),
}

export const telemetry = {
  GATEWAY_METRICS_HOST: setting(
    text.default('127.0.0.1'),
    'Address of `/metrics` of Prometheus, never a public one.',
  ),
  // No default port would be free for several gateways of one host.
  GATEWAY_METRICS_PORT: setting(
    wholeNumber(0, 65_535).optional(),
    'Port of `/metrics` ([metrics](operations.md#metrics)). 0 takes any free port.',
    { byDefault: 'no metrics' },
  ),
  METRICS_OPERATIONS: setting(
    operationNames,
    'Names of GraphQL operations that have series of their own. All others share one.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    collector.optional(),
    'Collector of [traces](operations.md#traces) (OTLP over HTTP), without the path `/v1/traces`.',
    { byDefault: 'no traces' },
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    share.default(1),
    'Share of the requests whose traces are kept. A caller whose `traceparent` is not sampled drops its own.',
  ),
}
