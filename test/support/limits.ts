/**
 * Limits of a gateway under test: the largest that it takes, so that they end only what hangs. No client needs the lead
 * time of a stop. Their defaults are for production, and a busy machine exceeds them: then a test would meet a timeout
 * where it wants an answer, or another error than the one it is about.
 */
export const TEST_LIMITS = {
  DATABASE_TIMEOUT_MS: '600000',
  RPC_TIMEOUT_MS: '600000',
  READY_BLOCKS_BEHIND_MAX: '1000000000',
  READY_SECONDS_BEHIND_MAX: '1000000000',
  READY_CHAIN_TIMEOUT_MS: '600000',
  AUDIT_STALE_SECONDS: '1000000000',
  MIN_BLOCK_WAIT_MS: '60000',
  REQUEST_TIMEOUT_MS: '600000',
  DRAIN_LEAD_MS: '0',
  DRAIN_TIMEOUT_MS: '600000',
} as const

/** Milliseconds for one answer of a node, in a test whose node answers. */
export const NODE_TIMEOUT_MS = 300_000
