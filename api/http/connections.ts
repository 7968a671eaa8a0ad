/** The connections of a server. They are watched once each, and not at each of their requests. */
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Connection = {
  readonly socket: Socket
  /**
   * The answers to its requests, in the order in which they are sent: a client may send a request before the last
   * answer. Some may have been sent.
   */
  readonly answers: ServerResponse[]
}

export type Connections = {
  /** The open connections that had a request. */
  readonly all: ReadonlySet<Connection>
  /** Undefined for one that had no request. */
  readonly of: (socket: Socket) => Connection | undefined
}

/** To be called before the server has a listener that answers, which may answer synchronously. */
export function watchConnections(server: Server): Connections {
  const open = new Set<Connection>()
  const bySocket = new WeakMap<Socket, Connection>()
  const begin = (socket: Socket): Connection => {
    const connection = { socket, answers: [] }
    bySocket.set(socket, connection)
    open.add(connection)
    socket.once('close', () => open.delete(connection))
    return connection
  }
  server.prependListener('request', ({ socket }, response) => {
    const connection = bySocket.get(socket) ?? begin(socket)
    answerOf(connection)
    connection.answers.push(response)
  })
  return { all: open, of: (socket) => bySocket.get(socket) }
}

/** Returns the answer that is sent, or sent next; undefined if all have been sent. */
export function answerOf({ answers }: Connection): ServerResponse | undefined {
  while (answers[0]?.writableFinished) answers.shift()
  return answers[0]
}

/** Returns the answer after which the connection may be closed. */
export function lastAnswerOf({ answers }: Connection): ServerResponse | undefined {
  return answers.at(-1)
}

/** Whether a request of the connection has no answer yet, or one that has not ended. */
export function isAnswering({ answers }: Connection): boolean {
  return answers.some((answer) => !answer.writableEnded)
}

/** Requests of one connection without a complete answer. Clients that send before the last answer send few. */
export const UNANSWERED_MAX = 32

/**
 * Answers the requests of each connection one after another: a client that sends many and reads nothing has one answer
 * in memory. Closes a connection with more than `UNANSWERED_MAX` requests without a complete answer.
 *
 * @param connections watches the server before this listener is added
 */
export function inTurn(connections: Connections, listener: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request
    const waiting = connections.of(socket)?.answers.length ?? 0
    if (waiting > UNANSWERED_MAX) socket.destroy()
    // The parser goes on to the end of the bytes that arrived together.
    if (socket.destroyed) return
    // Node gives the socket to an answer when those before it are complete; to none if the connection ends with them.
    if (response.socket) return listener(request, response)
    response.once('socket', () => listener(request, response))
  }
}
