import type { EventNames } from 'ponder:registry'

/**
 * Stops the indexer when an event contradicts the protocol: the history is then not the
 * protocol's, or the handlers are wrong, and no answer is better than a wrong one.
 * @throws Error `Invariant(Contract:Event): …`
 */
export function invariant(condition: unknown, event: EventNames, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant(${event}): ${message}`)
}

/** For the `catch` of an update: the row that the event is about has to be there. */
export function unknown(event: EventNames, what: string): (error: Error) => never {
  return (error) => {
    invariant(error.name !== 'RecordNotFoundError', event, `${what} is unknown`)
    throw error
  }
}
