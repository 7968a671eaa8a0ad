/**
 * The life of a route intent: PENDING → CONSUMED → FAILED, each step one statement that names the state it leaves
 * (specification, section 3). Nothing here ever leads back, and creation never writes over a row.
 */
import type { Address, Hex } from 'viem'
import { DEADLINE_MARGIN_SECONDS } from '../domain/limits.ts'
import { CodedError, type ErrorCode } from '../errors.ts'
import type { Store } from '../store/database.ts'
import { type RouteIntent, toIntent, writeLegs, writeRequest } from './intent.ts'

/**
 * Rows are kept this long after they expire: long enough to say what became of a route, and longer than any node lags, so that a
 * block whose routes are forgotten can no longer be pinned.
 */
const RETENTION_MS = 86_400_000
const PREPARED_RETENTION_MS = 30 * 86_400_000

/**
 * Stores a planned route as PENDING, or returns the one that is there: the same plan at the same block is the same intent.
 * One that nobody consumed in time makes room: it was never used, and would be of no use.
 */
export async function createIntent(store: Store, intent: Omit<RouteIntent, 'status'>): Promise<RouteIntent> {
  await dropUnusable(store, intent.routeId, intent.createdAt)
  await store
    .insertInto('routeIntent')
    .values({
      routeId: intent.routeId,
      userAddress: intent.user,
      status: 'PENDING',
      blockNumber: intent.blockNumber,
      request: JSON.stringify(writeRequest(intent.request)),
      legs: JSON.stringify(writeLegs(intent.legs)),
      createdAt: intent.createdAt,
      expiresAt: intent.expiresAt,
      userDeadline: new Date(Number(intent.userDeadline) * 1000),
    })
    .onConflict((conflict) => conflict.column('routeId').doNothing())
    .execute()
  const row = await store
    .selectFrom('routeIntent')
    .selectAll()
    .where('routeId', '=', intent.routeId)
    .executeTakeFirstOrThrow()
  return toIntent(row)
}

/** Deletes an intent that is still PENDING but can no longer be prepared: expired, or its deadline too near. */
async function dropUnusable(store: Store, routeId: Hex, now: Date): Promise<void> {
  const nearest = new Date(now.getTime() + DEADLINE_MARGIN_SECONDS * 1000)
  await store
    .deleteFrom('routeIntent')
    .where('routeId', '=', routeId)
    .where('status', '=', 'PENDING')
    .where((is) => is.or([is('expiresAt', '<=', now), is('userDeadline', '<=', nearest)]))
    .execute()
}

/**
 * Takes an intent for good: of any number of concurrent callers on any number of replicas one gets it. Whoever does not, learns
 * why; an intent of someone else and one that does not exist look alike.
 *
 * @throws `ROUTE_INTENT_NOT_FOUND`, `ROUTE_INTENT_EXPIRED`, `ROUTE_INTENT_UNAVAILABLE`
 */
export async function consumeIntent(
  store: Store,
  { routeId, user, idempotencyKey }: { routeId: Hex; user: Address; idempotencyKey: string | undefined },
  now: Date,
): Promise<RouteIntent> {
  const consumed = await store
    .updateTable('routeIntent')
    .set({ status: 'CONSUMED', consumedAt: now, idempotencyKey: idempotencyKey ?? null })
    .where('routeId', '=', routeId)
    .where('userAddress', '=', user)
    .where('status', '=', 'PENDING')
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (consumed) return toIntent(consumed)
  throw await refusal(store, routeId, user)
}

async function refusal(store: Store, routeId: Hex, user: Address): Promise<CodedError> {
  const row = await store
    .selectFrom('routeIntent')
    .select('status')
    .where('routeId', '=', routeId)
    .where('userAddress', '=', user)
    .executeTakeFirst()
  if (!row) {
    return new CodedError('ROUTE_INTENT_NOT_FOUND', 'You have no route under this id. Optimize to get one.')
  }
  if (row.status === 'PENDING') {
    return new CodedError('ROUTE_INTENT_EXPIRED', 'The route was not prepared in time. Optimize again.')
  }
  return new CodedError(
    'ROUTE_INTENT_UNAVAILABLE',
    row.status === 'CONSUMED'
      ? 'The route was prepared before, which is possible once. If that answer was lost and the request had an Idempotency-Key, repeat it with the same key; otherwise optimize again.'
      : 'The route failed when it was prepared. Optimize again.',
    { facts: { status: row.status } },
  )
}

/** Marks a consumed intent as failed for good. */
export async function failIntent(store: Store, routeId: Hex, code: ErrorCode): Promise<void> {
  await store
    .updateTable('routeIntent')
    .set({ status: 'FAILED', failureCode: code })
    .where('routeId', '=', routeId)
    .where('status', '=', 'CONSUMED')
    .execute()
}

/**
 * Deletes what no request can ask for any more. A row outlives its block's time at the head, so no pruned id can recur.
 *
 * @param pinned number of the finalized block of now
 */
export async function pruneIntents(store: Store, pinned: bigint, now: Date): Promise<void> {
  await store
    .deleteFrom('routeIntent')
    .where('expiresAt', '<', new Date(now.getTime() - RETENTION_MS))
    .where('blockNumber', '<', pinned)
    .execute()
  await store
    .deleteFrom('preparedExecution')
    .where('deadline', '<', new Date(now.getTime() - PREPARED_RETENTION_MS))
    .execute()
}
