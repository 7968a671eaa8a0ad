/** The accounts of the demo market, its tokens, kinds of claims, and the vaults' terms. */
import { maxUint256 } from 'viem'
import { MAX_SLICES_PER_CLAIM } from '../../api/domain/limits.ts'
import type { Actor, TokenPlan, VaultPlan } from './plan.ts'
import { at } from './random.ts'

export const OPERATOR = 0
export const DEMO_WALLETS = [1, 2, 3] as const
export const ISSUERS = [4, 5, 6, 7] as const
/** Active at first, deactivated later. */
export const FADING_ISSUER = 7
export const LENDERS = [8, 9] as const
/** Pays some of its own claims back when their issuer does not. */
export const RECOURSE_WALLET = 3

const FIRST_ACTORS: readonly Actor[] = [
  { role: 'operator', name: 'Protocol operator' },
  { role: 'wallet-1', name: 'Northgate Textiles' },
  { role: 'wallet-2', name: 'Solana Beach Studio' },
  { role: 'wallet-3', name: 'Ferrol Components' },
  { role: 'issuer-1', name: 'Aldermoor Retail Group' },
  { role: 'issuer-2', name: 'Brightwater Logistics' },
  { role: 'issuer-3', name: 'Municipality of Varenne' },
  { role: 'issuer-4', name: 'Quillon Media' },
  { role: 'lender-1', name: 'Harbor Credit Partners' },
  { role: 'lender-2', name: 'Meridian Yield Desk' },
]

/** The ten demo accounts, then the further wallets of the scale. */
export function actorsOf(wallets: number): Actor[] {
  const further = Array.from({ length: wallets - DEMO_WALLETS.length }, (_, index) => {
    const number = DEMO_WALLETS.length + index + 1
    return { role: `wallet-${number}` as const, name: `Supplier ${number}` }
  })
  return [...FIRST_ACTORS, ...further]
}

/** The actor that is the `index`th wallet. */
export function walletActor(index: number): number {
  return index < DEMO_WALLETS.length
    ? at(DEMO_WALLETS, index)
    : FIRST_ACTORS.length + index - DEMO_WALLETS.length
}

export const TOKENS: readonly TokenPlan[] = [
  { name: 'Harbor Dollar', symbol: 'HUSD', decimals: 6, resetsApproval: false, hasPermit: false },
  { name: 'Meridian Euro', symbol: 'MEUR', decimals: 6, resetsApproval: true, hasPermit: false },
  { name: 'Atlas Dollar', symbol: 'ATD', decimals: 18, resetsApproval: false, hasPermit: true },
]

/** Faces in whole tokens, tenors in days; `weight` of a kind among the claims of a token it exists in. */
export type ClaimKind = {
  name: string
  weight: number
  tokens: readonly number[]
  face: readonly [number, number]
  tenors: readonly number[]
}

/** By claim type, as the contracts number them. */
export const CLAIM_KINDS: readonly ClaimKind[] = [
  { name: 'invoice', weight: 45, tokens: [0, 1, 2], face: [1_200, 92_000], tenors: [30, 45, 60, 90] },
  { name: 'purchase order', weight: 20, tokens: [0, 1, 2], face: [4_000, 160_000], tenors: [60, 90, 120] },
  { name: 'royalty', weight: 12, tokens: [0, 2], face: [300, 32_000], tenors: [90, 180] },
  { name: 'payout', weight: 13, tokens: [0, 1, 2], face: [120, 4_500], tenors: [7, 14, 21] },
  { name: 'tax refund', weight: 10, tokens: [1, 2], face: [6_000, 240_000], tenors: [90, 120, 180] },
]

/** [name, symbol, token, types, max days, min face, max face, base, per day, premiums, capital, character] */
type Terms = readonly [
  name: string,
  symbol: string,
  token: number,
  types: readonly number[],
  maxDurationDays: number,
  minFace: number,
  maxFace: number,
  baseDiscountBps: number,
  durationBpsPerDay: number,
  premiumBps: readonly number[],
  capital: number,
  character?: VaultPlan['character'],
]

/** Every token, the inactive and the nearly empty vault come first, so that a small world has them too. */
const VAULT_TERMS: readonly Terms[] = [
  ['Harbor Open Receivables', 'hOPEN', 0, [0, 1, 2, 3], 180, 100, 120_000, 60, 2, [0, 40, 60, 25], 900_000],
  [
    'Meridian Trade Finance',
    'mTRADE',
    1,
    [0, 1, 3, 4],
    180,
    100,
    300_000,
    40,
    2,
    [0, 35, 0, 45, 15],
    1_200_000,
  ],
  [
    'Atlas Structured Credit',
    'aSTRUCT',
    2,
    [0, 1, 2, 3, 4],
    240,
    100,
    400_000,
    70,
    2,
    [0, 20, 55, 30, 10],
    1_100_000,
  ],
  ['Driftwood Legacy Credit', 'dLEGACY', 0, [0, 1], 120, 1_000, 80_000, 55, 2, [0, 20], 450_000, 'inactive'],
  ['Last Drop', 'lDROP', 0, [0, 1, 2, 3], 180, 5, 20_000, 30, 1, [0, 10, 10, 10], 40_087, 'nearly empty'],
  ['Harbor Prime Invoices', 'hPRIME', 0, [0], 90, 1_000, 250_000, 35, 2, [], 1_500_000],
  ['Short Tide 30', 'sTIDE', 0, [0, 1], 30, 250, 150_000, 20, 3, [0, 25], 600_000],
  ['Meridian Public Sector', 'mPUBLIC', 1, [4], 270, 5_000, 500_000, 25, 1, [], 2_000_000],
  ['Royalty Stream Fund', 'rSTREAM', 0, [2], 365, 200, 40_000, 150, 2, [], 350_000],
  ['Gig Payout Express', 'gEXPRESS', 0, [3], 21, 20, 5_000, 80, 4, [], 120_000],
  ['Atlas Flash', 'aFLASH', 2, [0, 3], 45, 100, 60_000, 45, 3, [0, 0, 0, 20], 400_000],
  ['Meridian Small Tickets', 'mSMALL', 1, [0, 3], 60, 50, 8_000, 90, 3, [0, 0, 0, 15], 150_000],
  ['Purchase Order Bridge', 'pBRIDGE', 0, [1], 150, 2_000, 180_000, 110, 3, [], 500_000],
  ['Long Horizon', 'lHORIZON', 1, [0, 1, 2, 4], 365, 1_000, 250_000, 100, 1, [0, 30, 60, 0, 20], 800_000],
]

/**
 * By symbol: the least days to the due date, the most face of one claim, and of one issuer. The other vaults finance
 * until the due date, any eight slices of a claim, and any face of an issuer.
 */
const LIMITS: Readonly<
  Record<string, readonly [minDurationDays: number, maxClaimFace: number, maxIssuerFace?: number]>
> = {
  mTRADE: [3, 150_000, 400_000],
  hPRIME: [7, 80_000],
  rSTREAM: [30, 25_000],
  mSMALL: [1, 16_000],
}

/** Two days. */
const NOTICE_PERIOD = 172_800

/** Fewer would leave out a token, the inactive vault or the nearly empty one. */
export const LEAST_VAULTS = 5

/** The first `count` vaults; beyond the list its ordinary ones repeat as further series that cost more. */
export function vaultsOf(count: number): VaultPlan[] {
  const ordinary = VAULT_TERMS.filter((terms) => terms[11] === undefined)
  return Array.from({ length: count }, (_, index) => {
    const beyond = index - VAULT_TERMS.length
    if (beyond < 0) return vaultOf(at(VAULT_TERMS, index), 1)
    return vaultOf(at(ordinary, beyond % ordinary.length), 2 + Math.floor(beyond / ordinary.length))
  })
}

function vaultOf(terms: Terms, series: number): VaultPlan {
  const [name, symbol, token, types, maxDurationDays, minFace, maxFace, base, perDay, premiumBps] = terms
  const [minDurationDays, maxClaimFace, maxIssuerFace] = LIMITS[symbol] ?? [0, MAX_SLICES_PER_CLAIM * maxFace]
  const suffix = series === 1 ? '' : ` ${series}`
  return {
    name: `${name}${suffix}`,
    symbol: `${symbol}${suffix.trim()}`,
    token,
    curator: at(LENDERS, token === 1 ? 1 : 0),
    mandate: {
      supportedTypesBitmap: types.reduce((bitmap, type) => bitmap | (1n << BigInt(type)), 0n),
      minDurationDays,
      maxDurationDays,
      minFace: wholeTokens(token, minFace),
      maxFace: wholeTokens(token, maxFace),
      maxClaimFace: wholeTokens(token, maxClaimFace),
      maxIssuerFace: maxIssuerFace === undefined ? maxUint256 : wholeTokens(token, maxIssuerFace),
    },
    // A later series costs a little more, within the contract's bound of less than the face.
    pricing: { baseDiscountBps: base + ((series - 1) % 50) * 5, durationBpsPerDay: perDay, premiumBps },
    noticePeriod: NOTICE_PERIOD,
    capital: wholeTokens(token, terms[10]),
    character: terms[11] ?? 'ordinary',
  }
}

export function wholeTokens(token: number, amount: number): bigint {
  return BigInt(amount) * 10n ** BigInt(at(TOKENS, token).decimals)
}
