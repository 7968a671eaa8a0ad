/** Waits until a transaction has the requested status. */
import { GatewayError } from './errors.ts'
import { hashOf, readExecution, transactionOf } from './execution.ts'
import type { components } from './generated/api.ts'
import { pause } from './pause.ts'
import { createPause } from './poll.ts'
import type { Rest } from './rest.ts'
import { explainRevert } from './revert.ts'
import type { Hash } from './scalars.ts'
import type { Stream } from './subscribe.ts'

export type Transaction = components['schemas']['Transaction']

/** In the order in which a transaction reaches them. */
const STATUS_ORDER = ['MINED', 'FINALIZED', 'PROJECTED'] as const

export type Until = (typeof STATUS_ORDER)[number]

export type FollowOptions = {
  /** Default: `PROJECTED`, when every read shows it. */
  until?: Until
  /**
   * Default: as long as the chain needs to make its block final. The wait ends after ten minutes in which the
   * gateway does not answer or no node knows the transaction.
   */
  timeoutMs?: number
  /**
   * Milliseconds between two requests until it is mined; then the subscription to finalized blocks replaces most of
   * them. Default: 1000.
   */
  pollMs?: number
  /**
   * Execution of the transaction. Some wallets answer with an id of their own instead of a hash. The transaction is
   * then found by its execution.
   */
  executionId?: Hash
  /** Ends the wait, also in the middle of a request. */
  signal?: AbortSignal
  /** Called with each answer that differs from the one before in its status. */
  onStatus?: (transaction: Transaction) => void
}

/** Milliseconds for which nothing may be known of the transaction, unless there is a timeout. */
const UNKNOWN_MAX_MS = 600_000

/** The parts of the gateway that following needs. */
export type FollowDeps = { rest: Rest; subscribe: Stream }

/**
 * Reads the transaction until it has the requested status: at intervals until it is mined, then when reads show its
 * block. Without the subscription, at intervals all the time. Requires no session: a session can end before the block
 * is final. Retries after outages and rate limits.
 *
 * @throws GatewayError `TRANSACTION_REVERTED`, `ROUTE_ENDED`, `TIMEOUT`, and the gateway's refusals; the reason of
 *   `signal`
 */
export async function followTransaction(
  deps: FollowDeps,
  hash: Hash,
  options: FollowOptions = {},
): Promise<Transaction> {
  // It also ends the subscription.
  const finished = new AbortController()
  const { timeoutMs, signal } = options
  const ends = [finished.signal]
  if (timeoutMs !== undefined) ends.push(AbortSignal.timeout(timeoutMs))
  if (signal) ends.push(signal)
  try {
    return await read(deps, hash, options, AbortSignal.any(ends))
  } finally {
    finished.abort()
  }
}

/** @param end ends the wait */
async function read(
  { rest, subscribe }: FollowDeps,
  hash: Hash,
  { until = 'PROJECTED', timeoutMs, pollMs = 1000, executionId, signal, onStatus }: FollowOptions,
  end: AbortSignal,
): Promise<Transaction> {
  const untilNext = createPause(subscribe, pollMs, end)
  let last: Transaction['status'] | undefined
  // Time in which nothing was asked does not count: the machine may have slept.
  let unknownSince: number | undefined
  const isUnknownTooLong = () =>
    timeoutMs === undefined && unknownSince !== undefined && Date.now() - unknownSince > UNKNOWN_MAX_MS
  while (!end.aborted && !isUnknownTooLong()) {
    const answer = await askOnce(rest, { hash, executionId }, end)
    const isKnown = 'transaction' in answer && answer.transaction.status !== 'NOT_FOUND'
    unknownSince = isKnown ? undefined : (unknownSince ?? Date.now())
    if ('waitMs' in answer) {
      await pause(Math.max(answer.waitMs, pollMs), end)
      continue
    }
    const { transaction } = answer
    if (transaction.status !== last) onStatus?.(transaction)
    last = transaction.status
    if (transaction.status === 'REVERTED') throw reverted(transaction)
    if (hasReached(transaction.status, until)) return transaction
    await untilNext(transaction.block?.number)
  }
  signal?.throwIfAborted()
  throw new GatewayError({
    code: 'TIMEOUT',
    message: `${hash} did not reach ${until} within ${timeoutMs ?? UNKNOWN_MAX_MS} ms. Its last status is ${last ?? 'unknown'}.`,
  })
}

async function askOnce(
  rest: Rest,
  sent: { hash: Hash; executionId?: Hash | undefined },
  signal: AbortSignal,
): Promise<{ transaction: Transaction } | { waitMs: number }> {
  try {
    return { transaction: await readTransaction(rest, sent, signal) }
  } catch (error) {
    if (signal.aborted) return { waitMs: 0 }
    if (!(error instanceof GatewayError && error.retryable)) throw error
    return { waitMs: (error.retryAfter ?? 0) * 1000 }
  }
}

async function readTransaction(
  rest: Rest,
  { hash, executionId }: { hash: Hash; executionId?: Hash | undefined },
  signal: AbortSignal,
): Promise<Transaction> {
  const transaction = await rest.get('/api/v1/transactions/{hash}', { params: { path: { hash } }, signal })
  const isOwn = transaction.status !== 'NOT_FOUND' && transaction.status !== 'REVERTED'
  if (isOwn || !executionId) return transaction
  // The wallet has another name for it, or the route was sent twice and the other one was executed.
  const execution = await readExecution(rest, executionId, signal)
  const executed = transaction.status === 'REVERTED' ? hashOf(execution) : transactionOf(execution)
  return executed && executed !== hash ? readTransaction(rest, { hash: executed }, signal) : transaction
}

function hasReached(status: Transaction['status'], until: Until): boolean {
  return STATUS_ORDER.slice(STATUS_ORDER.indexOf(until)).some((step) => step === status)
}

function reverted({ hash, revert }: Transaction): GatewayError {
  return new GatewayError({
    code: 'TRANSACTION_REVERTED',
    message: [`${hash} failed.`, revert?.message, explainRevert(revert?.errorName ?? null)]
      .filter(Boolean)
      .join(' '),
    revert,
  })
}
