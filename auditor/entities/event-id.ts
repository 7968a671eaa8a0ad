import { eventId } from '../../indexer/position.ts'
import type { ProtocolLog } from '../chain/logs.ts'

/** The id that rows of an event have. */
export function idOf({ blockNumber, transactionHash, logIndex }: ProtocolLog): string {
  // The time of the block is no part of an id.
  return eventId({
    block: { number: blockNumber, timestamp: 0n },
    transaction: { hash: transactionHash },
    log: { logIndex },
  })
}

/** The id that the first event of a block can have. */
export function firstIdOf(block: bigint): string {
  return String(block).padStart(16, '0')
}

/** The position of the event of an id; block -1 for a text that is not an id. */
export function placeOfId(id: string): { block: bigint; logIndex: number } {
  const [, block = '-1', logIndex = '-1'] = /^(\d{16})-(\d{8})(?:-|$)/.exec(id) ?? []
  return { block: BigInt(block), logIndex: Number(logIndex) }
}
