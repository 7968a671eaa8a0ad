import { type HttpTransportConfig, http } from 'viem'
import { withoutUrl } from './errors.ts'

export type Request = { method: string; params?: unknown }

/** Sends one request to one node. */
export type Ask = (request: Request) => Promise<unknown>

/** `name` is the node's place in RPC_URLS, "node 1 of 2". */
export type Connection = { name: string; ask: Ask }

/** Milliseconds one request may take, and bytes its answer may have; viem's limit of 10 MiB by default. */
export type Limits = Pick<HttpTransportConfig, 'timeout' | 'maxResponseBodySize'>

/**
 * Connections to the nodes of RPC_URLS, in their order. A request is sent once. A node that redirects would choose another host,
 * so that is a failure. Errors are viem's, without the node's URL.
 */
export function connectNodes(urls: readonly string[], limits: Limits): Connection[] {
  return urls.map((url, i) => connect(url, `node ${i + 1} of ${urls.length}`, limits))
}

function connect(url: string, name: string, limits: Limits): Connection {
  const node = http(url, { ...limits, fetchOptions: { redirect: 'error' } })({ retryCount: 0 })
  const ask: Ask = (request) =>
    node.request(request).catch((error: unknown) => {
      throw withoutUrl(error, { name, url }, request.method)
    })
  return { name, ask }
}
