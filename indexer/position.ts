import { type EventRow, ordinalOf } from '../api/domain/ordinal.ts'

/** Position of an event on the chain. */
type Located = {
  block: { number: bigint; timestamp: bigint }
  transaction: { hash: `0x${string}` }
  log: { logIndex: number }
}

const SECONDS_PER_DAY = 86_400n

/** The time and the position of a row's event. */
export function placeOf({ block, transaction }: Located) {
  return { block: block.number, at: block.timestamp, tx: transaction.hash }
}

/** The columns of a row that has its last change. */
export function changeOf({ block }: Located) {
  return { changedBlock: block.number, changedAt: block.timestamp }
}

/** Returns the place of a row's event among all events. @param row which row, for an event that has two in a table */
export function ordinalOfEvent({ block, log }: Located, row?: EventRow): bigint {
  return ordinalOf(block.number, BigInt(log.logIndex), row)
}

/** Midnight (UTC) of the event's day, in Unix seconds. */
export function dayOf({ block }: Located): bigint {
  return midnightOf(block.timestamp)
}

/** Midnight (UTC) before a time, both in Unix seconds. */
export function midnightOf(at: bigint): bigint {
  return at - (at % SECONDS_PER_DAY)
}
