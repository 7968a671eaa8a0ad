/** How many subscriptions may be open at the same time. */
import { CodedError } from '../errors.ts'

const RETRY_AFTER_SECONDS = 10

/** @returns takes a seat for a client and returns how to leave it, which may be done more than once */
export function createSeats(perClient: number, inAll: number): (client: string) => () => void {
  const taken = new Map<string, number>()
  let total = 0
  const count = (client: string, change: 1 | -1) => {
    const own = (taken.get(client) ?? 0) + change
    total += change
    if (own > 0) taken.set(client, own)
    else taken.delete(client)
  }
  return (client) => {
    if ((taken.get(client) ?? 0) >= perClient) throw tooManyOf(perClient)
    if (total >= inAll) throw tooManyInAll()
    count(client, 1)
    let isSeated = true
    return () => {
      if (isSeated) count(client, -1)
      isSeated = false
    }
  }
}

/** @throws CodedError `TOO_MANY_SUBSCRIPTIONS` */
function tooManyOf(maximum: number): CodedError {
  return new CodedError(
    'TOO_MANY_SUBSCRIPTIONS',
    `You have ${maximum} subscriptions open, which is all that one client may. End one first.`,
    { facts: { maximum }, retryAfter: RETRY_AFTER_SECONDS },
  )
}

function tooManyInAll(): CodedError {
  return new CodedError(
    'SUBSCRIPTIONS_EXHAUSTED',
    'No further subscription can be opened here now. Try again shortly, or ask with a query.',
    { retryAfter: RETRY_AFTER_SECONDS },
  )
}
