/** Waits until a transaction has the requested status. */
import { GatewayError } from './errors.ts'
import type { components } from './generated/api.ts'
import type { Rest } from './rest.ts'

export type Transaction = components['schemas']['Transaction']

/** In the order in which a transaction reaches them. */
const WAY = ['MINED', 'FINALIZED', 'PROJECTED'] as const

export type Until = (typeof WAY)[number]

export type FollowOptions = {
  /** Default: `PROJECTED`, when every read shows it. */
  until?: Until
  /** Default: 600,000 (ten minutes), because some chains finalize late. */
  timeoutMs?: number
  /** Default: 1000. */
  pollMs?: number
  /** Ends the wait, also in the middle of a request. */
  signal?: AbortSignal
  /** Called with each answer that differs from the one before in its status. */
  onStatus?: (transaction: Transaction) => void
}

/** The longest delay of `setTimeout`, milliseconds: a longer one would fire at once. */
const DELAY_MAX_MS = 2 ** 31 - 1

/**
 * Polls the gateway until the transaction has the requested status. Requires a session. Retries after outages and rate limits.
 *
 * @throws GatewayError `TRANSACTION_REVERTED`, `TIMEOUT`, and the gateway's refusals; the reason of `signal`
 */
export async function followTransaction(
  rest: Rest,
  hash: string,
  { until = 'PROJECTED', timeoutMs = 600_000, pollMs = 1000, signal, onStatus }: FollowOptions = {},
): Promise<Transaction> {
  const limit = AbortSignal.timeout(timeoutMs)
  const end = signal ? AbortSignal.any([signal, limit]) : limit
  let last: Transaction['status'] | undefined
  while (!end.aborted) {
    const answer = await askOnce(rest, hash, end)
    if ('waitMs' in answer) {
      await pause(Math.max(answer.waitMs, pollMs), end)
      continue
    }
    const { transaction } = answer
    if (transaction.status !== last) onStatus?.(transaction)
    last = transaction.status
    if (transaction.status === 'REVERTED') throw reverted(transaction)
    if (isThatFar(transaction.status, until)) return transaction
    await pause(pollMs, end)
  }
  signal?.throwIfAborted()
  throw new GatewayError({
    code: 'TIMEOUT',
    message: `${hash} was ${last ?? 'never answered for'} after ${timeoutMs} ms, not ${until}.`,
  })
}

async function askOnce(
  rest: Rest,
  hash: string,
  signal: AbortSignal,
): Promise<{ transaction: Transaction } | { waitMs: number }> {
  try {
    const transaction = await rest.get('/api/v1/transactions/{hash}', { params: { path: { hash } }, signal })
    return { transaction }
  } catch (error) {
    if (signal.aborted) return { waitMs: 0 }
    if (!(error instanceof GatewayError && isPassing(error))) throw error
    return { waitMs: (error.retryAfter ?? 0) * 1000 }
  }
}

/** Whether another try may be answered: after a limit, a connection that failed, and an answer of something before the gateway. */
function isPassing({ code, status = 503, retryAfter }: GatewayError): boolean {
  return retryAfter !== undefined || (code === 'UNREACHABLE' && status >= 500)
}

function isThatFar(status: Transaction['status'], until: Until): boolean {
  return WAY.slice(WAY.indexOf(until)).some((step) => step === status)
}

function reverted({ hash, revert }: Transaction): GatewayError {
  return new GatewayError({
    code: 'TRANSACTION_REVERTED',
    message: `${hash} failed. ${revert?.message ?? ''}`.trim(),
    revert,
  })
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, DELAY_MAX_MS))
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
