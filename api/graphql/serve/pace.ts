/** The pace of the events of subscriptions: short blocks do not let them take the time of other requests. */

/** Points that the events of one client address may cost in a second, on average. */
export const EVENT_POINTS_PER_SECOND = 15_000

type Pace = {
  /** Cost of one event of each subscription of the client address, in points. */
  readonly costOf: () => number
  /** Milliseconds. */
  readonly clock: () => number
  readonly wait: (milliseconds: number) => Promise<void>
}

/** @returns waits before an event of one subscription. A later event then has the changes of those that are left out */
export function createPace({ costOf, clock, wait }: Pace): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY
  return async () => {
    const rest = last + (1000 * costOf()) / EVENT_POINTS_PER_SECOND - clock()
    if (rest > 0) await wait(rest)
    last = clock()
  }
}
