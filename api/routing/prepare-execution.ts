/** The prepare-execution use case (specification, section 4): consume, pin afresh, re-validate, bind nonce and deadline. */
import { type Address, type Hex, hashTypedData } from 'viem'
import { hasCode } from '../chain/account-code.ts'
import { readRouterNonce } from '../chain/nonce.ts'
import { type PinnedBlock, pinFinalizedBlock } from '../chain/pin-block.ts'
import { simulateRoute } from '../chain/simulate.ts'
import { larger } from '../domain/discount.ts'
import type { Issue } from '../domain/issues.ts'
import type { UnixSeconds } from '../domain/time.ts'
import { CodedError } from '../errors.ts'
import type { RouteIntent } from '../intents/intent.ts'
import { findPreparedAnswer, storePreparedRoute } from '../intents/prepared.ts'
import { consumeIntent, failIntent } from '../intents/store.ts'
import { accountNotDeployed, simulationIssues } from '../prepare/issues.ts'
import {
  type ExecutionRouteMessage,
  executionRouteTypes,
  financingRouterDomain,
} from '../typed-data/execution-route.ts'
import type { RoutingDeps } from './deps.ts'
import type { ValidLeg } from './leg.ts'
import { refuseTooSoon, revalidate } from './revalidate.ts'
import { latestOf, preparedDeadline } from './window.ts'

/** What the user is to sign, and what the router will make of it. `issues`: what would fail at the latest block. */
export type PreparedRoute = {
  executionId: Hex
  message: ExecutionRouteMessage
  deadline: UnixSeconds
  legs: readonly ValidLeg[]
  block: PinnedBlock
  issues: readonly Issue[]
}

/** `signedBy`: what the user signed in by, and so signs the route by. */
export type PrepareRequest = {
  user: Address
  signedBy: 'KEY' | 'CONTRACT'
  routeId: Hex
  idempotencyKey: string | undefined
}

/**
 * Prepares a route once. The same caller may repeat the request under the same key and is given the same answer until its deadline.
 * Whatever goes wrong after the intent was consumed, it is never usable again.
 *
 * @param write the answer's text, which is stored as it is sent
 * @throws `ROUTE_INTENT_NOT_FOUND`, `ROUTE_INTENT_EXPIRED`, `ROUTE_INTENT_UNAVAILABLE`, the nine re-validation codes
 * (the intent is FAILED then), `CHAIN_UNAVAILABLE`
 */
export async function prepareExecution(
  deps: RoutingDeps,
  request: PrepareRequest,
  write: (prepared: PreparedRoute) => string,
): Promise<string> {
  const claimed = await consumeOrRepeat(deps, request)
  if ('answer' in claimed) return claimed.answer
  const { routeId } = claimed.intent
  const prepared = await prepare(deps, claimed.intent, request.signedBy).catch(async (error: unknown) => {
    if (error instanceof CodedError && error.status === 422) await failIntent(deps.store, routeId, error.code)
    throw error
  })
  const answer = write(prepared)
  const row = {
    executionId: prepared.executionId,
    routeId,
    userAddress: request.user,
    preparedAt: new Date(deps.clock()),
    deadline: new Date(Number(prepared.deadline) * 1000),
  }
  await storePreparedRoute(deps.store, row, answer)
  return answer
}

async function consumeOrRepeat(
  { store, clock }: RoutingDeps,
  { user, routeId, idempotencyKey }: PrepareRequest,
): Promise<{ intent: RouteIntent } | { answer: string }> {
  const now = new Date(clock())
  try {
    return { intent: await consumeIntent(store, { user, routeId, idempotencyKey }, now) }
  } catch (error) {
    const used = error instanceof CodedError && error.code === 'ROUTE_INTENT_UNAVAILABLE'
    if (!used || idempotencyKey === undefined) throw error
    const answer = await findPreparedAnswer(store, { user, routeId, idempotencyKey }, now)
    if (answer === undefined) throw error
    return { answer }
  }
}

async function prepare(
  deps: RoutingDeps,
  intent: RouteIntent,
  signedBy: PrepareRequest['signedBy'],
): Promise<PreparedRoute> {
  const { chain, lens, clock, deployment } = deps
  const router = deployment.contracts.financingRouter
  const block = await pinFinalizedBlock(chain)
  const [view, nonce, canSign] = await Promise.all([
    lens.readRoute(block, intent.legs),
    readRouterNonce(chain, router, intent.user),
    signedBy === 'KEY' || hasCode(chain, intent.user),
  ])
  const deadline = preparedDeadline(intent.userDeadline, latestOf(clock(), block))
  const legs = revalidate(intent, view, { start: block.timestamp, end: larger(deadline, block.timestamp) })
  refuseTooSoon(deadline, clock(), block)
  const message = toMessage(intent, legs, nonce, deadline)
  const executionId = hashTypedData({
    domain: financingRouterDomain(deployment.chainId, router),
    types: executionRouteTypes,
    primaryType: 'ExecutionRoute',
    message,
  })
  const simulated = simulationIssues(await simulateRoute(chain, router, message))
  const issues = canSign ? simulated : [accountNotDeployed(intent.user), ...simulated]
  return { executionId, message, deadline, legs, block, issues }
}

/** Without a bound of the user's on the face, the route's own is the tightest that holds. */
function toMessage(
  { user, request }: RouteIntent,
  legs: readonly ValidLeg[],
  nonce: bigint,
  deadline: UnixSeconds,
): ExecutionRouteMessage {
  const totalFace = legs.reduce((sum, { faceAmount }) => sum + faceAmount, 0n)
  return {
    user,
    legs: legs.map(({ latestAdvanceAmount: _, ...leg }) => leg),
    targetAdvance: request.targetAdvance,
    maxTotalFace: request.maxTotalFace ?? totalFace,
    nonce,
    deadline,
  }
}
