/**
 * Deletes rows that no request can use any more: on a timer, and when a wallet optimizes (specification, section 3,
 * rule 2).
 */
import type { ExpressionBuilder } from 'kysely'
import type { Address } from 'viem'
import { PREPARE_DEADLINE_SECONDS } from '../domain/limits.ts'
import type { Store, StoreTables } from './database.ts'

/** Rows outlive their use by this much, so that clocks of gateways and database may differ. */
const MARGIN_MS = 3_600_000

/**
 * An expired intent is kept this long, so that a late prepare gets `ROUTE_INTENT_EXPIRED` rather than a 404, and one
 * that another request is preparing stays until its last possible deadline is past.
 */
const INTENT_RETENTION_MS = 3_600_000
if (INTENT_RETENTION_MS < 2 * PREPARE_DEADLINE_SECONDS * 1000) throw new Error('intents are pruned too early')

/** Answers are kept beyond their deadline, so that no second answer replaces one that was returned. */
const ANSWER_RETENTION_MS = 86_400_000
const PREPARED_RETENTION_MS = 30 * 86_400_000

/** Prunes all tables. @param now milliseconds */
export async function pruneStore(store: Store, now: number): Promise<void> {
  const outdated = new Date(now - MARGIN_MS)
  await store.deleteFrom('usedNonce').where('expiresAt', '<', outdated).execute()
  await store.deleteFrom('revokedToken').where('expiresAt', '<', outdated).execute()
  await store.deleteFrom('walletRateLimit').where('resetsAt', '<', outdated).execute()
  await pruneIntents(store, new Date(now))
}

/**
 * Deletes old rows of routes that were planned and prepared. With `user`, also the user's own used intents, so that the
 * same plan is a new intent. An intent that was consumed under an Idempotency-Key and has no answer stays until its
 * deadline: a gateway that ended while it prepared the answer leaves the next request with that key to prepare it. The
 * preparation of a deleted intent continues: it addresses the row by its own id, and its answer is stored in another
 * table.
 */
export async function pruneIntents(store: Store, now: Date, user?: Address): Promise<void> {
  const before = (retentionMs: number) => new Date(now.getTime() - retentionMs)
  // Locked in one order, so that requests which prune the same rows cannot deadlock.
  await store
    .deleteFrom('routeIntent')
    .where('intentId', 'in', (query) =>
      query
        .selectFrom('routeIntent')
        .select('intentId')
        .where((is) =>
          is.or([
            is('expiresAt', '<', before(INTENT_RETENTION_MS)),
            ...(user ? [is('userAddress', '=', user).and(isUsed(is, now))] : []),
          ]),
        )
        .orderBy('intentId')
        .forUpdate(),
    )
    .execute()
  await store.deleteFrom('preparedAnswer').where('deadline', '<', before(ANSWER_RETENTION_MS)).execute()
  await store.deleteFrom('preparedExecution').where('deadline', '<', before(PREPARED_RETENTION_MS)).execute()
}

/** Failed, or consumed and with nothing left to prepare. */
function isUsed(is: ExpressionBuilder<StoreTables, 'routeIntent'>, now: Date) {
  return is('status', 'in', ['CONSUMED', 'FAILED']).and(
    is.or([
      is('status', '=', 'FAILED'),
      is('isAnswered', '=', true),
      is('idempotencyKey', 'is', null),
      is('userDeadline', '<=', now),
    ]),
  )
}
