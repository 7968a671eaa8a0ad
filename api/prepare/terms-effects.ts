/** Claims and routes for which new terms of a vault decide otherwise than the present ones. */
import type { Address, Hex } from 'viem'
import type { LensClaim, ReadableVault } from '../chain/lens-types.ts'
import type { Terms } from '../chain/vault-terms.ts'
import { advanceOf } from '../domain/discount.ts'
import type { Refusal, VaultReason } from '../domain/reasons.ts'
import { exceededIssuer } from '../eligibility/leg.ts'
import { bpsAt } from '../eligibility/pricing.ts'
import { largestFace, termsRefusal } from '../eligibility/vault-refusal.ts'
import type { Snapshot } from '../projection/session/snapshot.ts'
import { type OpenClaim, readOpenClaims } from '../projection/tables/open-claims.ts'
import type { Store } from '../store/database.ts'
import { readPreparedLegs } from '../store/prepared-legs.ts'

/** Claims of an answer: those that are due first. */
export const OPEN_CLAIMS_READ = 1_000
/** Claims of each list that an answer names. */
export const CLAIMS_NAMED = 5

export type TermsEffects = {
  /** Number of open claims that were judged; those beyond `OPEN_CLAIMS_READ` were not. */
  judged: number
  truncated: boolean
  accepted: number
  refused: number
  newlyAccepted: readonly Hex[]
  newlyRefused: readonly ({ claimId: Hex } & Refusal<VaultReason>)[]
  /** Routes that wallets prepared through this service, whose deadline has not passed, with a leg of the vault. */
  openRoutes: number
  /** Those of which a leg would be refused, or advance less than its minimum. */
  brokenRoutes: number
}

type Subject = { vault: Address; token: Address; present: Terms; next: Terms }

/** Judges the largest lot that the vault could finance of each claim now, by mandate; liquidity does not count. */
export async function readTermsEffects(
  { snapshot, store, now }: { snapshot: Snapshot; store: Store; now: Date },
  { vault, token, present, next }: Subject,
): Promise<TermsEffects> {
  const at = snapshot.finalizedThrough.timestamp
  const rows = await readOpenClaims(snapshot, { vault, token }, OPEN_CLAIMS_READ + 1)
  const under = ({ mandate, pricing }: Terms): ReadableVault => ({
    vault,
    readable: true,
    active: true,
    token,
    fundableLiquidity: 0n,
    mandate,
    pricing,
    issuerFaces: new Map(rows.map(({ issuer, owedFace }) => [issuer, owedFace])),
  })
  const [before, after] = [under(present), under(next)]
  const refusal = (claim: LensClaim, terms: ReadableVault, face = largestFace(claim, terms)) =>
    termsRefusal(claim, terms, face, { start: at, end: at })
  const claims = rows.slice(0, OPEN_CLAIMS_READ).map((row) => toLensClaim(row, vault))
  const judged = claims.map((claim) => ({
    claim,
    was: refusal(claim, before),
    is: refusal(claim, after),
  }))
  const byId = new Map(claims.map((claim) => [claim.claimId, claim]))
  const routes = await readPreparedLegs(store, vault, now)
  const broken = routes.filter((prepared) => {
    const legs = prepared.flatMap((leg) => {
      const claim = byId.get(leg.claimId)
      return claim ? [{ leg: { ...leg, vault }, claim, vault: after }] : []
    })
    const isBroken = ({ leg: { faceAmount, minimumAdvanceAmount }, claim }: (typeof legs)[number]) => {
      const advance = advanceOf(faceAmount, bpsAt(next.pricing, claim, at))
      return refusal(claim, after, faceAmount) !== undefined || advance < minimumAdvanceAmount
    }
    return exceededIssuer(legs) !== undefined || legs.some(isBroken)
  })
  const refused = judged.filter(({ is }) => is !== undefined)
  return {
    judged: judged.length,
    truncated: rows.length > OPEN_CLAIMS_READ,
    accepted: judged.length - refused.length,
    refused: refused.length,
    newlyAccepted: judged.flatMap(({ claim, was, is }) => (was && !is ? [claim.claimId] : [])),
    newlyRefused: judged.flatMap(({ claim, was, is }) =>
      is && !was ? [{ claimId: claim.claimId, ...is }] : [],
    ),
    openRoutes: routes.length,
    brokenRoutes: broken.length,
  }
}

/** A claim that is not due is not paid in part. */
function toLensClaim({ heldFace, owedFace: _, ...claim }: OpenClaim, vault: Address): LensClaim {
  return { ...claim, paidFaceValue: 0n, issuerActive: true, allocations: [{ vault, faceAmount: heldFace }] }
}
