/** HTTP servers that a gateway has no reason to reach. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Records every request and answers 404. */
export async function startListener() {
  const requests: string[] = []
  const server = await listen((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.writeHead(404).end()
  })
  return { ...server, requests }
}

/** Sends every request on to another address, its body too (307). */
export function startRedirect(location: string) {
  return listen((_, response) => response.writeHead(307, { location }).end())
}

/** Starts a server on a free port. */
export async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server.address())
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the listener has no port')
  return address.port
}
