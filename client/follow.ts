/** Waits until a transaction has the requested status. */
import { GatewayError } from './errors.ts'
import type { components } from './generated/api.ts'
import type { Rest } from './rest.ts'

export type Transaction = components['schemas']['Transaction']

/** In the order in which a transaction reaches them. */
const WAY = ['MINED', 'FINALIZED', 'PROJECTED'] as const

export type Until = (typeof WAY)[number]

export type FollowOptions = {
  /** `PROJECTED`, when every read shows it, unless given. */
  until?: Until
  /** Ten minutes unless given: finality takes its time on some chains. */
  timeoutMs?: number
  pollMs?: number
  signal?: AbortSignal
  /** Called with each answer that differs from the one before in its status. */
  onStatus?: (transaction: Transaction) => void
}

/**
 * Polls the gateway until the transaction has the requested status. Requires a session. Retries after outages and rate limits.
 *
 * @throws GatewayError `TRANSACTION_REVERTED`, `TIMEOUT`, and the gateway's refusals
 */
export async function followTransaction(
  rest: Rest,
  hash: string,
  { until = 'PROJECTED', timeoutMs = 600_000, pollMs = 1000, signal, onStatus }: FollowOptions = {},
): Promise<Transaction> {
  const patience = AbortSignal.timeout(timeoutMs)
  let last: Transaction['status'] | undefined
  while (!patience.aborted) {
    signal?.throwIfAborted()
    const answer = await askPatiently(rest, hash)
    if ('wait' in answer) {
      await pause(Math.max(answer.wait, pollMs))
      continue
    }
    const { transaction } = answer
    if (transaction.status !== last) onStatus?.(transaction)
    last = transaction.status
    if (transaction.status === 'REVERTED') throw reverted(transaction)
    if (isThatFar(transaction.status, until)) return transaction
    await pause(pollMs)
  }
  throw new GatewayError({
    code: 'TIMEOUT',
    message: `${hash} was ${last ?? 'never answered for'} after ${timeoutMs} ms, not ${until}.`,
  })
}

async function askPatiently(
  rest: Rest,
  hash: string,
): Promise<{ transaction: Transaction } | { wait: number }> {
  try {
    return { transaction: await rest.get('/api/v1/transactions/{hash}', { params: { path: { hash } } }) }
  } catch (error) {
    if (error instanceof GatewayError && error.retryAfter !== undefined)
      return { wait: error.retryAfter * 1000 }
    throw error
  }
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
