/** GraphQL subscriptions over server-sent events. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { GatewayError, toGatewayError } from './errors.ts'
import { type Given, type ReadOptions, type TypedDocument, toData, toRequest } from './graphql.ts'
import type { Send } from './transport.ts'

/** As `Subscribe`, with variables that the caller has checked. */
export type Stream = <Result, Variables extends object>(
  document: TypedDocument<Result, Variables>,
  variables?: Variables,
  options?: ReadOptions,
) => AsyncGenerator<Result, void>

export type Subscribe = <Result, Variables extends object>(
  document: TypedDocument<Result, Variables>,
  ...given: Given<Variables>
) => AsyncGenerator<Result, void>

/**
 * Answers as they arrive, until the gateway completes the subscription. Leaving the loop, and `options.signal`, end it.
 *
 * @throws GatewayError with the code of an error; `UNREACHABLE` when the connection ends otherwise; the reason of the
 * signal
 */
export function createSubscribe(url: string, send: Send): Stream {
  return async function* (document, variables, options = {}) {
    const leaving = new AbortController()
    const signal = options.signal ? AbortSignal.any([options.signal, leaving.signal]) : leaving.signal
    try {
      const operation = { document, variables, options: { ...options, signal } }
      const response = await send(toRequest(url, 'text/event-stream', operation))
      for await (const { event, data } of eventsOf(response, await bodyOf(response))) {
        // A gateway may complete what is aborted.
        if (event === 'complete') return options.signal?.throwIfAborted()
        if (event === 'next') yield toData(JSON.parse(data), response.status)
      }
      throw lost(response)
    } catch (error) {
      options.signal?.throwIfAborted()
      throw error
    } finally {
      leaving.abort()
    }
  }
}

async function bodyOf(response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const isStream = response.headers.get('Content-Type')?.includes('text/event-stream')
  if (isStream && response.body) return response.body
  if (response.headers.get('Content-Type')?.includes('problem')) throw await toGatewayError(response)
  toData(await response.json().catch(() => ({ data: null })), response.status)
  throw lost(response)
}

/** A reader instead of `for await`: Safari cannot iterate streams. */
async function* eventsOf(response: Response, body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw lost(response, cause)
    })
    if (done) return
    yield value
  }
}

function lost({ url }: Response, cause?: unknown): GatewayError {
  return new GatewayError({ code: 'UNREACHABLE', message: `${url} ended the subscription.`, cause })
}
