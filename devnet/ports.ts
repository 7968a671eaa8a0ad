/** Chooses the port to listen on: the wanted one, or another if it is taken. */
import { createServer, type Server } from 'node:net'

/** A loopback port that was free a moment ago. */
export function freePort(): Promise<number> {
  return portNear(0)
}

/** The wanted port if it is free, else some other that is. */
export async function portNear(wanted: number): Promise<number> {
  const { port, release } = await reservePort(wanted)
  await release()
  return port
}

export type Reservation = { port: number; release: () => Promise<void> }

/** Takes the wanted port if it is free, else some other, until `release`. Connections to it are reset. */
export async function reservePort(wanted: number): Promise<Reservation> {
  const server = (await listenOn(wanted)) ?? (await listenOn(0))
  if (!server) throw new Error('no loopback port is free')
  server.on('connection', (socket) => socket.resetAndDestroy())
  server.unref()
  return { port: portOf(server), release: () => closed(server) }
}

function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (!address || typeof address !== 'object') throw new Error('the server listens at no port')
  return address.port
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()))
}

/** Words for a port that is not the wanted one. */
export function otherPort(port: number, wanted: number): string {
  return port === wanted ? '' : ` (port ${wanted} is taken)`
}
