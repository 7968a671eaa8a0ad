import { type HttpTransportConfig, http } from 'viem'
import { withoutUrl } from './errors.ts'

export type Request = { method: string; params?: unknown }

/** Sends one request to one node. */
export type Ask = (request: Request) => Promise<unknown>

/** `name` is the node's position in RPC_URLS, "node 1 of 2". */
export type Connection = { name: string; ask: Ask }

/** Milliseconds that one request may take, and maximum size of its answer in bytes. Default size: 10 MiB (viem). */
export type Limits = Pick<HttpTransportConfig, 'timeout' | 'maxResponseBodySize'> & {
  /** Maximum size of the logs of several blocks, in bytes. Default: that of other answers. */
  rangeBytesMax?: number
}

/** Id of the request that is being answered, if any. */
export type RequestId = () => string | undefined

/**
 * Connections to the nodes of RPC_URLS, in their order. A request is sent once. A redirect is a failure, because a node
 * must not choose another host. Errors are viem's, without the node's URL.
 */
export function connectNodes(urls: readonly string[], limits: Limits, requestId?: RequestId): Connection[] {
  return urls.map((url, i) => connect(url, `node ${i + 1} of ${urls.length}`, limits, requestId))
}

/** A connection to one node. @param name of the node in messages */
export function connect(
  url: string,
  name: string,
  { rangeBytesMax, ...limits }: Limits,
  requestId?: RequestId,
): Connection {
  const within = (bounds: Omit<Limits, 'rangeBytesMax'>) =>
    http(url, {
      ...bounds,
      fetchOptions: { redirect: 'error' },
      ...(requestId && { onFetchRequest: withRequestId(requestId) }),
    })({ retryCount: 0 })
  const node = within(limits)
  const ranges =
    rangeBytesMax === undefined ? node : within({ ...limits, maxResponseBodySize: rangeBytesMax })
  const ask: Ask = (request) =>
    (asksForRange(request) ? ranges : node).request(request).catch((error: unknown) => {
      throw withoutUrl(error, { name, url }, request.method)
    })
  return { name, ask }
}

/** Whether a request is for the logs of several blocks, and can be split. */
function asksForRange({ method, params }: Request): boolean {
  const [filter]: unknown[] = Array.isArray(params) ? params : []
  if (method !== 'eth_getLogs' || typeof filter !== 'object' || filter === null) return false
  return 'fromBlock' in filter && 'toBlock' in filter && filter.fromBlock !== filter.toBlock
}

/** @returns adds the header `X-Request-Id` to what is sent; undefined leaves it as it is */
function withRequestId(requestId: RequestId) {
  return (_: globalThis.Request, init: RequestInit): RequestInit | undefined => {
    const id = requestId()
    if (id === undefined) return undefined
    const headers = new Headers(init.headers)
    headers.set('X-Request-Id', id)
    return { ...init, headers }
  }
}
