/** The logs of a range of blocks that ends near the head, proven block by block. */
import { z } from 'zod'
import type { Ask } from '../nodes/connect.ts'
import { keepLogs } from './kept-logs.ts'
import { logsOfHeader } from './verified-reads.ts'
import type { Block } from './verify/block.ts'
import { maySelectFrom, type RangeFilter, selects } from './verify/filter.ts'
import { type Header, headerShape } from './verify/header.ts'
import { type Log, logShape } from './verify/log.ts'

/**
 * Blocks up to the head whose logs are proven. A proof costs one request per block, and three where the bloom filter
 * may match: too many for a first index, and few for an indexer that starts again. The check before a publication
 * covers a first index.
 */
const PROVEN_BLOCKS = 500n
const CONCURRENT_BLOCKS = 10

/** Those of some thirty busy blocks, about 20 MB. */
const KEPT_LOGS_MAX = 20_000

const logsShape = z.array(logShape.loose())

/** Reads a block of the chain and checks it. */
type ReadBlock = (ask: Ask, height: bigint) => Promise<Block | null>

/** Whether the logs of the range are to be proven, at this height of the head. */
export function isNearHead({ first, last }: RangeFilter, head: bigint): boolean {
  return first + PROVEN_BLOCKS > head && last <= head
}

/**
 * Reads the logs that a filter selects. Headers and proven logs are kept, because Ponder requests one range with
 * several filters. The read throws a Refusal when the node lacks a block, or logs are missing or wrong; its answer is
 * null if the node lacks a block.
 */
export function createProvenRanges(read: ReadBlock) {
  const headers = new Map<bigint, Header>()
  const proven = keepLogs(KEPT_LOGS_MAX)

  async function headerAt(ask: Ask, height: bigint): Promise<Header | null> {
    const known = headers.get(height)
    if (known) return known
    const block = await read(ask, height)
    if (!block) return null
    const header = headerShape.parse(block)
    headers.set(height, header)
    headers.delete(height - PROVEN_BLOCKS)
    return header
  }

  async function logsIn(ask: Ask, filter: RangeFilter): Promise<unknown[] | null> {
    const logs: unknown[] = []
    for (const heights of batches(filter)) {
      // All end before a failure is thrown: none keeps a header after it.
      const reads = heights.map((height) => logsAt(ask, height, filter))
      await Promise.allSettled(reads)
      for (const selected of await Promise.all(reads)) {
        if (!selected) return null
        logs.push(...selected)
      }
    }
    return logs
  }

  async function logsAt(ask: Ask, height: bigint, filter: RangeFilter): Promise<Log[] | null> {
    const header = await headerAt(ask, height)
    if (!header) return null
    if (!maySelectFrom(header.logsBloom, filter)) return []
    const logs = proven.of(header.hash) ?? logsShape.parse(await logsOfHeader(ask, header))
    proven.keep(header.hash, logs)
    return logs.filter((log) => selects(filter, log))
  }

  return (ask: Ask, filter: RangeFilter) =>
    logsIn(ask, filter).catch((error: unknown) => {
      // They may be those of another chain, whose logs no other node has.
      headers.clear()
      throw error
    })
}

function* batches({ first, last }: RangeFilter): Generator<bigint[]> {
  let batch: bigint[] = []
  for (let height = first; height <= last; height += 1n) {
    batch.push(height)
    if (batch.length < CONCURRENT_BLOCKS && height < last) continue
    yield batch
    batch = []
  }
}
