import type { UUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Address, Hex } from 'viem'
import type { BaseUnits } from '../domain/money.ts'
import type { UnixSeconds } from '../domain/time.ts'
import type { Leg } from '../optimizer/index.ts'
import type { IntentStatus, RouteIntentRow, StoredLeg, StoredRequest } from './database.ts'

/** Request of a route. */
export type RouteRequest = {
  targetAdvance: BaseUnits
  maxTotalFace?: BaseUnits | undefined
  maxTotalCost?: BaseUnits | undefined
  routeDeadlineSeconds: number
}

/** The request of the user. `claimIds` is undefined for intents of versions that did not store them. */
export type IntentRequest = RouteRequest & { claimIds: readonly Hex[] | undefined }

/** A planned route (specification, sections 2 and 3). `blockNumber` is the block it was planned at. */
export type RouteIntent = {
  /** Id of its row; all rows of one plan have one `routeId`. */
  intentId: UUID
  routeId: Hex
  user: Address
  status: IntentStatus
  blockNumber: bigint
  request: IntentRequest
  legs: readonly Leg[]
  createdAt: Date
  expiresAt: Date
  /** The last second in which the user permits the execution of the route. */
  userDeadline: UnixSeconds
}

export function toIntent(row: Selectable<RouteIntentRow>): RouteIntent {
  return {
    intentId: row.intentId,
    routeId: row.routeId,
    user: row.userAddress,
    status: row.status,
    blockNumber: row.blockNumber,
    request: readRequest(row.request),
    legs: row.legs.map(({ faceAmount, ...pair }) => ({ ...pair, faceAmount: BigInt(faceAmount) })),
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    userDeadline: BigInt(row.userDeadline.getTime()) / 1000n,
  }
}

function readRequest({
  claimIds,
  targetAdvance,
  maxTotalFace,
  maxTotalCost,
  routeDeadlineSeconds,
}: StoredRequest): IntentRequest {
  return {
    claimIds,
    targetAdvance: BigInt(targetAdvance),
    maxTotalFace: maxTotalFace === null ? undefined : BigInt(maxTotalFace),
    maxTotalCost: maxTotalCost === null ? undefined : BigInt(maxTotalCost),
    routeDeadlineSeconds,
  }
}

export function writeRequest(request: IntentRequest): StoredRequest {
  return {
    ...(request.claimIds && { claimIds: request.claimIds }),
    targetAdvance: request.targetAdvance.toString(),
    maxTotalFace: request.maxTotalFace?.toString() ?? null,
    maxTotalCost: request.maxTotalCost?.toString() ?? null,
    routeDeadlineSeconds: request.routeDeadlineSeconds,
  }
}

export function writeLegs(legs: readonly Leg[]): StoredLeg[] {
  return legs.map(({ claimId, vault, faceAmount }) => ({ claimId, vault, faceAmount: faceAmount.toString() }))
}
