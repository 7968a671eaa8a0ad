/** JSON-RPC in batches: what seeding thousands of transactions needs and a client per call does not give. */
import { z } from 'zod'

export type RpcCall = readonly [method: string, params: readonly unknown[]]
export type RpcBatch = (calls: readonly RpcCall[]) => Promise<unknown[]>

const rpcReplies = z.array(
  z.object({
    id: z.number(),
    result: z.unknown().optional(),
    error: z.object({ message: z.string() }).optional(),
  }),
)

/** Keeps a request below the 2 MB that anvil accepts. */
const CALLS_PER_REQUEST = 200

/** Answers in the order of the calls; throws the node's words for the first call that failed. */
export function createRpcBatch(rpcUrl: string): RpcBatch {
  return async (calls) => {
    const results: unknown[] = []
    for (let from = 0; from < calls.length; from += CALLS_PER_REQUEST) {
      results.push(...(await post(rpcUrl, calls.slice(from, from + CALLS_PER_REQUEST))))
    }
    return results
  }
}

async function post(rpcUrl: string, calls: readonly RpcCall[]): Promise<unknown[]> {
  const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${rpcUrl} answered ${response.status} ${await response.text()}`)
  const replies = rpcReplies.parse(await response.json())
  const byId = new Map(replies.map((reply) => [reply.id, reply]))
  return calls.map(([method], id) => {
    const reply = byId.get(id)
    if (!reply || reply.error) throw new Error(`${method}: ${reply?.error?.message ?? 'no answer'}`)
    return reply.result
  })
}
