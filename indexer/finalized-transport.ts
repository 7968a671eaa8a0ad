import { custom, type Hex, isHex, type Transport } from 'viem'
import type { Ask, Request } from '../nodes/connect.ts'
import { Refusal } from '../nodes/refusal.ts'
import { assumedFinalityDepth } from './assumed-depth.ts'
import { createChainPath } from './chain-path.ts'
import type { Nodes } from './nodes.ts'
import { createProvenRanges, isNearHead } from './proven-ranges.ts'
import { blockByHash, blockByNumber, logsOfBlock } from './verified-reads.ts'
import { agreedLogs } from './verify/agree.ts'
import { type Block, heightOf } from './verify/block.ts'
import { parseRangeFilter } from './verify/filter.ts'

export type FinalizedTransportOptions = {
  nodes: Nodes
  chainId: number
  /** Milliseconds. */
  clock: () => number
  /**
   * Whether block hashes and the logs of a block are checked against the header. Some rollups compute header hashes
   * differently.
   */
  verify: boolean
}

/**
 * A transport through which Ponder sees finalized blocks only, so that nothing it stores can be reorganised away
 * (specification, section 1: the projection advances on finalized blocks). Ponder has no such mode; it follows the
 * block that `eth_getBlockByNumber('latest', …)` returns, and this transport answers that request with `finalized`.
 *
 * - A finalized block lower than one handed out before (a lagging node behind a balancer) is withheld: Ponder would
 *   take it for a reorganisation. The higher one is handed out again.
 * - A block that does not descend from the one handed out before is refused, and the next node is used: Ponder would
 *   request its parents, and retry each request for a minute.
 * - Logs of a range of blocks near the head are proven block by block; those of an older range, in a first index, are
 *   what two nodes agree on.
 * - When it starts, and when a backfill ends, Ponder requests the head without its transactions and subtracts a number
 *   of blocks that it assumes not to be final yet. That number is added first, or a restarted indexer would report
 *   itself ready with older data than it had before.
 */
export function finalizedTransport({ nodes, chainId, clock, verify }: FinalizedTransportOptions): Transport {
  const depth = assumedFinalityDepth(chainId)
  const path = createChainPath((ask, block, full) => blockByNumber(ask, block, full, verify), depth, clock)
  const provenLogs = createProvenRanges((ask, height) => numbered(ask, height, false))
  const inSequence = sequence()
  const follow = oneAtATime(() => nodes.use(path.next))

  async function head(): Promise<Block | null> {
    const block = (await nodes.use(path.head)) ?? path.highest()
    return block && raised(block, depth)
  }

  async function numbered(ask: Ask, height: bigint, full: boolean): Promise<Block | null> {
    const block = await blockByNumber(ask, height, full, verify)
    const known = path.hashAt(height)
    if (known && block?.hash !== known) throw new Refusal(`gives another block ${height} than ${known}`)
    return block
  }

  function logs(request: Request, filter: unknown): Promise<unknown> {
    const hash = onlyBlockHash(filter)
    if (hash) return nodes.use((ask) => (verify ? logsOfBlock(ask, hash) : ask(request)))
    const range = parseRangeFilter(filter)
    const head = path.highest()
    if (!verify || !range || !head || !isNearHead(range, heightOf(head))) {
      return nodes.useAll((ask) => ask(request), agreedLogs)
    }
    return inSequence(() => nodes.use((ask) => provenLogs(ask, range)))
  }

  function answer({ method, params }: Request): Promise<unknown> {
    const [subject, full]: unknown[] = Array.isArray(params) ? params : []
    if (method === 'eth_getBlockByNumber' && subject === 'latest') {
      return full === true ? follow().then((block) => block ?? path.again()) : head()
    }
    if (method === 'eth_getBlockByNumber' && isHex(subject)) {
      return nodes.use((ask) => numbered(ask, BigInt(subject), full === true))
    }
    if (method === 'eth_getBlockByHash' && isHex(subject)) {
      return nodes.use((ask) => blockByHash(ask, subject, full === true, verify))
    }
    if (method === 'eth_getLogs') return logs({ method, params }, subject)
    return nodes.use((ask) => ask({ method, params }))
  }

  return custom({ request: answer }, { retryCount: 0 })
}

/** The block of a filter that selects all logs of one block. */
function onlyBlockHash(filter: unknown): Hex | undefined {
  if (typeof filter !== 'object' || filter === null || !('blockHash' in filter)) return undefined
  return isHex(filter.blockHash) && Object.keys(filter).length === 1 ? filter.blockHash : undefined
}

/** Concurrent callers share one request and its answer. */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined
  return () => {
    pending ??= ask().finally(() => {
      pending = undefined
    })
    return pending
  }
}

/** Runs works one after another, so that each finds what the ones before have read. */
function sequence(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}

function raised(block: Block, blocks: number): Block {
  return { ...block, number: `0x${(heightOf(block) + BigInt(blocks)).toString(16)}` }
}
