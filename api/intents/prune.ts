/** Deletes what was planned and prepared and is of no further use (specification, section 3, rule 2). */
import type { Address } from 'viem'
import { PREPARE_DEADLINE_SECONDS } from '../domain/limits.ts'
import type { Store } from '../store/database.ts'

/**
 * An expired intent is kept this long, so that who prepares it too late gets `ROUTE_INTENT_EXPIRED` rather than a 404, and one that
 * another request is preparing stays until its last possible deadline is past.
 */
const INTENT_RETENTION_MS = 3_600_000
if (INTENT_RETENTION_MS < 2 * PREPARE_DEADLINE_SECONDS * 1000) throw new Error('intents are pruned too early')

/** Answers are kept beyond their deadline, so that no second answer replaces one that was returned. */
const ANSWER_RETENTION_MS = 86_400_000
const PREPARED_RETENTION_MS = 30 * 86_400_000

/**
 * Deletes the user's own used intents, so that the same plan is a new intent, and everyone's old rows. What is being prepared from a
 * deleted intent goes on: it addresses the row by its own id, and its answer is stored apart.
 */
export async function pruneIntents(store: Store, user: Address, now: Date): Promise<void> {
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
            is('userAddress', '=', user).and('status', 'in', ['CONSUMED', 'FAILED']),
            is('expiresAt', '<', before(INTENT_RETENTION_MS)),
          ]),
        )
        .orderBy('intentId')
        .forUpdate(),
    )
    .execute()
  await store.deleteFrom('preparedAnswer').where('deadline', '<', before(ANSWER_RETENTION_MS)).execute()
  await store.deleteFrom('preparedExecution').where('deadline', '<', before(PREPARED_RETENTION_MS)).execute()
}
