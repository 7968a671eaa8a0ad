/**
 * The states of a route intent: PENDING → CONSUMED → FAILED, each step one statement conditional on the state before
 * (specification, section 3). No step leads back, and creation never overwrites a row. A consumed intent is either
 * answered once (api/store/prepared-executions.ts) or fails: both are updates of its own row, so exactly one of them
 * happens.
 */
import type { UUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Address, Hex } from 'viem'
import { DEADLINE_MARGIN_SECONDS } from '../domain/limits.ts'
import { CodedError, type ErrorCode } from '../errors.ts'
import type { IntentStatus, RouteIntentRow, Store } from './database.ts'
import { type RouteIntent, toIntent, writeLegs, writeRequest } from './route-intent-row.ts'

/**
 * Stores a planned route as PENDING, or returns the existing one: the same plan at the same block is the same intent.
 * An expired intent that was not consumed is replaced.
 */
export async function createIntent(
  store: Store,
  intent: Omit<RouteIntent, 'intentId' | 'status'>,
): Promise<RouteIntent> {
  await dropUnusable(store, intent.routeId, intent.createdAt)
  const row = await store
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
    // Changes nothing, but makes the statement return the existing row, also while another request prunes it.
    .onConflict((conflict) =>
      conflict.column('routeId').doUpdateSet(({ ref }) => ({ routeId: ref('excluded.routeId') })),
    )
    .returningAll()
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

export type Claimant = { routeId: Hex; user: Address; idempotencyKey: string | undefined }

/**
 * Consumes an intent: one of all concurrent callers on all replicas succeeds. A repetition by the same user with the
 * same key succeeds as long as the intent has no answer. An intent of another user is refused like one that does not
 * exist.
 *
 * @throws `ROUTE_INTENT_NOT_FOUND`, `ROUTE_INTENT_EXPIRED`, `ROUTE_INTENT_UNAVAILABLE`
 */
export async function consumeIntent(store: Store, claimant: Claimant, now: Date): Promise<RouteIntent> {
  const { routeId, user, idempotencyKey } = claimant
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
  const row = await store
    .selectFrom('routeIntent')
    .selectAll()
    .where('routeId', '=', routeId)
    .where('userAddress', '=', user)
    .executeTakeFirst()
  if (!row) {
    throw new CodedError(
      'ROUTE_INTENT_NOT_FOUND',
      'The wallet has no route with this id. Optimize to get one.',
    )
  }
  // The route was planned again between the two statements.
  if (row.status === 'PENDING' && row.expiresAt > now) return consumeIntent(store, claimant, now)
  if (isResumedBy(row, idempotencyKey)) return toIntent(row)
  throw refusal(row)
}

function isResumedBy(row: Selectable<RouteIntentRow>, idempotencyKey: string | undefined): boolean {
  if (row.status !== 'CONSUMED' || row.isAnswered) return false
  return idempotencyKey !== undefined && row.idempotencyKey === idempotencyKey
}

function refusal({ status, failureCode }: Selectable<RouteIntentRow>): CodedError {
  if (status !== 'PENDING') return routeUnavailable(status, failureCode)
  return new CodedError('ROUTE_INTENT_EXPIRED', 'The route was not prepared in time. Optimize again.')
}

export function routeUnavailable(
  intentStatus: Exclude<IntentStatus, 'PENDING'>,
  failureCode: ErrorCode | null,
): CodedError {
  const detail =
    intentStatus === 'FAILED'
      ? `The route failed with ${failureCode} when it was prepared. Optimize again.`
      : 'The route was prepared before, which is possible once. If that request had an Idempotency-Key, repeat it with the same key until the deadline of its answer; otherwise optimize again.'
  return new CodedError('ROUTE_INTENT_UNAVAILABLE', detail, { facts: { intentStatus, failureCode } })
}

/** State of a consumed intent after an attempt to end it. `PRUNED`: its user has optimized again since. */
export type IntentEnd = { end: 'ANSWERED' } | { end: 'FAILED'; code: ErrorCode } | { end: 'PRUNED' }

/** Marks a consumed intent as failed, unless it has an answer or failed before. */
export async function failIntent(store: Store, intentId: UUID, code: ErrorCode): Promise<IntentEnd> {
  const failed = await store
    .updateTable('routeIntent')
    .set({ status: 'FAILED', failureCode: code })
    .where('intentId', '=', intentId)
    .where('status', '=', 'CONSUMED')
    .where('isAnswered', '=', false)
    .returning('intentId')
    .executeTakeFirst()
  return failed ? { end: 'FAILED', code } : findIntentEnd(store, intentId)
}

/** Marks a consumed intent as answered, unless it failed. */
export async function markAnswered(store: Store, intentId: UUID): Promise<IntentEnd> {
  const answered = await store
    .updateTable('routeIntent')
    .set({ isAnswered: true })
    .where('intentId', '=', intentId)
    .where('status', '=', 'CONSUMED')
    .returning('intentId')
    .executeTakeFirst()
  return answered ? { end: 'ANSWERED' } : findIntentEnd(store, intentId)
}

async function findIntentEnd(store: Store, intentId: UUID): Promise<IntentEnd> {
  const row = await store
    .selectFrom('routeIntent')
    .select('failureCode')
    .where('intentId', '=', intentId)
    .executeTakeFirst()
  if (!row) return { end: 'PRUNED' }
  return row.failureCode ? { end: 'FAILED', code: row.failureCode } : { end: 'ANSWERED' }
}

/** Maximum number of rows that are counted. Rows live for minutes, so only an attack makes more. */
const COUNTED_MAX = 100_000

/**
 * Counts intents that have not expired, by status; an intent with an answer counts as `ANSWERED`. The index of the
 * expiry finds them.
 *
 * @returns a count for each status
 */
export async function countIntents(
  store: Store,
  now: Date,
): Promise<Record<IntentStatus | 'ANSWERED', number>> {
  const rows = await store
    .selectFrom((from) =>
      from
        .selectFrom('routeIntent')
        .select(['status', 'isAnswered'])
        .where('expiresAt', '>', now)
        .limit(COUNTED_MAX)
        .as('present'),
    )
    .select(({ fn }) => ['status', 'isAnswered', fn.countAll().as('count')])
    .groupBy(['status', 'isAnswered'])
    .execute()
  const counts = { PENDING: 0, CONSUMED: 0, ANSWERED: 0, FAILED: 0 }
  for (const { status, isAnswered, count } of rows) counts[isAnswered ? 'ANSWERED' : status] += Number(count)
  return counts
}
