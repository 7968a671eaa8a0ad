/** A collector of traces: OTLP over HTTP, as JSON. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const value = z.object({ stringValue: z.string().optional(), intValue: z.number().optional() })
const attributes = z.array(z.object({ key: z.string(), value }))
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  status: z.object({ code: z.number() }),
  attributes,
})
const body = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(span) })) }),
  ),
})

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  /** 2: server, 3: client. */
  kind: number
  /** 0: unset, 2: error. */
  status: { code: number }
  attributes: Record<string, string | number | undefined>
}

export async function startTraceReceiver() {
  const spans: ReceivedSpan[] = []
  const services = new Set<string | undefined>()
  const server = createServer(async (request, response) => {
    if (request.url !== '/v1/traces') return response.writeHead(404).end()
    const sent = body.parse(JSON.parse(await text(request)))
    for (const { resource, scopeSpans } of sent.resourceSpans) {
      services.add(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue)
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(received)))
    }
    response.setHeader('Content-Type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    spans,
    /** Names of the services that sent them. */
    services,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function received({ attributes, parentSpanId, ...rest }: z.output<typeof span>): ReceivedSpan {
  const values = attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue])
  return { ...rest, parentSpanId, attributes: Object.fromEntries(values) }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return address.port
}
