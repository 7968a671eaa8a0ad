/**
 * A line to Postgres that breaks at a chosen statement: before it is run, after it, or for good while it is under way.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * `before`: the statement never arrives. `after`: it is run and its result is lost. `hold`: it waits until the line is
 * closed.
 */
export type LineFault = 'before' | 'after' | 'hold'

const QUERY = 0x51
const EXECUTE = 0x45
const HEADER_BYTES = 4

export async function startFaultyPostgres(target: URL) {
  const sockets = new Set<Socket>()
  let left = Number.POSITIVE_INFINITY
  let fault: LineFault = 'before'
  let hasFailed = false
  let onFailed = () => {}

  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    if (hasFailed && fault !== 'hold' && left < 0) return client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    const statements = createStatementCounter()
    let losesAnswer = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk) => {
      left -= statements.in(chunk)
      if (left >= 0) return upstream.write(chunk)
      hasFailed = true
      onFailed()
      if (fault === 'before') cut()
      if (fault !== 'after') return
      losesAnswer = true
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => (losesAnswer ? cut() : client.write(chunk)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    /** Fails after the given number of good statements, until it is mended. @returns a promise of the failure */
    failAfter: (goodStatements: number, how: LineFault): Promise<void> => {
      left = goodStatements
      fault = how
      hasFailed = false
      return new Promise((resolve) => {
        onFailed = resolve
      })
    },
    /** @returns whether a statement has failed since `failAfter` */
    mend: (): boolean => {
      left = Number.POSITIVE_INFINITY
      return hasFailed
    },
    stop: () => {
      cut()
      server.close()
    },
  }
}

/** Counts Query and Execute messages in what a client of Postgres sends; its first message alone has no type. */
function createStatementCounter() {
  let rest = Buffer.alloc(0)
  let isStarted = false
  return {
    in: (chunk: Buffer): number => {
      let count = 0
      rest = Buffer.concat([rest, chunk])
      for (;;) {
        const typeBytes = isStarted ? 1 : 0
        if (rest.length < typeBytes + HEADER_BYTES) return count
        const length = typeBytes + rest.readUInt32BE(typeBytes)
        if (rest.length < length) return count
        if (isStarted && (rest[0] === QUERY || rest[0] === EXECUTE)) count += 1
        rest = rest.subarray(length)
        isStarted = true
      }
    },
  }
}
