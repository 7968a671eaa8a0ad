/** From what the chain says to what the optimizer may choose from, and why everything else is left out. */
import type { Address, Hex } from 'viem'
import type { LensClaim, LensQuote, Market, ReadableVault } from '../chain/lens-types.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { ClaimReason, Refusal, VaultReason } from '../domain/reasons.ts'
import { CodedError } from '../errors.ts'
import type { Candidate } from '../optimizer/index.ts'
import { beneficiaryRefusal, claimRefusal } from './claim-refusal.ts'
import { bpsAt, rateOf } from './pricing.ts'
import { type Exposure, plannableLiquidity } from './reserve.ts'
import { largestFace, vaultRefusal } from './vault-refusal.ts'
import type { Window } from './window.ts'

export type RefusedVault = Refusal<VaultReason> & { vault: Address }

/** A claim that cannot be part of the route; `vaults` tells of each vault when it is for want of one. */
export type FilteredClaim = Refusal<ClaimReason> & { claimId: Hex; vaults?: readonly RefusedVault[] }

/** Candidates in the order of (claimId, vault); liquidity that a plan may use, by vault. */
export type Collected = {
  candidates: readonly Candidate[]
  vaultLiquidity: ReadonlyMap<Address, BaseUnits>
  filteredOut: readonly FilteredClaim[]
}

/**
 * Every pair of a claim of `user` and a vault that may become a leg anywhere within `window`.
 * @throws CodedError `MIXED_TOKENS` when the claims that are left are not all in one token
 */
export function collectCandidates(market: Market, user: Address, window: Window): Collected {
  if (market.paused)
    return nothing(market.claims.map(({ claimId }) => ({ claimId, reason: 'ROUTER_PAUSED' })))
  const judged = market.claims.map((claim, index) => judge(claim, index, market, user, window))
  const pairs = judged.flatMap((claim) => claim.pairs).toSorted(byClaimAndVault)
  refuseMixedTokens(judged.filter(({ pairs }) => pairs.length > 0).map(({ claim }) => claim))
  return {
    candidates: pairs.map(({ candidate }) => candidate),
    vaultLiquidity: liquidityByVault(pairs),
    filteredOut: judged.flatMap(({ filtered }) => filtered ?? []),
  }
}

type Pair = { candidate: Candidate; vault: ReadableVault; exposure: Exposure }
type Judged = { claim: LensClaim; pairs: readonly Pair[]; filtered?: FilteredClaim }

function nothing(filteredOut: readonly FilteredClaim[]): Collected {
  return { candidates: [], vaultLiquidity: new Map(), filteredOut }
}

function judge(claim: LensClaim, index: number, market: Market, user: Address, window: Window): Judged {
  const refused = beneficiaryRefusal(claim, user) ?? claimRefusal(claim, window.end)
  if (refused) return { claim, pairs: [], filtered: { claimId: claim.claimId, ...refused } }
  const pairs: Pair[] = []
  const vaults: RefusedVault[] = []
  for (const [position, vault] of market.vaults.entries()) {
    const probe = market.probes[index]?.[position] ?? { status: 'NOT_ASKED' }
    const refusal = vaultRefusal(claim, vault, probe, window.start)
    if (refusal) vaults.push({ vault: vault.vault, ...refusal })
    else if (vault.readable) pairs.push(toPair(claim, vault, probe, window))
  }
  if (pairs.length > 0) return { claim, pairs }
  return { claim, pairs, filtered: { claimId: claim.claimId, reason: 'NO_ELIGIBLE_VAULT', vaults } }
}

function toPair(claim: LensClaim, vault: ReadableVault, probe: LensQuote, window: Window): Pair {
  if (probe.status !== 'ANSWERED') throw new Error('a pair without a quote was not refused')
  const maxFace = largestFace(claim, vault)
  const rateBps = rateOf(probe.discountAmount, maxFace)
  const lowestBps = bpsAt(vault.pricing, claim, window.end)
  return {
    candidate: {
      claimId: claim.claimId,
      vault: vault.vault,
      rateBps,
      minFace: vault.mandate.minFace,
      maxFace,
    },
    vault,
    exposure: { rateBps, lowestBps, maxFace },
  }
}

function liquidityByVault(pairs: readonly Pair[]): Map<Address, BaseUnits> {
  const byVault = new Map<Address, { liquidity: BaseUnits; exposures: Exposure[] }>()
  for (const { vault, exposure } of pairs) {
    const known = byVault.get(vault.vault) ?? { liquidity: vault.fundableLiquidity, exposures: [] }
    known.exposures.push(exposure)
    byVault.set(vault.vault, known)
  }
  return new Map(
    [...byVault].map(([vault, { liquidity, exposures }]) => [
      vault,
      plannableLiquidity(liquidity, exposures),
    ]),
  )
}

/** Advances in two currencies have no sum. */
function refuseMixedTokens(claims: readonly LensClaim[]): void {
  const [first, ...others] = claims
  const odd = others.find(({ token }) => token !== first?.token)
  if (!first || !odd) return
  throw new CodedError(
    'MIXED_TOKENS',
    'All claims of one route must be in one token: ask for a route per token.',
    {
      facts: { claimId: first.claimId, token: first.token, otherClaimId: odd.claimId, otherToken: odd.token },
    },
  )
}

function byClaimAndVault({ candidate: a }: Pair, { candidate: b }: Pair): number {
  return compare(a.claimId, b.claimId) || compare(a.vault, b.vault)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
