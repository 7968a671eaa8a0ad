/**
 * Prepared answers, stored so that a lost answer can be returned again and an execution is known before it is on chain.
 */
import type { UUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import type { NewPreparedExecution, Store } from './database.ts'
import { type Claimant, type IntentEnd, markAnswered } from './route-intents.ts'

/**
 * An execution can be prepared again: a direct one that is not on chain yet, or a route that two plans agree on.
 * The row with the later deadline stays.
 */
export async function storePrepared(store: Store, prepared: NewPreparedExecution): Promise<void> {
  await store
    .insertInto('preparedExecution')
    .values(prepared)
    .onConflict((conflict) =>
      conflict
        .column('executionId')
        .doUpdateSet(({ ref }) => ({
          routeId: ref('excluded.routeId'),
          userAddress: ref('excluded.userAddress'),
          preparedAt: ref('excluded.preparedAt'),
          deadline: ref('excluded.deadline'),
          nonce: ref('excluded.nonce'),
          claimId: ref('excluded.claimId'),
          sliceIndex: ref('excluded.sliceIndex'),
          legs: ref('excluded.legs'),
        }))
        .whereRef('excluded.deadline', '>=', 'preparedExecution.deadline'),
    )
    .execute()
}

/** A consumed intent with the key that it was consumed under. */
export type AnsweredIntent = Claimant & { intentId: UUID }

/** `answer` is the prepared route as JSON. */
export type StoredAnswer = { answer: string; deadline: Date }

/**
 * Stores the answer of a consumed intent. The first answer that is stored under a key is the result for every caller
 * that prepared the route under it, and only its execution is stored. A failed intent has no answer. An intent that was
 * pruned in the meantime is answered like any other.
 *
 * @param prepared the execution of `answer`
 * @returns the stored answer, or the failure of the intent
 */
export async function storePreparedRoute(
  store: Store,
  intent: AnsweredIntent,
  prepared: NewPreparedExecution & { routeId: Hex },
  answer: string,
): Promise<StoredAnswer | Extract<IntentEnd, { end: 'FAILED' }>> {
  const own = { answer, deadline: prepared.deadline }
  return store.transaction().execute(async (transaction) => {
    // Locks the intent's row first, so that it cannot fail while it is answered.
    const outcome = await markAnswered(transaction, intent.intentId)
    if (outcome.end === 'FAILED') return outcome
    const stored = await storeAnswer(transaction, intent, own, prepared.preparedAt)
    if (stored.answer === answer) await storePrepared(transaction, prepared)
    return stored
  })
}

/** An answer without a key cannot be requested again, so it is not stored. */
async function storeAnswer(
  store: Store,
  { intentId, routeId, user, idempotencyKey }: AnsweredIntent,
  own: StoredAnswer,
  now: Date,
): Promise<StoredAnswer> {
  if (idempotencyKey === undefined) return own
  // Left by an earlier intent of the same plan; the answer of this one is never replaced.
  await store
    .deleteFrom('preparedAnswer')
    .where('routeId', '=', routeId)
    .where('userAddress', '=', user)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('deadline', '<=', now)
    .where('intentId', '!=', intentId)
    .execute()
  return (
    store
      .insertInto('preparedAnswer')
      .values({ routeId, userAddress: user, idempotencyKey, intentId, ...own })
      // Writes nothing new: it makes the statement return the existing row.
      .onConflict((conflict) =>
        conflict
          .columns(['routeId', 'userAddress', 'idempotencyKey'])
          .doUpdateSet(({ ref }) => ({ routeId: ref('excluded.routeId') })),
      )
      .returning(['answer', 'deadline'])
      .executeTakeFirstOrThrow()
  )
}

/**
 * Finds the answer that this caller got for this route under this key, until its deadline; undefined when there is
 * none.
 */
export async function findPreparedAnswer(
  store: Store,
  { routeId, user, idempotencyKey }: Claimant,
  now: Date,
): Promise<string | undefined> {
  if (idempotencyKey === undefined) return undefined
  const row = await store
    .selectFrom('preparedAnswer')
    .select('answer')
    .where('routeId', '=', routeId)
    .where('userAddress', '=', user)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('deadline', '>', now)
    .executeTakeFirst()
  return row?.answer
}

/** An address that no wallet has, so that a caller without one costs the same statement. */
const NOBODY: Address = '0x'

/** Finds an execution that was prepared for this user, whether or not it was ever submitted. */
export function findPreparedExecution(
  store: Store,
  { executionId, user = NOBODY }: { executionId: Hex; user: Address | undefined },
) {
  return store
    .selectFrom('preparedExecution')
    .selectAll()
    .where('executionId', '=', executionId)
    .where('userAddress', '=', user)
    .executeTakeFirst()
}
