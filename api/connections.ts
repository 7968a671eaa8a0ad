/** The connections of a server. They are watched once each, and not at each of their requests. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createInFlight } from './in-flight.ts'

export type Connection = {
  readonly socket: Socket
  /** The answer to the latest request. Those to earlier ones are sent before it. */
  latest: ServerResponse
}

export type Connections = {
  /** The open connections that had a request. */
  readonly all: () => readonly Connection[]
  /** Undefined for one that had no request. */
  readonly of: (socket: Socket) => Connection | undefined
}

/** To be called before the server has a listener that answers, which may answer synchronously. */
export function watchConnections(server: Server): Connections {
  const open = createInFlight<Connection>()
  const bySocket = new WeakMap<Socket, Connection>()
  server.prependListener('request', ({ socket }, response) => {
    const known = bySocket.get(socket)
    if (known) {
      known.latest = response
      return
    }
    const connection = { socket, latest: response }
    bySocket.set(socket, connection)
    open.add(connection)
    socket.once('close', () => open.remove(connection))
  })
  return { all: open.all, of: (socket) => bySocket.get(socket) }
}

/** Whether the latest request of the connection has no answer yet, or one that has not ended. */
export function isAnswering({ latest }: Connection): boolean {
  return !latest.writableEnded
}
