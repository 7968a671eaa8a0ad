/** The operations port: `/metrics` and nothing else. */
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { Registry } from 'prom-client'

type Address = {
  host: string
  /** 0 takes any free one. */
  port: number
}

/** @returns its port, and closes it. @throws Error when it cannot be listened on */
export async function serveMetrics(registry: Registry, { host, port }: Address) {
  const app = new Hono().get('/metrics', async (c) =>
    c.text(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
  )
  const server = serve({ fetch: app.fetch, hostname: host, port })
  await once(server, 'listening').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${host}:${port} of GATEWAY_METRICS_PORT cannot be listened on: ${reason}`, { cause })
  })
  const address = server.address()
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    close: () => {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}
