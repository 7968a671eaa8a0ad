/**
 * Subscriptions: a query that runs again on a new snapshot when the finalized block has advanced, and sends an event when its result
 * has changed. A slow client misses events in between, never the last.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createSourceEventStream, type ExecutionArgs, type ExecutionResult } from 'graphql'
import { isAsyncIterable } from 'graphql-yoga'
import { CodedError, shuttingDown } from '../errors.ts'
import type { Release } from '../middleware/concurrency-limit.ts'
import type { AppEnv } from '../middleware/env.ts'
import type { ProjectionWatch } from '../projection/watch.ts'
import type { Cost } from './bounds.ts'
import { type GraphqlContext, startOperation } from './context.ts'
import { maskError, refuse } from './errors.ts'
import { runOnOneSnapshot } from './run.ts'

/** Milliseconds before a retry after a failure of the database. */
const RETRY_MS = 1000

/** Only the end of the watch ends a source whose client is still there. */
const STOPPED =
  'The gateway is shutting down. Subscribe again to go on; the first event shows what has changed.'

export type FollowArgs = ExecutionArgs & { contextValue: GraphqlContext }

type Follow = {
  watch: ProjectionWatch
  openSnapshot: AppEnv['Variables']['openSnapshot']
  cost: Cost
  /** Waits for the concurrency limit of reads: subscriptions wake together and must leave connections to others. Throws when the signal aborts. */
  acquire: () => Promise<Release>
  /** Whether the session that opened the subscription has expired or was ended. Rejects if that cannot be determined. */
  isSessionOver: () => Promise<boolean>
  /** Aborts when the subscription ends. */
  signal: AbortSignal
}

/**
 * The events of a subscription. Where the first read fails, a single event without data ends it; later outages of the database do not.
 * When the gateway shuts down, the last event has the error `SHUTTING_DOWN`.
 */
export async function* follow(
  args: FollowArgs,
  on: Follow,
): AsyncGenerator<ExecutionResult, void, undefined> {
  let seen = 0n
  async function* advances() {
    do yield
    while (await on.watch.reached(seen + 1n, on.signal))
  }
  const contextValue: GraphqlContext = { ...args.contextValue, advances }
  const source = await createSourceEventStream({ ...args, contextValue })
  if (!isAsyncIterable(source)) return yield source
  let sent: string | undefined
  for await (const rootValue of source) {
    const isFirst = sent === undefined
    const release = isFirst ? () => {} : await on.acquire().catch(() => undefined)
    if (!release) return
    const isOver = isFirst ? false : await on.isSessionOver().catch(() => undefined)
    if (isOver) return release()
    if (isOver === undefined) {
      release()
      await pause(RETRY_MS, undefined, { signal: on.signal }).catch(() => {})
      continue
    }
    const operation = startOperation(() => on.openSnapshot(isFirst ? 'read' : 'live', on.signal))
    const run = { ...args, rootValue, contextValue: { ...contextValue, operation } }
    const result = await runOnOneSnapshot(run, operation, on.cost).finally(release)
    if (isOutage(result)) {
      if (isFirst) return yield { errors: result.errors ?? [] }
      await pause(RETRY_MS, undefined, { signal: on.signal }).catch(() => {})
      continue
    }
    seen = (await operation.opened())?.finalizedThrough.blockNumber ?? seen
    const content = digest(result)
    if (content !== sent) yield result
    sent = content
  }
  if (!on.signal.aborted) yield { errors: [refuse(shuttingDown(STOPPED))] }
}

function isOutage({ errors = [] }: ExecutionResult): boolean {
  return errors.some((error) => {
    const { originalError } = maskError(error)
    return originalError instanceof CodedError && originalError.status === 503
  })
}

/** A hash of the result without the block of the read. */
function digest({ data, errors = [] }: ExecutionResult): string {
  const content = JSON.stringify([data, errors.map(({ message, path }) => [message, path])])
  return createHash('sha256').update(content).digest('base64')
}
