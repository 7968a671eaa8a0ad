/** A node behind HTTP whose answers a test can replace. */
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { listen } from './listener.ts'

const rpcRequest = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()).default([]) })
export type RpcRequest = z.output<typeof rpcRequest>

/**
 * Reaction of the proxy to a request: an HTTP status or an error fails it, a value is the result, `from` is the URL of
 * another node that answers, `silence` never answers, undefined passes the request on.
 */
export type Answer =
  | 'silence'
  | { from: string }
  | { status: number; body?: string; headers?: Record<string, string> }
  | { result: unknown }
  | { error: { code: number; message: string; data?: string } }
  | undefined

/** Starts a server on a free port. `answer` is asked about every request; without `upstream` it must know them all. */
export function startNodeProxy(
  answer: (request: RpcRequest, headers: IncomingHttpHeaders) => Answer | Promise<Answer>,
  upstream?: string,
) {
  return listen(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // The client closed the connection within its request, as a killed process does.
    if (body === undefined) return
    const call = rpcRequest.parse(JSON.parse(body))
    const answered = await answer(call, request.headers)
    if (answered === 'silence') return
    if (answered && 'status' in answered) {
      response.writeHead(answered.status, answered.headers).end(answered.body ?? 'out of order')
      return
    }
    response.setHeader('content-type', 'application/json')
    if (answered && 'from' in answered) response.end(await forward(answered.from, body))
    else if (answered) response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answered }))
    else if (upstream) response.end(await forward(upstream, body))
    else response.writeHead(500).end(`nothing answers ${call.method}`)
  })
}

async function forward(upstream: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(upstream, { method: 'POST', headers, body })).text()
}
