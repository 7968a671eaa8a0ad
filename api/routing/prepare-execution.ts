/**
 * The prepare-execution use case (specification, section 4): consume, bind, answer once. It holds no state between
 * requests: what was consumed under an Idempotency-Key and has no answer is prepared again by the next request with
 * that key, on any replica, also concurrently. The first answer or failure that is stored is the result of all of them.
 */
import type { PinBlock } from '../chain/pin-block.ts'
import type { SignedBy } from '../domain/signed-by.ts'
import { CodedError, catalogue, type ErrorCode, revalidationCodes, toCodedError } from '../errors.ts'
import { findPreparedAnswer, storePreparedRoute } from '../store/prepared-executions.ts'
import { writePreparedLegs } from '../store/prepared-legs.ts'
import type { RouteIntent } from '../store/route-intent-row.ts'
import { type Claimant, consumeIntent, failIntent, routeUnavailable } from '../store/route-intents.ts'
import { type BoundRoute, bindRoute } from './bind-route.ts'
import type { RoutingDeps } from './deps.ts'
import { type PreparedRoute, readPreparedRoute, writePreparedRoute } from './prepared-route.ts'

export type PrepareRequest = Claimant & { signedBy: SignedBy }

/**
 * Prepares a route once. A repeated request of the same caller with the same key returns the same route until its
 * deadline.
 *
 * @param pinBlock is called after the route is consumed
 * @throws `ROUTE_INTENT_NOT_FOUND`, `ROUTE_INTENT_EXPIRED`, `ROUTE_INTENT_UNAVAILABLE`, the nine re-validation codes
 * (the intent is FAILED then), `CHAIN_UNAVAILABLE`, what `pinBlock` throws
 */
export async function prepareExecution(
  deps: RoutingDeps,
  request: PrepareRequest,
  pinBlock: PinBlock,
): Promise<PreparedRoute> {
  const claimed = await consumeOrRepeat(deps, request)
  if ('answer' in claimed) return readPreparedRoute(claimed.answer)
  try {
    return await answerOnce(deps, request, claimed.intent, pinBlock)
  } catch (error) {
    throw withNextStep(error, request)
  }
}

async function consumeOrRepeat(
  { store, clock }: RoutingDeps,
  request: PrepareRequest,
): Promise<{ intent: RouteIntent } | { answer: string }> {
  const now = new Date(clock())
  const find = () => findPreparedAnswer(store, request, now)
  // An answer is kept longer than its intent, which may have been planned again since: a repeated request must not
  // consume the new one.
  const answer = await find()
  if (answer !== undefined) return { answer }
  try {
    return { intent: await consumeIntent(store, request, now) }
  } catch (error) {
    const used = error instanceof CodedError && error.code === 'ROUTE_INTENT_UNAVAILABLE'
    const stored = used ? await find() : undefined
    if (stored === undefined) throw error
    return { answer: stored }
  }
}

async function answerOnce(
  deps: RoutingDeps,
  request: PrepareRequest,
  intent: RouteIntent,
  pinBlock: PinBlock,
): Promise<PreparedRoute> {
  let prepared: BoundRoute
  try {
    prepared = await bindRoute(deps, intent, request.signedBy, pinBlock)
  } catch (error) {
    if (isRevalidationFailure(error)) return failOnce(deps, request, intent, error)
    throw error
  }
  const now = new Date(deps.clock())
  const row = {
    executionId: prepared.executionId,
    routeId: intent.routeId,
    userAddress: intent.user,
    preparedAt: now,
    deadline: new Date(Number(prepared.deadline) * 1000),
    nonce: prepared.nonce,
    claimId: null,
    sliceIndex: null,
    legs: writePreparedLegs(prepared.legs),
  }
  const claimed = { ...request, intentId: intent.intentId }
  const answer = writePreparedRoute(prepared)
  const stored = await storePreparedRoute(deps.store, claimed, row, answer)
  if ('end' in stored) throw failedElsewhere(stored.code)
  // Another caller's answer, whose time is over: what would be signed could not be executed.
  if (stored.deadline <= now) throw routeUnavailable('CONSUMED', null)
  return stored.answer === answer ? prepared : readPreparedRoute(stored.answer)
}

function isRevalidationFailure(error: unknown): error is CodedError {
  return error instanceof CodedError && revalidationCodes.some((code) => code === error.code)
}

/** Fails the intent, unless another caller with its key has stored an answer. */
async function failOnce(
  { store, clock }: RoutingDeps,
  request: PrepareRequest,
  { intentId }: RouteIntent,
  refusal: CodedError,
): Promise<PreparedRoute> {
  const outcome = await failIntent(store, intentId, refusal.code)
  if (outcome.end === 'FAILED') throw outcome.code === refusal.code ? refusal : failedElsewhere(outcome.code)
  const answer = await findPreparedAnswer(store, request, new Date(clock()))
  if (answer === undefined) throw refusal
  return readPreparedRoute(answer)
}

function failedElsewhere(code: ErrorCode): CodedError {
  const detail = `An earlier request with this Idempotency-Key failed with ${code}. Optimize again.`
  return new CodedError(code, detail, { facts: { intentStatus: 'FAILED', failureCode: code } })
}

/**
 * An outage leaves a consumed route without an answer. Only its key resumes it; the error states whether the request
 * has one.
 */
function withNextStep(error: unknown, { idempotencyKey }: PrepareRequest): unknown {
  const { code, status, retryAfter } = toCodedError(error)
  if (status !== 503) return error
  const resumable = idempotencyKey !== undefined
  const next = resumable
    ? 'The route is still yours: send the request again with the same Idempotency-Key.'
    : 'The route is used up, because the request has no Idempotency-Key: optimize again.'
  return new CodedError(code, `${catalogue[code].title}. ${next}`, {
    facts: { intentStatus: 'CONSUMED', resumable },
    // A program that only waits and repeats must not be sent into a 409.
    ...(resumable && retryAfter !== undefined && { retryAfter }),
    cause: error,
  })
}
