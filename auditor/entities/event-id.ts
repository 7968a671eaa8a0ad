import { blockOfOrdinal, logIndexOfOrdinal, ordinalOf } from '../../api/domain/ordinal.ts'
import type { ProtocolLog } from '../chain/logs.ts'

/** Kinds of rows that are the second of their event. */
const SECOND_ROWS: readonly string[] = ['SETTLEMENT_RECEIVED', 'RECEIVED']

/** The id that the row of an event has, or the one of a kind. */
export function idOf(log: Pick<ProtocolLog, 'blockNumber' | 'logIndex'>, kind = ''): bigint {
  return ordinalOf(log.blockNumber, BigInt(log.logIndex), SECOND_ROWS.includes(kind) ? 1n : 0n)
}

/** The position of the event of an id. */
export function placeOfId(id: bigint): { block: bigint; logIndex: number } {
  return { block: blockOfOrdinal(id), logIndex: Number(logIndexOfOrdinal(id)) }
}
