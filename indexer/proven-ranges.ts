/** The logs of a range of blocks that ends near the head, proven block by block. */
import { z } from 'zod'
import type { Ask } from '../nodes/connect.ts'
import { logsOfBlock } from './verified-reads.ts'
import type { Block } from './verify/block.ts'
import { maySelectFrom, type RangeFilter, selects } from './verify/filter.ts'
import { type Header, headerShape } from './verify/header.ts'
import { logShape } from './verify/log.ts'

/**
 * Blocks up to the head whose logs are proven. A proof costs one request per block, and three where the bloom filter may match: too many
 * for a first index, and few for an indexer that starts again. The check before a publication covers a first index.
 */
const PROVEN_BLOCKS = 500n
const CONCURRENT_HEADERS = 10

const logsShape = z.array(logShape.loose())

/** Reads a block of the chain and checks it. */
type ReadBlock = (ask: Ask, height: bigint) => Promise<Block | null>

/** Whether the logs of the range are to be proven, at this height of the head. */
export function isNearHead({ first, last }: RangeFilter, head: bigint): boolean {
  return first + PROVEN_BLOCKS > head && last <= head
}

/**
 * Reads the logs that a filter selects. Headers are kept, because Ponder requests one range with several filters.
 * The read throws a Refusal when the node lacks a block, or logs are missing or wrong; its answer is null if the node lacks a block.
 */
export function createProvenRanges(read: ReadBlock) {
  const headers = new Map<bigint, Header>()

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
      const found = await Promise.all(heights.map((height) => headerAt(ask, height)))
      for (const header of found) {
        if (!header) return null
        if (maySelectFrom(header.logsBloom, filter)) logs.push(...(await selectedLogs(ask, header, filter)))
      }
    }
    return logs
  }

  return (ask: Ask, filter: RangeFilter) =>
    logsIn(ask, filter).catch((error: unknown) => {
      // They may be those of another chain, whose logs no other node has.
      headers.clear()
      throw error
    })
}

async function selectedLogs(ask: Ask, { hash }: Header, filter: RangeFilter) {
  const logs = logsShape.parse(await logsOfBlock(ask, hash))
  return logs.filter((log) => selects(filter, log))
}

function* batches({ first, last }: RangeFilter): Generator<bigint[]> {
  let batch: bigint[] = []
  for (let height = first; height <= last; height += 1n) {
    batch.push(height)
    if (batch.length < CONCURRENT_HEADERS && height < last) continue
    yield batch
    batch = []
  }
}
