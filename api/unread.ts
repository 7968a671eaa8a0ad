/** Answers that a client does not read: what is not sent yet stays in this process's memory. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export type UnreadLimits = {
  /** Milliseconds without progress after which a connection with unsent bytes is closed. */
  readonly stalledMs: number
  /** Milliseconds from the end of an answer until all of it must be sent. A stream counts from its last byte. */
  readonly answerMs: number
}

/** Closes connections whose clients do not read. One that waits for its answer, or for the next event of a stream, stays open. */
export function limitUnread(server: Server, { stalledMs, answerMs }: UnreadLimits): void {
  const answering = new Set<Socket>()
  // Node restarts this timer whenever the operating system takes bytes of a write.
  server.timeout = stalledMs
  // With a listener, Node leaves it to the listener to close connections that are kept alive, too.
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !answering.has(socket)) socket.destroy()
  })
  // Before the listener that answers, which can do so at once.
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
      answering.delete(socket)
    })
  })
}
