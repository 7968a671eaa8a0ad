/**
 * A route's identity: keccak256 over canonical JSON (RFC 8785), so that the same request at the same block has the same
 * id on every replica (specification, section 4: Route identity). Every number is written as a decimal string, an
 * absent bound as null.
 */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { type Address, type Hex, keccak256, stringToHex } from 'viem'
import { compare } from '../domain/bigint.ts'
import type { Candidate, Leg } from '../optimizer/index.ts'
import type { RouteRequest } from '../store/route-intent-row.ts'

export type RouteIdentity = RouteRequest & { user: Address; quoteSnapshotHash: Hex; legs: readonly Leg[] }

/**
 * Identifies what was quoted: the block and the candidates that were read there. The specification leaves its hash
 * function open. It is SHA-256, since keccak256 in JavaScript takes 40 ms for 20 claims and 100 vaults.
 */
export function quoteSnapshotHash(blockNumber: bigint, candidates: readonly Candidate[]): Hex {
  const text = canonicalText({
    blockNumber: blockNumber.toString(),
    candidates: candidates.toSorted(byClaimAndVault).map(({ claimId, vault, rateBps, minFace, maxFace }) => ({
      claimId,
      vault,
      rateBps: rateBps.toString(),
      minFace: minFace.toString(),
      maxFace: maxFace.toString(),
    })),
  })
  return `0x${createHash('sha256').update(text).digest('hex')}`
}

export function routeIdOf(route: RouteIdentity): Hex {
  const text = canonicalText({
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
  return keccak256(stringToHex(text))
}

function canonicalText(content: object): string {
  const text = canonicalize(content)
  if (text === undefined) throw new Error('an object always has a canonical text')
  return text
}

type Pair = { claimId: Hex; vault: Address }

/** Orders candidates or legs. No two of them share both, so this order is total. */
export function byClaimAndVault(a: Pair, b: Pair): number {
  return compare(a.claimId, b.claimId) || compare(a.vault, b.vault)
}
