import fc from 'fast-check'
import { keccak256, sha256, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { quoteSnapshotHash, type RouteIdentity, routeIdOf } from '../../api/routing/route-id.ts'

const claimA = `0x${'0a'.repeat(32)}` as const
const claimB = `0x${'0b'.repeat(32)}` as const
const vaultC = `0x${'0c'.repeat(20)}` as const
const vaultD = `0x${'0d'.repeat(20)}` as const
const user = `0x${'ee'.repeat(20)}` as const

const candidates = [
  { claimId: claimA, vault: vaultD, rateBps: 151n, minFace: 1n, maxFace: 2n ** 127n },
  { claimId: claimB, vault: vaultC, rateBps: 100n, minFace: 5n, maxFace: 10_000n },
]
const route: RouteIdentity = {
  user,
  quoteSnapshotHash: quoteSnapshotHash(77n, candidates),
  legs: [
    { claimId: claimA, vault: vaultD, faceAmount: 10n ** 24n },
    { claimId: claimB, vault: vaultC, faceAmount: 9_999n },
  ],
  targetAdvance: 10n ** 23n,
  maxTotalFace: 10n ** 25n,
  routeDeadlineSeconds: 300,
}

// The canonical texts written out by hand, so that another implementation can be held against them.
const SNAPSHOT_TEXT = `{"blockNumber":"77","candidates":[{"claimId":"${claimA}","maxFace":"170141183460469231731687303715884105728","minFace":"1","rateBps":"151","vault":"${vaultD}"},{"claimId":"${claimB}","maxFace":"10000","minFace":"5","rateBps":"100","vault":"${vaultC}"}]}`
const SNAPSHOT_HASH = '0x281cf76b8f9fbf7000636081ceeae495aa44bc4657043ca973d5d6ba9dfc4cc7'
const ROUTE_TEXT = `{"legs":[{"claimId":"${claimA}","faceAmount":"1000000000000000000000000","vault":"${vaultD}"},{"claimId":"${claimB}","faceAmount":"9999","vault":"${vaultC}"}],"maxTotalCost":null,"maxTotalFace":"10000000000000000000000000","quoteSnapshotHash":"${SNAPSHOT_HASH}","routeDeadlineSeconds":"300","targetAdvance":"100000000000000000000000","user":"${user}"}`
const ROUTE_ID = '0xadfe7eee92224d29cc7faeea3fed0b3bae8b29ffacd35be9fd4810a5b940555d'

describe('the identity of a route', () => {
  it('is the hash of the canonical text, as the golden vectors have it', () => {
    expect(sha256(stringToHex(SNAPSHOT_TEXT))).toBe(SNAPSHOT_HASH)
    expect(quoteSnapshotHash(77n, candidates)).toBe(SNAPSHOT_HASH)
    expect(keccak256(stringToHex(ROUTE_TEXT))).toBe(ROUTE_ID)
    expect(routeIdOf(route)).toBe(ROUTE_ID)
  })

  it('does not depend on the order of candidates or legs', () => {
    expect(quoteSnapshotHash(77n, candidates.toReversed())).toBe(SNAPSHOT_HASH)
    expect(routeIdOf({ ...route, legs: route.legs.toReversed() })).toBe(ROUTE_ID)
  })

  it('changes with everything that it is made of', () => {
    const changes: Partial<RouteIdentity>[] = [
      { user: vaultC },
      { quoteSnapshotHash: quoteSnapshotHash(78n, candidates) },
      { quoteSnapshotHash: quoteSnapshotHash(77n, candidates.slice(1)) },
      { legs: route.legs.slice(1) },
      { legs: route.legs.map((leg) => ({ ...leg, faceAmount: leg.faceAmount + 1n })) },
      { targetAdvance: 1n },
      { maxTotalFace: undefined },
      { maxTotalCost: 0n },
      { routeDeadlineSeconds: 301 },
    ]
    const ids = changes.map((change) => routeIdOf({ ...route, ...change }))
    expect(new Set([ROUTE_ID, ...ids]).size).toBe(changes.length + 1)
  })

  it('keeps amounts apart that a float would not', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 256n - 2n }), (amount) => {
        const id = (targetAdvance: bigint) => routeIdOf({ ...route, targetAdvance })
        expect(id(amount)).not.toBe(id(amount + 1n))
      }),
    )
  })
})
