import { custom, type EIP1193RequestFn, type RpcBlock, type Transport } from 'viem'

/** How Ponder's requests reach a node. */
export type NodeRequest = EIP1193RequestFn

/**
 * A transport through which Ponder sees finalized blocks only, so that nothing it stores can be reorganised away
 * (specification, section 1: the projection advances on finalized blocks). Ponder knows no such mode; it follows the
 * block that `eth_getBlockByNumber('latest', …)` returns, and that question is answered here with `finalized`.
 *
 * - A finalized block lower than one handed out before (a lagging node behind a balancer) is withheld: Ponder would take
 *   it for a reorganisation. The higher one is handed out again.
 * - When it starts, and when a backfill ends, Ponder asks for the head without its transactions and takes off a number of
 *   blocks that it supposes not to be final yet. That number is added first, or a restarted indexer would call itself
 *   ready with older data than it had before.
 */
export function finalizedTransport(request: NodeRequest, chainId: number): Transport {
  let highest: RpcBlock | null = null

  async function finalizedBlock(): Promise<RpcBlock | null> {
    const block: RpcBlock | null = await request({
      method: 'eth_getBlockByNumber',
      params: ['finalized', true],
    })
    if (block && heightOf(block) >= heightOf(highest)) highest = block
    return highest
  }

  return custom(
    {
      async request({ method, params }: { method: string; params?: readonly unknown[] }) {
        if (method !== 'eth_getBlockByNumber' || params?.[0] !== 'latest') return request({ method, params })
        const block = await finalizedBlock()
        const isFollowing = params[1] === true
        return block && !isFollowing ? raised(block, assumedFinalityDepth(chainId)) : block
      },
    },
    { retryCount: 0 },
  )
}

/** Blocks that Ponder 0.16 supposes not to be final, by chain; a test compares this with Ponder's own table. */
const ASSUMED_DEPTHS: ReadonlyMap<number, number> = new Map([
  ...[1, 5, 42, 11155111].map((chainId) => [chainId, 65] as const),
  ...[137, 80001].map((chainId) => [chainId, 200] as const),
  ...[42161, 42170, 421613].map((chainId) => [chainId, 240] as const),
])
const USUAL_ASSUMED_DEPTH = 30

export function assumedFinalityDepth(chainId: number): number {
  return ASSUMED_DEPTHS.get(chainId) ?? USUAL_ASSUMED_DEPTH
}

function raised(block: RpcBlock, blocks: number): RpcBlock {
  return { ...block, number: `0x${(heightOf(block) + BigInt(blocks)).toString(16)}` }
}

function heightOf(block: RpcBlock | null): bigint {
  return block?.number ? BigInt(block.number) : -1n
}
