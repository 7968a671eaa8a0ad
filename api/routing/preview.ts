/** Quotes of all vaults for a claim. Nothing is reserved; the result does not depend on the caller. */
import type { Address, Hex } from 'viem'
import type { Lens } from '../chain/lens.ts'
import type { LegView, LensClaim, LensVault, Market, ReadableVault } from '../chain/lens-types.ts'
import type { PinBlock, PinnedBlock } from '../chain/pin-block.ts'
import type { Deps } from '../deps.ts'
import { compare, larger, smaller } from '../domain/bigint.ts'
import { faceForAdvance } from '../domain/discount.ts'
import { BPS_DENOMINATOR, MAX_LEGS, ROUTE_DEADLINE_SECONDS } from '../domain/limits.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { ClaimReason, Refusal } from '../domain/reasons.ts'
import { latestOf, type Window } from '../domain/window.ts'
import { claimRefusal, dueRefusal } from '../eligibility/claim-refusal.ts'
import { faceRefusal, judgeVault, overdrawnVault } from '../eligibility/leg.ts'
import { bpsAt } from '../eligibility/pricing.ts'
import { largestFace, priceRefusal, termsRefusal, UNREADABLE } from '../eligibility/vault-refusal.ts'
import { claimNotFound } from '../errors.ts'
import type { Leg } from '../optimizer/index.ts'
import type { RefusedVault } from './candidates.ts'
import { planningWindow } from './planning-window.ts'

export type PreviewDeps = Pick<Deps, 'clock' | 'config' | 'head'> & { lens: Lens }

/** Defaults: `faceAmount` is the most that each vault takes, `vault` is every vault. */
export type PreviewRequest = { claimId: Hex; faceAmount: BaseUnits | undefined; vault: Address | undefined }

/**
 * `discountAmount` as the vault answered it; `advance` is what remains of the face; `totalBps` the same for any face.
 */
export type VaultQuote = Leg & { discountAmount: BaseUnits; advance: BaseUnits; totalBps: bigint }

type PreviewReason = ClaimReason | 'FACE_EXCEEDS_REMAINING'

/**
 * Quotes cheapest first. Without quotes where the claim itself is refused. `routeRefusal`: why optimize with its
 * default deadline excludes a claim that is quoted here. A route is planned for longer than a direct financing, which
 * is made for now.
 */
export type Preview = {
  block: PinnedBlock
  claim: LensClaim
  refusal: Refusal<PreviewReason> | undefined
  routeRefusal: Refusal<ClaimReason> | undefined
  quotes: readonly VaultQuote[]
  refusedVaults: readonly RefusedVault[]
}

/**
 * Checked for the window of a financing with the default deadline, so that a quote can be prepared at once.
 *
 * @throws `CLAIM_NOT_FOUND`, `CHAIN_UNAVAILABLE`
 */
export async function previewQuotes(
  { lens, clock, config }: Omit<PreviewDeps, 'head'>,
  request: PreviewRequest,
  pinBlock: PinBlock,
): Promise<Preview> {
  const { claimId, faceAmount } = request
  const block = await pinBlock()
  const market = await lens.readMarket(block, { claimIds: [claimId] })
  const [claim] = market.claims
  if (!claim || claim.state === 'NONE') throw claimNotFound(claimId, block.number)
  const end = latestOf(clock(), block) + BigInt(ROUTE_DEADLINE_SECONDS.default)
  const window = { start: block.timestamp, end }
  const refusal = refusalOf(market, claim, faceAmount, window)
  const planned = planningWindow(block, config.planningDelaySeconds, ROUTE_DEADLINE_SECONDS.default)
  const routeRefusal = dueRefusal(claim, planned)
  if (refusal) return { block, claim, refusal, routeRefusal: undefined, quotes: [], refusedVaults: [] }
  const asked = askVaults(market, claim, request, window)
  const judged = (await readLegs(lens, block, asked.legs)).map(([leg, view]) => judge(leg, view, window))
  return {
    block,
    claim,
    refusal,
    routeRefusal,
    quotes: judged.filter((entry) => 'advance' in entry).toSorted(byCost),
    refusedVaults: [...asked.refused, ...judged.filter((entry) => 'reason' in entry)].toSorted(byVault),
  }
}

function refusalOf(
  { paused }: Market,
  claim: LensClaim,
  faceAmount: BaseUnits | undefined,
  window: Window,
): Refusal<PreviewReason> | undefined {
  if (paused) return { reason: 'ROUTER_PAUSED' }
  return (
    claimRefusal(claim, window) ?? (faceAmount === undefined ? undefined : faceRefusal(claim, faceAmount))
  )
}

type Asked = { legs: readonly Leg[]; refused: readonly RefusedVault[] }

/** The vaults to quote, each with its face; the terms of the others exclude them. */
function askVaults(market: Market, claim: LensClaim, request: PreviewRequest, window: Window): Asked {
  const wanted = market.vaults.filter(({ vault }) => vault === (request.vault ?? vault))
  // The registry creates all vaults, so an address that it does not list is no vault.
  if (request.vault && wanted.length === 0) {
    return { legs: [], refused: [{ vault: request.vault, reason: 'VAULT_INACTIVE' }] }
  }
  const asked = wanted.map((vault) => ask(claim, vault, request.faceAmount, window))
  return {
    legs: asked.filter((entry) => 'faceAmount' in entry),
    refused: asked.filter((entry) => 'reason' in entry),
  }
}

function ask(
  claim: LensClaim,
  vault: LensVault,
  faceAmount: BaseUnits | undefined,
  window: Window,
): Leg | RefusedVault {
  if (!vault.readable) return { vault: vault.vault, ...UNREADABLE }
  const face = faceAmount ?? mostTaken(claim, vault, window)
  const refused = termsRefusal(claim, vault, face, window)
  return refused
    ? { vault: vault.vault, ...refused }
    : { claimId: claim.claimId, vault: vault.vault, faceAmount: face }
}

/**
 * The largest face that mandate, claim and liquidity allow. Where liquidity is below the smallest lot, that lot, so
 * that the refusal names liquidity.
 */
function mostTaken(claim: LensClaim, vault: ReadableVault, { end }: Window): BaseUnits {
  const largest = largestFace(claim, vault)
  const bps = bpsAt(vault.pricing, claim, end)
  if (bps >= BPS_DENOMINATOR) return largest
  const payable = faceForAdvance(vault.fundableLiquidity + 1n, bps) - 1n
  return smaller(largest, larger(payable, vault.mandate.minFace))
}

/** Reads at most as many legs per call as a route has, which the lens can answer on any node. */
async function readLegs(
  lens: Lens,
  block: PinnedBlock,
  legs: readonly Leg[],
): Promise<(readonly [Leg, LegView])[]> {
  const parts = Array.from({ length: Math.ceil(legs.length / MAX_LEGS) }, (_, part) =>
    legs.slice(part * MAX_LEGS, (part + 1) * MAX_LEGS),
  )
  const views = await Promise.all(parts.map((part) => lens.readRoute(block, part)))
  return views
    .flatMap((view) => view.legs)
    .flatMap((view, index) => {
      const leg = legs[index]
      return leg ? [[leg, view] as const] : []
    })
}

function judge(leg: Leg, view: LegView, window: Window): VaultQuote | RefusedVault {
  const { claim, vault, quote } = view
  const judged = judgeVault(leg, view, window)
  const refusal = 'refusal' in judged ? judged.refusal : priceRefusal(quote, leg.faceAmount)
  if (refusal) return { vault: leg.vault, ...refusal }
  if (!('valid' in judged) || !vault.readable) throw new Error('a quote that is not valid was not refused')
  const overdrawn = overdrawnVault([{ leg: judged.valid, vault }])
  if (overdrawn) return { ...overdrawn, reason: 'NO_LIQUIDITY' }
  const advance = judged.valid.minimumAdvanceAmount
  const discountAmount = leg.faceAmount - advance
  return { ...leg, discountAmount, advance, totalBps: bpsAt(vault.pricing, claim, window.start) }
}

/** By cost per face, compared exactly; then by vault. */
function byCost(a: VaultQuote, b: VaultQuote): number {
  return compare(a.discountAmount * b.faceAmount - b.discountAmount * a.faceAmount, 0n) || byVault(a, b)
}

function byVault(a: { vault: Address }, b: { vault: Address }): number {
  return compare(a.vault, b.vault)
}
