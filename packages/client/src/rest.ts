/** Every endpoint, typed by the gateway's own OpenAPI document. */
import createClient, { defaultBodySerializer } from 'openapi-fetch'
import { GatewayError, refuseBroken, toGatewayError } from './errors.ts'
import type { paths } from './generated/api.ts'
import type { Send } from './transport.ts'

export type Rest = ReturnType<typeof createRest>

/**
 * Returns typed answers; throws a `GatewayError` for any other response. An export is read with `parseAs: 'text'`,
 * `'blob'` or `'stream'`.
 *
 * @param begin begins each `post`, and takes its answer before the caller does
 */
export function createRest(url: string, send: Send, begin: Begin = unverified) {
  const client = createClient<paths>({ baseUrl: url, fetch: send, bodySerializer })
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await toGatewayError(response)
    },
  })
  return { get: answering(client.GET, unverified), post: answering(client.POST, begin) }
}

/** @throws Error for a body that is not JSON, such as one with a `bigint`: the request is not sent */
function bodySerializer(body: unknown): string {
  try {
    return defaultBodySerializer(body)
  } catch (cause) {
    throw new Error('The body of the request is not JSON.', { cause })
  }
}

/** Begins a request with its arguments. @returns takes the answer, or throws */
type Begin = (call: readonly unknown[]) => Promise<(answer: unknown) => Promise<void>>

const unverified: Begin = async () => async () => {}

/** A method of the client that gives its data; all else was thrown on the way. */
function answering<Arguments extends unknown[], Data>(
  method: (...call: Arguments) => Promise<{ data?: Data }>,
  begin: Begin,
): (...call: Arguments) => Promise<Data> {
  return async (...call) => {
    const take = await begin(call)
    const { data } = await method(...call).catch(refuseBroken)
    if (data === undefined)
      throw new GatewayError({ code: 'UNREACHABLE', message: 'The answer has no body.' })
    await take(data)
    return data
  }
}
