/** The typed data of a route: every leg is checked again, nonce and deadline are set (specification, section 4). */
import { type Address, hashTypedData } from 'viem'
import { hasCode } from '../chain/account-code.ts'
import type { RouteView } from '../chain/lens-types.ts'
import { readRouterNonce } from '../chain/nonce.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import { simulateRoute } from '../chain/simulate.ts'
import { accountNotDeployed, simulationIssues } from '../chain/simulation-issues.ts'
import { larger, sum } from '../domain/bigint.ts'
import type { SignedBy } from '../domain/signed-by.ts'
import { latestOf } from '../domain/window.ts'
import type { ValidLeg } from '../eligibility/leg.ts'
import type { RouteIntent } from '../store/route-intent-row.ts'
import {
  type ExecutionRouteMessage,
  executionRouteTypes,
  financingRouterDomain,
} from '../typed-data/execution-route.ts'
import { toSignable } from '../typed-data/signable.ts'
import type { RoutingDeps } from './deps.ts'
import { preparedDeadline } from './planning-window.ts'
import type { PreparedRoute } from './prepared-route.ts'
import { refuseTooSoon, revalidate } from './revalidate.ts'

/** A route with the nonce of the router that it uses. */
export type BoundRoute = PreparedRoute & { nonce: bigint }

/**
 * Checks a consumed intent at a fresh finalized block and makes the message that its user signs (steps 2 to 5).
 *
 * @throws the nine re-validation codes, `CHAIN_UNAVAILABLE`, what `pinBlock` throws
 */
export async function bindRoute(
  deps: RoutingDeps,
  intent: RouteIntent,
  signedBy: SignedBy,
  pinBlock: PinBlock,
): Promise<BoundRoute> {
  const { chain, lens, clock, deployment } = deps
  const router = deployment.contracts.financingRouter
  const block = await pinBlock()
  const [view, nonce, canSign] = await Promise.all([
    lens.readRoute(block, intent.legs),
    readRouterNonce(chain, router, intent.user),
    signedBy === 'KEY' || hasCode(chain, intent.user),
  ])
  const deadline = preparedDeadline(intent.userDeadline, latestOf(clock(), block), block)
  const legs = revalidate(intent, view, { start: block.timestamp, end: larger(deadline, block.timestamp) })
  refuseTooSoon(deadline, clock(), block)
  const message = { ...termsOf(intent, legs), token: tokenOf(view), nonce, deadline }
  const typed = {
    domain: financingRouterDomain(deployment.chainId, router),
    types: executionRouteTypes,
    primaryType: 'ExecutionRoute',
    message,
  } as const
  const simulated = simulationIssues(await simulateRoute(chain, router, message))
  const issues = canSign ? simulated : [accountNotDeployed(intent.user), ...simulated]
  return {
    executionId: hashTypedData(typed),
    typedData: toSignable(typed),
    deadline,
    legs: message.legs,
    blockNumber: block.number,
    issues,
    nonce,
  }
}

/** All claims of a route have one token: it is planned so, and the token of a claim never changes. */
function tokenOf({ legs: [first] }: RouteView): Address {
  if (!first) throw new Error('a route has at least one leg')
  return first.claim.token
}

/** Without a bound of the user's on the face, the route's own is the tightest that holds. */
function termsOf(
  { user, request }: RouteIntent,
  legs: readonly ValidLeg[],
): Omit<ExecutionRouteMessage, 'token' | 'nonce' | 'deadline'> {
  const totalFace = sum(legs.map(({ faceAmount }) => faceAmount))
  return {
    user,
    legs: legs.map(({ latestAdvanceAmount: _, ...leg }) => leg),
    targetAdvance: request.targetAdvance,
    maxTotalFace: request.maxTotalFace ?? totalFace,
  }
}
