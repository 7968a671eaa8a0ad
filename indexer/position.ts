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

/** Unique per event; ordered as text, events are in the order of the chain. */
export function eventId({ block, log }: Located): string {
  return `${String(block.number).padStart(16, '0')}-${String(log.logIndex).padStart(8, '0')}`
}

/** Midnight (UTC) of the event's day, in Unix seconds. */
export function dayOf({ block }: Located): bigint {
  return midnightOf(block.timestamp)
}

/** Midnight (UTC) before a time, both in Unix seconds. */
export function midnightOf(at: bigint): bigint {
  return at - (at % SECONDS_PER_DAY)
}
