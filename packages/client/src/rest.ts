/** Every endpoint, typed by the gateway's own OpenAPI document. */
import createClient from 'openapi-fetch'
import { GatewayError, toGatewayError } from './errors.ts'
import type { paths } from './generated/api.ts'
import type { Send } from './transport.ts'

export type Rest = ReturnType<typeof createRest>

/**
 * Returns typed answers; throws a `GatewayError` for any other response. An export is read with `parseAs: 'text'`,
 * `'blob'` or `'stream'`.
 */
export function createRest(url: string, send: Send) {
  const client = createClient<paths>({ baseUrl: url, fetch: send })
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await toGatewayError(response)
    },
  })
  return { get: answering(client.GET), post: answering(client.POST) }
}

/** A method of the client that gives its data; all else was thrown on the way. */
function answering<Arguments extends unknown[], Data>(
  method: (...call: Arguments) => Promise<{ data?: Data }>,
): (...call: Arguments) => Promise<Data> {
  return async (...call) => {
    const { data } = await method(...call)
    if (data !== undefined) return data
    throw new GatewayError({ code: 'UNREACHABLE', message: 'The answer has no body.' })
  }
}
