/** A line to Postgres that breaks between the COMMIT of an event's rows and its answer: the rows are there, and the client cannot know. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

const BEGIN = Buffer.from('begin\0')
const COMMIT = Buffer.from('commit\0')
/** Every event is an activity. */
const ROWS = Buffer.from('"activity"')

export async function startCommitLine(target: URL) {
  const sockets = new Set<Socket>()
  let isArmed = false
  let onCut = () => {}
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
      isCommitting = isArmed && hasRows && chunk.includes(COMMIT)
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (!isCommitting) return client.write(chunk)
      isArmed = false
      client.destroy()
      onCut()
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
    cutNext: () =>
      new Promise<void>((resolve) => {
        onCut = resolve
        isArmed = true
      }),
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
