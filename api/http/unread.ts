/** Limits for answers that a client does not read: bytes that are not sent stay in the memory of this process. */
import type { Server, ServerResponse } from 'node:http'
import { answerOf, type Connections, isAnswering } from './connections.ts'

export type UnreadLimits = {
  /** Milliseconds without progress after which a connection with unsent bytes is closed. */
  readonly stalledMs: number
  /**
   * Milliseconds from the end of an answer until its client must have read it, besides the time that its unread bytes
   * take at `bytesPerSecond`; within an eighth. A stream counts from its last byte.
   */
  readonly graceMs: number
  /** The least rate at which clients must read. */
  readonly bytesPerSecond: number
}

/**
 * Closes connections whose clients do not read. One that waits for its answer, or for the next event of a stream, stays
 * open.
 */
export function limitUnread(
  server: Server,
  connections: Connections,
  { stalledMs, graceMs, bytesPerSecond }: UnreadLimits,
): void {
  // Node restarts this timer whenever the operating system takes bytes of a write.
  server.timeout = stalledMs
  // With a listener, Node no longer closes timed-out connections itself, idle keep-alive ones included.
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) return socket.destroy()
    // A stalled process runs its timers before it reads what clients have sent meanwhile.
    const { bytesRead } = socket
    setImmediate(() => {
      const connection = connections.of(socket)
      const isWaiting = connection !== undefined && isAnswering(connection)
      if (socket.bytesRead === bytesRead && !isWaiting) socket.destroy()
    })
  })
  const closing = setInterval(closeSlow(connections, graceMs, bytesPerSecond), graceMs / 8).unref()
  server.once('close', () => clearInterval(closing))
}

/**
 * @returns closes the connections whose clients read an answer too slowly. A timer of each answer would take longer
 * than a small answer's own writing.
 */
function closeSlow(connections: Connections, graceMs: number, bytesPerSecond: number): () => void {
  /** Times until which the answers that have ended must be read. */
  let ended = new Map<ServerResponse, number>()
  return () => {
    const now = performance.now()
    const stillEnded: typeof ended = new Map()
    for (const connection of connections.all) {
      const answer = answerOf(connection)
      if (!answer?.writableEnded) continue
      const until = ended.get(answer) ?? now + graceMs + (1000 * answer.writableLength) / bytesPerSecond
      if (now >= until) connection.socket.destroy()
      else stillEnded.set(answer, until)
    }
    ended = stillEnded
  }
}
