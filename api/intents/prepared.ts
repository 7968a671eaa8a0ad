/** What was handed to wallets to sign, so that a lost answer can be given again and an execution be known before it is on chain. */
import type { Address, Hex } from 'viem'
import type { PreparedExecutionRow, Store } from '../store/database.ts'

/**
 * The same execution can be prepared again: a direct one that is not on chain yet, or a route that two plans agree on. The row
 * with the later deadline stays.
 */
export async function storePrepared(store: Store, prepared: PreparedExecutionRow): Promise<void> {
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
        }))
        .whereRef('excluded.deadline', '>=', 'preparedExecution.deadline'),
    )
    .execute()
}

/** The same, of a route; `answer` is kept as it is sent, for this intent alone. */
export async function storePreparedRoute(
  store: Store,
  prepared: PreparedExecutionRow & { routeId: Hex },
  answer: string,
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await storePrepared(transaction, prepared)
    await transaction
      .updateTable('routeIntent')
      .set({ answer, answerDeadline: prepared.deadline })
      .where('routeId', '=', prepared.routeId)
      .execute()
  })
}

/**
 * The answer that this caller got for this intent under this key, until its deadline; undefined when there is none.
 */
export async function findPreparedAnswer(
  store: Store,
  { routeId, user, idempotencyKey }: { routeId: Hex; user: Address; idempotencyKey: string },
  now: Date,
): Promise<string | undefined> {
  const row = await store
    .selectFrom('routeIntent')
    .select('answer')
    .where('routeId', '=', routeId)
    .where('userAddress', '=', user)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('answerDeadline', '>', now)
    .executeTakeFirst()
  return row?.answer ?? undefined
}

/** An execution that was prepared here, whether or not it was ever submitted. */
export function findPreparedExecution(store: Store, executionId: Hex) {
  return store
    .selectFrom('preparedExecution')
    .select(['executionId', 'routeId', 'userAddress', 'preparedAt', 'deadline'])
    .where('executionId', '=', executionId)
    .executeTakeFirst()
}
