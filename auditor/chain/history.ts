/** Past blocks and events. They are final, so each is read once and cached. */

import { type Address, BlockNotFoundError, type Hex, TransactionReceiptNotFoundError } from 'viem'
import type { Chain } from '../../api/chain/client.ts'
import { compare } from '../../api/domain/bigint.ts'
import { type BlockRange, LOG_RANGE_BLOCKS, type ProtocolLog, readLogs } from './logs.ts'
import { readMany } from './read-many.ts'

export type History = ReturnType<typeof historyOf>

/** Keys of one batch: the number of concurrent requests. */
const BATCH = 50
/**
 * Maximum gap between two requested blocks that are read in one range, since a further request costs more than the
 * events of the gap.
 */
const GAP_BLOCKS = 50n

/** @param addresses contracts of the protocol, its vaults included */
export function historyOf(chain: Chain, addresses: () => Promise<readonly Address[]>) {
  const timestamp = readMany<bigint, bigint | undefined>(BATCH, String, (numbers) =>
    Promise.all(numbers.map((number) => readTimestamp(chain, number))),
  )
  const logs = readMany<bigint, readonly ProtocolLog[]>(BATCH, String, async (numbers) => {
    const known = await addresses()
    const read = await Promise.all(rangesOf(numbers).map((range) => readLogs(chain, known, range)))
    const byBlock = Map.groupBy(read.flat(), ({ blockNumber }) => blockNumber)
    return numbers.map((number) => byBlock.get(number) ?? [])
  })
  const blockOf = readMany<Hex, bigint | undefined>(BATCH, String, (hashes) =>
    Promise.all(hashes.map((hash) => readBlockOf(chain, hash))),
  )
  /** The first block of `range` at or after a time in Unix seconds; the one after the range if there is none. */
  const firstAt = async (time: bigint, { from, to }: BlockRange): Promise<bigint> => {
    let [low, high] = [from, to + 1n]
    while (low < high) {
      const middle = (low + high) / 2n
      if (((await timestamp(middle)) ?? 0n) < time) low = middle + 1n
      else high = middle
    }
    return low
  }
  return { timestamp, logs, blockOf, firstAt }
}

async function readTimestamp(chain: Chain, blockNumber: bigint): Promise<bigint | undefined> {
  try {
    return (await chain.getBlock({ blockNumber, includeTransactions: false })).timestamp
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}

async function readBlockOf(chain: Chain, hash: Hex): Promise<bigint | undefined> {
  try {
    return (await chain.getTransactionReceipt({ hash })).blockNumber
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** Ranges that hold all of the blocks, as few as their gaps allow. */
function rangesOf(numbers: readonly bigint[]): BlockRange[] {
  const ranges: BlockRange[] = []
  for (const number of [...new Set(numbers)].toSorted(compare)) {
    const last = ranges.at(-1)
    if (last && number - last.to <= GAP_BLOCKS && number - last.from < LOG_RANGE_BLOCKS) last.to = number
    else ranges.push({ from: number, to: number })
  }
  return ranges
}
