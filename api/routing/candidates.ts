/** Derives the candidates of the optimizer from the state of the chain, with a reason for each exclusion. */
import { type Address, type Hex, maxUint256 } from 'viem'
import type { LensClaim, LensQuote, LensVault, Market, ReadableVault } from '../chain/lens-types.ts'
import { larger } from '../domain/bigint.ts'
import { advanceOf } from '../domain/discount.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { ClaimReason, Refusal, VaultReason } from '../domain/reasons.ts'
import type { Window } from '../domain/window.ts'
import { beneficiaryRefusal, claimRefusal } from '../eligibility/claim-refusal.ts'
import { bpsAt, rateOf } from '../eligibility/pricing.ts'
import { largestFace, owedFace, vaultRefusal } from '../eligibility/vault-refusal.ts'
import { CodedError } from '../errors.ts'
import type { Candidate, IssuerLimit } from '../optimizer/index.ts'
import { type Exposure, plannableLiquidity } from './reserve.ts'
import { byClaimAndVault } from './route-id.ts'

export type RefusedVault = Refusal<VaultReason> & { vault: Address }

/** A claim that cannot be part of the route; `vaults` has the reason of each vault where no vault takes the claim. */
export type FilteredClaim = Refusal<ClaimReason> & { claimId: Hex; vaults?: readonly RefusedVault[] }

/** Candidates in the order of (claimId, vault); liquidity that a plan may use, by vault. */
export type Collected = {
  candidates: readonly Candidate[]
  vaultLiquidity: ReadonlyMap<Address, BaseUnits>
  /** The face that issuers with several claims among the candidates may still owe vaults whose mandates limit it. */
  issuerLimits: readonly IssuerLimit[]
  filteredOut: readonly FilteredClaim[]
  /** Token of the amounts: of the candidates' claims, or without candidates the one token of all claims. */
  token: Address | undefined
}

/**
 * Collects every pair of a claim of `user` and a vault that may become a leg anywhere within `window`.
 * @throws CodedError `MIXED_TOKENS` when the claims that are left are not all in one token
 */
export function collectCandidates(market: Market, user: Address, window: Window): Collected {
  if (market.paused) {
    const filteredOut = market.claims.map(({ claimId }) => ({ claimId, reason: 'ROUTER_PAUSED' }) as const)
    return {
      candidates: [],
      vaultLiquidity: new Map(),
      issuerLimits: [],
      filteredOut,
      token: onlyToken(market.claims),
    }
  }
  const judged = market.claims.map((claim, index) => judge(claim, index, market, user, window))
  const liquidity = liquidityByVault(judged.flatMap(pairsOf))
  const settled = judged.map((claim) => withinLiquidity(claim, liquidity))
  const financeable = settled.filter((claim) => pairsOf(claim).length > 0).map(({ claim }) => claim)
  refuseMixedTokens(financeable)
  return {
    candidates: settled
      .flatMap(pairsOf)
      .map(({ candidate }) => candidate)
      .toSorted(byClaimAndVault),
    vaultLiquidity: liquidity,
    issuerLimits: issuerLimitsOf(settled),
    filteredOut: settled.flatMap((claim) => filteredClaim(claim) ?? []),
    token: onlyToken(financeable) ?? onlyToken(market.claims),
  }
}

/** The one token of the claims that exist; undefined if there is none, or more than one. */
function onlyToken(claims: readonly LensClaim[]): Address | undefined {
  const tokens = new Set(claims.filter(({ state }) => state !== 'NONE').map(({ token }) => token))
  return tokens.size === 1 ? [...tokens][0] : undefined
}

type Pair = { candidate: Candidate; terms: ReadableVault; exposure: Exposure }
/** A claim that is refused itself, or what became of it with each vault, in the order of the registry. */
type Judged = { claim: LensClaim; refusal?: Refusal<ClaimReason>; vaults: readonly (Pair | RefusedVault)[] }

function pairsOf({ vaults }: Judged): Pair[] {
  return vaults.filter((entry) => 'candidate' in entry)
}

function filteredClaim(judged: Judged): FilteredClaim | undefined {
  const { claim, refusal, vaults } = judged
  if (refusal) return { claimId: claim.claimId, ...refusal }
  if (pairsOf(judged).length > 0) return undefined
  const refused = vaults.filter((entry) => 'reason' in entry)
  return { claimId: claim.claimId, reason: 'NO_ELIGIBLE_VAULT', vaults: refused }
}

function judge(claim: LensClaim, index: number, market: Market, user: Address, window: Window): Judged {
  const refusal = beneficiaryRefusal(claim, user) ?? claimRefusal(claim, window)
  if (refusal) return { claim, refusal, vaults: [] }
  const vaults = market.vaults.map((vault, position) => {
    const probe = market.probes[index]?.[position] ?? { status: 'NOT_ASKED' }
    const refused = vaultRefusal(claim, vault, probe, window)
    return refused ? { vault: vault.vault, ...refused } : toPair(claim, vault, probe, window)
  })
  return { claim, vaults }
}

function toPair(claim: LensClaim, vault: LensVault, probe: LensQuote, window: Window): Pair {
  if (!vault.readable || probe.status !== 'ANSWERED')
    throw new Error('a pair without a quote was not refused')
  const maxFace = largestFace(claim, vault)
  const rateBps = rateOf(probe.discountAmount, maxFace)
  const { minFace } = vault.mandate
  return {
    candidate: { claimId: claim.claimId, vault: vault.vault, rateBps, minFace, maxFace },
    terms: vault,
    exposure: { rateBps, lowestBps: bpsAt(vault.pricing, claim, window.end), maxFace },
  }
}

function liquidityByVault(pairs: readonly Pair[]): Map<Address, BaseUnits> {
  const byVault = new Map<Address, { liquidity: BaseUnits; exposures: Exposure[] }>()
  for (const { candidate, terms, exposure } of pairs) {
    const known = byVault.get(candidate.vault) ?? { liquidity: terms.fundableLiquidity, exposures: [] }
    known.exposures.push(exposure)
    byVault.set(candidate.vault, known)
  }
  return new Map(
    [...byVault].map(([vault, known]) => [vault, plannableLiquidity(known.liquidity, known.exposures)]),
  )
}

/** A candidate alone is within the limit of its issuer. */
function issuerLimitsOf(judged: readonly Judged[]): IssuerLimit[] {
  const limits = new Map<string, IssuerLimit & { claimIds: Hex[] }>()
  for (const { claim, vaults } of judged)
    for (const pair of vaults) {
      if (!('candidate' in pair)) continue
      const { vault, mandate } = pair.terms
      if (mandate.maxIssuerFace === maxUint256) continue
      const key = `${vault}${claim.issuer}`
      const maxFace = mandate.maxIssuerFace - owedFace(claim, pair.terms)
      const limit = limits.get(key) ?? { vault, claimIds: [], maxFace }
      limit.claimIds.push(claim.claimId)
      limits.set(key, limit)
    }
  return [...limits.values()].filter(({ claimIds }) => claimIds.length > 1)
}

/** Refuses the vaults that have not even the smallest lot's advance to plan with. */
function withinLiquidity(judged: Judged, liquidity: ReadonlyMap<Address, BaseUnits>): Judged {
  const vaults = judged.vaults.map((entry) => {
    if ('reason' in entry) return entry
    const { vault, minFace, rateBps } = entry.candidate
    const have = liquidity.get(vault) ?? 0n
    const need = larger(advanceOf(minFace, rateBps), 1n)
    return have < need ? ({ vault, reason: 'NO_LIQUIDITY', have, need } as const) : entry
  })
  return { ...judged, vaults }
}

/** Advances in two currencies have no sum. */
function refuseMixedTokens(claims: readonly LensClaim[]): void {
  const [first, ...others] = claims
  const odd = others.find(({ token }) => token !== first?.token)
  if (!first || !odd) return
  throw new CodedError(
    'MIXED_TOKENS',
    'All claims of a route must have the same token. Optimize once per token.',
    {
      facts: { claimId: first.claimId, token: first.token, otherClaimId: odd.claimId, otherToken: odd.token },
    },
  )
}
