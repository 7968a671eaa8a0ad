/** Shared parts of the comparisons of aggregates and of series. */
import { expect } from 'vitest'
import type { Answer, createClient } from '../graphql/client.ts'
import type { Slice } from '../graphql/oracle/maturities.ts'
import type { World } from '../support/protocol.ts'
import { dayOf, type History } from './truth/history.ts'
import type { Truth } from './truth/tables.ts'

/** A history that was indexed up to a block, and the gateway over it. */
export type Indexed = {
  world: World
  client: ReturnType<typeof createClient>
  block: bigint
  history: History
  truth: Truth
}

export const DAY = 86_400n

/** Reads the gateway's answer to a query, which has to be without errors. */
export async function ask({ client }: Indexed, query: string): Promise<Answer['data']> {
  const { data, errors } = await client.ask(query)
  expect([query, errors]).toEqual([query, undefined])
  return data
}

/** The times at which something happened, the midnights around them, and a second to either side of each. */
export function edgesOf(times: readonly bigint[]): bigint[] {
  const midnights = times.flatMap((at) => [dayOf(at), dayOf(at) + DAY])
  return [...new Set([...times, ...midnights].flatMap((at) => [at - 1n, at, at + 1n]))]
}

/** An allocation as the reference implementation takes it. */
export function sliceOf(allocation: Truth['allocation'][number]): Slice {
  return {
    dueAt: allocation.due_at,
    face: allocation.face_amount,
    advance: allocation.advance_amount,
    paid: allocation.paid_face,
    repaid: allocation.repaid_face,
  }
}
