/** An HTTP server of one test, and a client that is no more than a socket. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Connects a client to a server of its own; both end with the test.
 *
 * @param setUp adds the listeners of the server
 * @returns the server, its port, the client, and the server's end of the connection
 */
export async function connectRaw(
  setUp: (server: Server) => void,
): Promise<{ server: Server; port: number; client: Socket; peer: Socket }> {
  const server = createServer()
  setUp(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const connected = once(server, 'connection')
  const client = connect(port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  const [peer] = await connected
  return { server, port, client, peer }
}
