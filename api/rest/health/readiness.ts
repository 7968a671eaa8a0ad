/** Whether the gateway is ready, and what it reports about each part. */
import type { PinnedBlock } from '../../chain/pin-block.ts'
import type { Config } from '../../config/config.ts'
import { formatTime } from '../../domain/time.ts'
import { CodedError, type Facts } from '../../errors.ts'
import type { FinalizedThrough } from '../../projection/session/state.ts'
import type { Audit, AuditDifference } from '../../projection/tables/audit.ts'
import { presentFinalizedThrough } from '../shared/answer.ts'

/** The facts of one check; `head` is null if the chain did not answer. */
export type Seen = {
  through: FinalizedThrough
  audit: Audit
  head: Pick<PinnedBlock, 'number' | 'timestamp'> | null
  /** When this process first saw the projection at its block. */
  unchangedSince: Date
}

type Bounds = Pick<Config, 'readyBlocksBehindMax' | 'readySecondsBehindMax' | 'unreadyOnDifferences'>

/** Value of `Retry-After`, in seconds. */
const RETRY_AFTER_SECONDS = 5

/**
 * Returns the error if the gateway is not ready; undefined if it is. Reads are answered in both cases, each with its
 * block.
 */
export function judgeReadiness(seen: Seen, bounds: Bounds): CodedError | undefined {
  const { blocks, seconds } = lagOf(seen)
  const options = { facts: factsOf(seen), retryAfter: RETRY_AFTER_SECONDS }
  if ((blocks ?? 0) > bounds.readyBlocksBehindMax || (seconds ?? 0) > bounds.readySecondsBehindMax) {
    return new CodedError(
      'PROJECTION_BEHIND',
      `The projection is ${blocks} blocks and ${seconds} s behind the finalized block; the maximum is ${bounds.readyBlocksBehindMax} blocks and ${bounds.readySecondsBehindMax} s. Reads are still answered, each with its block.`,
      options,
    )
  }
  if (!countsAgainst(seen.audit, bounds.unreadyOnDifferences)) return undefined
  return new CodedError(
    'PROJECTION_DIFFERS',
    `The auditor found ${seen.audit.differenceCount} differences between the projection and the chain, ${seen.audit.missingLogCount} of them proven missing events. Reads are still answered, each with its block.`,
    options,
  )
}

function countsAgainst(audit: Audit, setting: Bounds['unreadyOnDifferences']): boolean {
  if (setting === 'none') return false
  return (setting === 'any' ? audit.differenceCount : audit.missingLogCount) > 0
}

export function describeReadiness(seen: Seen) {
  const { through, audit, unchangedSince } = seen
  const { blocks, seconds } = lagOf(seen)
  return {
    status: 'ready' as const,
    finalizedThrough: presentFinalizedThrough(through),
    blocksBehind: blocks,
    secondsBehind: seconds,
    unchangedSince: unchangedSince.toISOString(),
    audit: presentAudit(audit),
    ...wordsOf(seen),
  }
}

/**
 * How far the projection is behind; null when the chain does not answer. A node may lag behind the one of the indexer.
 */
function lagOf({ through, head }: Seen): { blocks: number | null; seconds: number | null } {
  if (!head) return { blocks: null, seconds: null }
  return {
    blocks: Math.max(0, Number(head.number - through.blockNumber)),
    seconds: Math.max(0, Number(head.timestamp - through.timestamp)),
  }
}

function presentAudit({ state, through, at, differenceCount, missingLogCount, differences }: Audit) {
  return {
    state,
    through: through ? presentFinalizedThrough(through) : null,
    at: at === undefined ? null : formatTime(at),
    differenceCount,
    missingLogCount,
    differences: differences.map((one) => ({
      ...one,
      block: Number(one.block),
      firstSeen: formatTime(one.firstSeen),
    })),
  }
}

function wordsOf(seen: Seen) {
  const { blocks } = lagOf(seen)
  return {
    database: 'answers',
    projection: `is complete through finalized block ${seen.through.blockNumber}`,
    chain: seen.head
      ? `has finalized block ${seen.head.number}, ${blocks} ahead of the projection`
      : SILENT_CHAIN,
    auditor: describeAuditor(seen.audit),
  }
}

/** Facts for the problem of a check that failed. */
function factsOf(seen: Seen): Facts {
  const { blocks, seconds } = lagOf(seen)
  const { audit } = seen
  const [first] = audit.differences
  return {
    ...wordsOf(seen),
    finalizedThrough: Number(seen.through.blockNumber),
    blocksBehind: blocks,
    secondsBehind: seconds,
    unchangedSince: seen.unchangedSince.toISOString(),
    differenceCount: audit.differenceCount,
    missingLogCount: audit.missingLogCount,
    firstDifference: first ? describeDifference(first) : null,
  }
}

function describeAuditor({ state, through, differenceCount }: Audit): string {
  if (state === 'ABSENT' || !through) return 'never ran: nothing compares the projection with the chain'
  const found = `has compared all changes through block ${through.blockNumber} and found ${differenceCount} differences`
  return state === 'RUNNING' ? found : `stopped; it ${found}`
}

function describeDifference({
  kind,
  entity,
  key,
  field,
  projected,
  onChain,
  block,
}: AuditDifference): string {
  return `${kind}: ${entity} ${key}, ${field} is ${projected ?? 'nothing'} in the projection and ${onChain ?? 'nothing'} on chain at block ${block}`
}

const SILENT_CHAIN = 'does not answer: the projection is served as it is, balances are not'

/** Adds the state of every part to an error. */
export function explained(error: CodedError, head: Pick<PinnedBlock, 'number'> | null): CodedError {
  if (error.code === 'INTERNAL') return error
  const isDatabaseGone = error.code === 'DATABASE_UNAVAILABLE'
  const facts = {
    database: isDatabaseGone ? 'does not answer' : 'answers',
    projection: isDatabaseGone ? 'is out of reach with the database' : 'has no complete index yet',
    chain: head === null ? SILENT_CHAIN : `has finalized block ${head.number}`,
  }
  return new CodedError(error.code, error.message, {
    facts,
    cause: error.cause,
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
  })
}
