/** Limits for answers that a client does not read: bytes that are not sent stay in the memory of this process. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createInFlight } from './in-flight.ts'

export type UnreadLimits = {
  /** Milliseconds without progress after which a connection with unsent bytes is closed. */
  readonly stalledMs: number
  /** Milliseconds from the end of an answer until all of it must be sent. A stream counts from its last byte. */
  readonly answerMs: number
}

/** Closes connections whose clients do not read. One that waits for its answer, or for the next event of a stream, stays open. */
export function limitUnread(server: Server, { stalledMs, answerMs }: UnreadLimits): void {
  const answering = createInFlight<Socket>()
  // Node restarts this timer whenever the operating system takes bytes of a write.
  server.timeout = stalledMs
  // With a listener, Node no longer closes timed-out connections itself, idle keep-alive ones included.
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) return socket.destroy()
    // A stalled process runs its timers before it reads what clients have sent meanwhile.
    const { bytesRead } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead && !answering.has(socket)) socket.destroy()
    })
  })
  // Runs before the listener that answers, which may answer synchronously.
  server.prependListener('request', ({ socket }, response) => {
    answering.add(socket)
    let timer: NodeJS.Timeout | undefined
    const limitAnswer = () => {
      timer = setTimeout(() => socket.destroy(), answerMs)
    }
    response.once('prefinish', limitAnswer)
    response.once('close', () => {
      // An answer may be given to a client that has left.
      response.off('prefinish', limitAnswer)
      clearTimeout(timer)
      answering.remove(socket)
    })
  })
}
