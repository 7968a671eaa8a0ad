/** GraphQL subscriptions over server-sent events. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { GatewayError, toGatewayError } from './errors.ts'
import { isAnswer, type ReadOptions, type TypedDocument, toData, toRequest } from './graphql.ts'
import { TIMER_MAX_MS } from './pause.ts'
import type { Send } from './transport.ts'

/** As `subscribe` of a gateway, with variables that the caller has checked. */
export type Stream = <Result, Variables extends object>(
  document: TypedDocument<Result, Variables>,
  variables?: Variables,
  options?: ReadOptions,
) => AsyncGenerator<Result, void>

/**
 * The gateway sends at least a comment every 12 seconds. A connection that is silent for longer is lost, even if
 * neither end has closed it.
 */
export const IDLE_MS = 30_000

/**
 * Answers as they arrive, until the gateway completes the subscription. Leaving the loop, and `options.signal`, end it.
 *
 * @param idleMs milliseconds of silence after which the connection counts as lost
 * @throws GatewayError with the code of an error; `UNREACHABLE` when the connection ends otherwise; the reason of the
 * signal
 */
export function createSubscribe(url: string, send: Send, idleMs: number): Stream {
  return async function* (document, variables, options = {}) {
    const leaving = new AbortController()
    const signal = options.signal ? AbortSignal.any([options.signal, leaving.signal]) : leaving.signal
    const unlessIdle: UnlessIdle = (pending) =>
      new Promise((resolve, reject) => {
        const end = () => {
          reject(silent(url, idleMs))
          leaving.abort()
        }
        const timer = setTimeout(end, Math.min(idleMs, TIMER_MAX_MS))
        pending.then(resolve, reject).finally(() => clearTimeout(timer))
      })
    try {
      const operation = { document, variables, options: { ...options, signal } }
      const response = await unlessIdle(send(toRequest(url, 'text/event-stream', operation)))
      for await (const { event, data } of eventsOf(response, await bodyOf(response), unlessIdle)) {
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
  const answer = await response.json().catch(() => undefined)
  if (isAnswer(answer)) toData(answer, response.status)
  throw lost(response)
}

/** The value of a promise. Rejects, and ends the connection, if the value does not arrive in time. */
type UnlessIdle = <Value>(pending: Promise<Value>) => Promise<Value>

/** A reader instead of `for await`: Safari cannot iterate streams. */
async function* eventsOf(
  response: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  unlessIdle: UnlessIdle,
): AsyncGenerator<EventSourceMessage, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => events.push(event) })
  for (;;) {
    const chunk = reader.read().catch((cause: unknown) => {
      throw lost(response, cause)
    })
    const { done, value } = await unlessIdle(chunk)
    if (done) return
    parser.feed(value)
    yield* events.splice(0)
  }
}

function lost({ url }: Response, cause?: unknown): GatewayError {
  return new GatewayError({ code: 'UNREACHABLE', message: `${url} ended the subscription.`, cause })
}

function silent(url: string, idleMs: number): GatewayError {
  const message = `${url} has sent nothing to the subscription for ${idleMs} ms.`
  return new GatewayError({ code: 'UNREACHABLE', message })
}
