import { sql } from 'kysely'
import type { Store } from './database.ts'

/**
 * Counts requests by key in Postgres, so that all replicas share one count. The clock of the database determines the
 * windows. The returned end of a window is a time of the clock of the gateway.
 */
export function createSharedCounts(store: Store, clock: () => number, windowSeconds: number) {
  return async (key: string) => {
    const { hits, secondsLeft } = await countRequest(store, key, windowSeconds)
    return { hits, resetsAt: clock() + secondsLeft * 1000 }
  }
}

/** Counts in one statement, so that concurrent requests on all replicas are counted one after another. */
async function countRequest(store: Store, key: string, windowSeconds: number) {
  const resetsAt = sql<Date>`now() + make_interval(secs => ${windowSeconds})`
  const isOver = sql<boolean>`wallet_rate_limit.resets_at <= now()`
  return store
    .insertInto('walletRateLimit')
    .values({ key, hits: 1, resetsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        hits: sql<number>`case when ${isOver} then 1 else wallet_rate_limit.hits + 1 end`,
        resetsAt: sql<Date>`case when ${isOver} then excluded.resets_at else wallet_rate_limit.resets_at end`,
      }),
    )
    .returning(['hits', sql<number>`extract(epoch from resets_at - now())::float8`.as('secondsLeft')])
    .executeTakeFirstOrThrow()
}
