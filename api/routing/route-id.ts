/**
 * A route's identity: keccak256 over canonical JSON (RFC 8785), so that the same request at the same block has the same id on every
 * replica (specification, section 4: Route identity). Every number is written as a decimal string, an absent bound as null.
 */

import canonicalize from 'canonicalize'
import { type Address, type Hex, keccak256, stringToHex } from 'viem'
import { compare } from '../domain/bigint.ts'
import type { Candidate, Leg } from '../optimizer/index.ts'
import type { RouteRequest } from '../store/route-intent-row.ts'

export type RouteIdentity = RouteRequest & { user: Address; quoteSnapshotHash: Hex; legs: readonly Leg[] }

/** Identifies what was quoted: the block and the candidates that were read there. */
export function quoteSnapshotHash(blockNumber: bigint, candidates: readonly Candidate[]): Hex {
  return hashOf({
    blockNumber: blockNumber.toString(),
    candidates: candidates.toSorted(byClaimAndVault).map(({ claimId, vault, rateBps, minFace, maxFace }) => ({
      claimId,
      vault,
      rateBps: rateBps.toString(),
      minFace: minFace.toString(),
      maxFace: maxFace.toString(),
    })),
  })
}

export function routeIdOf(route: RouteIdentity): Hex {
  return hashOf({
    user: route.user,
    quoteSnapshotHash: route.quoteSnapshotHash,
    legs: route.legs.toSorted(byClaimAndVault).map(({ claimId, vault, faceAmount }) => ({
      claimId,
      vault,
      faceAmount: faceAmount.toString(),
    })),
    targetAdvance: route.targetAdvance.toString(),
    maxTotalFace: route.maxTotalFace?.toString() ?? null,
    maxTotalCost: route.maxTotalCost?.toString() ?? null,
    routeDeadlineSeconds: route.routeDeadlineSeconds.toString(),
  })
}

function hashOf(content: object): Hex {
  const text = canonicalize(content)
  if (text === undefined) throw new Error('an object always has a canonical text')
  return keccak256(stringToHex(text))
}

type Pair = { claimId: Hex; vault: Address }

/** No two entries share both, so this order is total. */
function byClaimAndVault(a: Pair, b: Pair): number {
  return compare(a.claimId, b.claimId) || compare(a.vault, b.vault)
}
