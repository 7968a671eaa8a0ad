/** The module `ponder:registry` of tests: it keeps the handlers that `src/` registers, by the names of their events. */
import type { Context, EventNames } from 'ponder:registry'

export type HandledEvent = {
  args: object
  block: { number: bigint; timestamp: bigint }
  transaction: { hash: `0x${string}` }
  log: { address: `0x${string}`; logIndex: number }
}
type Handler = (of: { event: HandledEvent; context: { db: Context['db'] } }) => Promise<void>

export const handlers = new Map<EventNames, Handler>()

export const ponder = {
  on(name: EventNames, handler: Handler): void {
    handlers.set(name, handler)
  },
}
