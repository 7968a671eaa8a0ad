import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of a real server, to hold back or delay what is sent to it, or to cut it off. */
export async function startProxy(target: URL) {
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  let isHeld = false
  let isCut = false
  let delayMs = 0
  let onHeld = () => {}
  const held = new Promise<void>((resolve) => {
    onHeld = resolve
  })
  const waiting: (() => void)[] = []
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    clients.add(client)
    for (const event of ['end', 'close']) client.on(event, () => clients.delete(client))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    const delayed: Buffer[] = []
    client.on('data', (chunk) => {
      if (delayMs > 0 || delayed.length > 0) {
        delayed.push(chunk)
        // Each timer sends the oldest chunk, so the order stays when the delay changes.
        return void setTimeout(() => upstream.write(delayed.shift() ?? ''), delayMs)
      }
      if (!isHeld) return upstream.write(chunk)
      waiting.push(() => upstream.write(chunk))
      onHeld()
    })
    upstream.on('data', (chunk) => client.write(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    /** Number of connections that their client has not ended. */
    connections: () => clients.size,
    /** From now on, requests are kept back. */
    hold: () => {
      isHeld = true
    },
    /** Resolves when a request is kept back. */
    held: () => held,
    release: () => {
      isHeld = false
      for (const send of waiting.splice(0)) send()
    },
    /** From now on, what is sent arrives this much later. */
    delay: (milliseconds: number) => {
      delayMs = milliseconds
    },
    /** The connections that there are stay open, and carry nothing more in either direction. */
    silence: () => {
      for (const socket of sockets) socket.pause()
    },
    cut: () => {
      isCut = true
      closeAll()
    },
    mend: () => {
      isCut = false
    },
    stop: () => {
      closeAll()
      server.close()
    },
  }
}
