/**
 * How the server stops: no client sends a request over a connection that is being closed, unless it ignored what it was
 * sent.
 */
import type { Server } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate as nextIteration, setTimeout as pause } from 'node:timers/promises'
import { answerOf, type Connections, lastAnswerOf } from './connections.ts'

/**
 * Milliseconds for which a connection stays open after an answer. `Keep-Alive: timeout=5` of each answer states the
 * first number; a request that was sent before it may arrive within the second.
 */
export const KEEP_ALIVE = { timeoutMs: 5000, marginMs: 1000 } as const

/** Milliseconds between two searches for idle connections. */
const IDLE_CHECK_MS = 50

/**
 * @returns stops accepting connections, and resolves when the last one is closed. From then on each answer has
 * `Connection: close`, also to requests that are pending; not before, since its client would open another connection at
 * the time when the listener closes. A connection without a request is closed after `idleMs` at the earliest. Requests
 * that are pending after `timeoutMs` are aborted.
 */
export function createDrain(
  server: Server,
  connections: Connections,
): (idleMs: number, timeoutMs: number) => Promise<void> {
  return async (idleMs, timeoutMs) => {
    await quietIteration()
    const closed = stopListening(server)
    // Before the listener that answers, which may answer synchronously.
    server.prependListener('request', (_, response) => {
      response.shouldKeepAlive = false
    })
    for (const connection of connections.all) {
      const last = lastAnswerOf(connection)
      if (last && !last.writableEnded) last.shouldKeepAlive = false
    }
    const ended = new AbortController()
    const limit = setTimeout(() => server.closeAllConnections(), timeoutMs)
    void closeIdle(server, connections, idleMs, ended.signal)
    await closed
    ended.abort()
    clearTimeout(limit)
  }
}

/**
 * Milliseconds of an iteration of the event loop with nearly no events, and how long to wait for one: a busy process
 * has none.
 */
const QUIET_ITERATION_MS = 0.2
const QUIET_WITHIN_MS = 500

/**
 * Resolves right after an iteration that accepted all connections and did hardly anything else. The kernel resets those
 * that it has established and the process has not accepted when the listener closes: the shorter the time since the
 * last look, the fewer there are.
 */
async function quietIteration(): Promise<void> {
  const last = performance.now() + QUIET_WITHIN_MS
  for (let began = performance.now(); began < last; began = performance.now()) {
    await nextIteration()
    if (performance.now() - began < QUIET_ITERATION_MS) return
  }
}

/** Closes the listener alone: `close` of an HTTP server also closes connections over which a request is on its way. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    Listener.prototype.close.call(server, () => resolve())
  })
}

async function closeIdle(
  server: Server,
  connections: Connections,
  afterMs: number,
  signal: AbortSignal,
): Promise<void> {
  await pause(afterMs, undefined, { signal }).catch(() => {})
  while (!signal.aborted) {
    // Node takes a connection for idle once its answer has ended, though bytes of it may be unsent.
    const isSending = [...connections.all].some((one) => answerOf(one)?.writableEnded)
    if (!isSending) server.closeIdleConnections()
    await pause(IDLE_CHECK_MS, undefined, { signal }).catch(() => {})
  }
}
