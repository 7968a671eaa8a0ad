/**
 * A connection to Postgres that is cut at the COMMIT of an event's rows: before the COMMIT arrives, or before its
 * answer does. The client cannot distinguish the two.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

const BEGIN = Buffer.from('begin\0')
const COMMIT = Buffer.from('commit\0')
/** Every event is an activity. */
const ROWS = Buffer.from('"activity"')

export type Cut = 'before' | 'after'

export async function startCommitLine(target: URL) {
  const sockets = new Set<Socket>()
  let armed: Cut | undefined
  let onCut = () => {}
  const cut = (client: Socket) => {
    armed = undefined
    client.destroy()
    onCut()
  }
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    let hasRows = false
    let isCommitting = false
    client.on('data', (chunk) => {
      if (chunk.includes(BEGIN)) hasRows = false
      hasRows ||= chunk.includes(ROWS)
      isCommitting = hasRows && chunk.includes(COMMIT)
      if (isCommitting && armed === 'before') cut(client)
      else upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (isCommitting && armed === 'after') cut(client)
      else client.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    /** Cuts the next such connection. Resolves when it is cut. */
    cutNext: (where: Cut) =>
      new Promise<void>((resolve) => {
        onCut = resolve
        armed = where
      }),
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
