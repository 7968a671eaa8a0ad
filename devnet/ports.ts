/** Chooses the port to listen on: the wanted one, or another where it is taken. */
import { createServer } from 'node:net'

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const port = await tryPort(0)
  if (port === undefined) throw new Error('no loopback port is free')
  return port
}

/** The wanted port if it is free, else some other that is. */
export async function portNear(wanted: number): Promise<number> {
  return (await tryPort(wanted)) ?? freePort()
}

function tryPort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      const port = address && typeof address === 'object' ? address.port : undefined
      server.close(() => resolve(port))
    })
  })
}
