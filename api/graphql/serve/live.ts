/**
 * Subscriptions: an operation that is answered again on a new snapshot when the finalized block has advanced, and sends
 * an event when its data has changed. A slow client misses events in between, never the last.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hex } from 'viem'
import { shuttingDown, toCodedError } from '../../errors.ts'
import type { HeadWatch } from '../../head/watch-head.ts'
import type { Release } from '../../limits/concurrency-limit.ts'
import type { ProjectionWatch } from '../../projection/session/watch.ts'
import type { Prepared, Reader } from '../operation/run.ts'
import { type Answer, answerPrepared, type Failure, isAnswer, toFailure } from './answer.ts'

/** Milliseconds before a retry after a failure. */
const RETRY_MS = 1000

/** Only the end of the watch ends a subscription whose client is still there. */
const STOPPED =
  'The gateway is shutting down. Subscribe again to go on; the first event shows what has changed.'

type Follow = {
  watch: ProjectionWatch
  head: HeadWatch
  /** Reads the events after the first. */
  reader: Reader
  /**
   * Waits for the concurrency limit of reads: subscriptions wake together and must leave connections to others. Throws
   * when the signal aborts.
   */
  acquire: () => Promise<Release>
  /**
   * Whether the session that opened the subscription has expired or was ended. Rejects if that cannot be determined.
   */
  isSessionOver: () => Promise<boolean>
  /** Aborts when the subscription ends. */
  signal: AbortSignal
}

/**
 * Yields the events of a subscription. An outage of the database at the first event ends the subscription; a later
 * outage does not.
 * When the gateway shuts down, the last event has the error `SHUTTING_DOWN`.
 */
export async function* follow(
  prepared: Prepared,
  first: Answer | Failure,
  on: Follow,
): AsyncGenerator<Answer | Failure, void, undefined> {
  yield first
  if (isOutage(first)) return
  let sent = digest(first)
  let seen = blockOf(first) ?? 0n
  const followsHead = isAnswer(first) && first.followsHead
  let head = on.head.latest()?.head.hash
  while (await nextBlock(on, seen, followsHead ? head : NOT_FOLLOWED)) {
    const latest = on.head.latest()?.head.hash
    const answer = await answerLater(prepared, on)
    if (answer === 'over') return
    if (answer === 'failed' || !isAnswer(answer)) {
      // The block that was waited for is not seen yet, so the next wait would end at once.
      await pause(RETRY_MS, undefined, { signal: on.signal }).catch(() => {})
    }
    if (answer === 'failed') continue
    seen = blockOf(answer) ?? seen
    head = latest
    const content = digest(answer)
    if (content !== sent) yield answer
    sent = content
  }
  if (!on.signal.aborted) yield toFailure(shuttingDown(STOPPED))
}

/** In place of the latest block of an operation that does not depend on it. */
const NOT_FOLLOWED = Symbol('not followed')

/**
 * Resolves when the projection has a later block, or the latest block is another one: to false when the subscription or
 * the watch of the projection ends.
 */
async function nextBlock(
  { watch, head, signal }: Follow,
  seen: bigint,
  latest: Hex | undefined | typeof NOT_FOLLOWED,
): Promise<boolean> {
  const advance = (of: AbortSignal) => watch.reached(seen + 1n, of).then((through) => through !== undefined)
  if (latest === NOT_FOLLOWED) return advance(signal)
  const waiting = new AbortController()
  const both = AbortSignal.any([signal, waiting.signal])
  try {
    const advanced = advance(both)
    const changed = head.changed(latest, both).then((isChanged) => isChanged || advanced)
    return await Promise.race([advanced, changed])
  } finally {
    waiting.abort()
  }
}

/** The next answer; `over` where the subscription ends, `failed` where the database does not answer now. */
async function answerLater(
  prepared: Prepared,
  { acquire, isSessionOver, reader }: Follow,
): Promise<Answer | Failure | 'over' | 'failed'> {
  const release = await acquire().catch(() => undefined)
  if (!release) return 'over'
  try {
    const isOver = await isSessionOver().catch(() => undefined)
    if (isOver !== false) return isOver ? 'over' : 'failed'
    const answer = await answerPrepared(prepared, reader)
    return isOutage(answer) ? 'failed' : answer
  } finally {
    release()
  }
}

function isOutage(answer: Answer | Failure): boolean {
  if (isAnswer(answer)) return false
  return answer.errors.some(({ originalError }) => toCodedError(originalError).status === 503)
}

function blockOf(answer: Answer | Failure): bigint | undefined {
  return isAnswer(answer) ? answer.state?.finalizedThrough.blockNumber : undefined
}

/** A hash of the answer without the block of the read. */
function digest(answer: Answer | Failure): string {
  const content = isAnswer(answer)
    ? answer.data
    : JSON.stringify(answer.errors.map(({ message, path }) => [message, path]))
  return createHash('sha256').update(content).digest('base64')
}
