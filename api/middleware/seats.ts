/** How many of something that lasts, a subscription or an export, may be open at the same time. */
import type { CodedError } from '../errors.ts'

type Seats = {
  perClient: number
  inAll: number
  /** What a client is told that has all it may have. */
  refuseClient: (maximum: number) => CodedError
  /** What anybody is told when no seat is left. */
  refuseAll: () => CodedError
}

/**
 * @returns takes a seat for a client and returns how to leave it, which may be done more than once
 * @throws what `refuseClient` or `refuseAll` makes, where no seat is left
 */
export function createSeats({
  perClient,
  inAll,
  refuseClient,
  refuseAll,
}: Seats): (client: string) => () => void {
  const taken = new Map<string, number>()
  let total = 0
  const count = (client: string, change: 1 | -1) => {
    const own = (taken.get(client) ?? 0) + change
    total += change
    if (own > 0) taken.set(client, own)
    else taken.delete(client)
  }
  return (client) => {
    if ((taken.get(client) ?? 0) >= perClient) throw refuseClient(perClient)
    if (total >= inAll) throw refuseAll()
    count(client, 1)
    let isSeated = true
    return () => {
      if (isSeated) count(client, -1)
      isSeated = false
    }
  }
}
