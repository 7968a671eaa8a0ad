import { once } from 'node:events'
import { serve } from '@hono/node-server'

type Fetch = Parameters<typeof serve>[0]['fetch']

/** Real HTTP on a free port of this machine. `close` waits for answers under way. */
export async function serveHttp(fetch: Fetch): Promise<{ url: string; close: () => Promise<void> }> {
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
