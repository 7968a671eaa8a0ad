/** Terms of a vault as the texts of a form, and back. */
import type { Amount, TokenUnit } from 'claim-financing-client'
import type { TermsInput } from 'claim-financing-react'
import { formatUnits } from 'viem'
import { amountOf } from '../parts/amount.ts'
import type { VaultShown } from './documents.ts'
import { type Premiums, premiumsOf, textsOfPremiums } from './premiums.ts'

/** `maxIssuerFace` and the other upper limits have no effect at the largest value of their type. */
export const NO_LIMIT = 2n ** 256n - 1n
const UNLIMITED: Amount = `${NO_LIMIT}`
/** The largest value of the contract's type. */
export const DAYS_MAX = 2 ** 32 - 1
/** The contract refuses discounts that reach the whole face. */
export const BPS_MAX = 9_999

type LimitName = 'minFace' | 'maxFace' | 'maxClaimFace' | 'maxIssuerFace'

/** Limits on face. An upper limit can be absent. */
export const LIMITS: readonly { name: LimitName; label: string; isOptional: boolean }[] = [
  { name: 'minFace', label: 'Least face of one slice', isOptional: false },
  { name: 'maxFace', label: 'Most face of one slice', isOptional: true },
  { name: 'maxClaimFace', label: 'Most face of one claim', isOptional: true },
  { name: 'maxIssuerFace', label: 'Most face of one issuer', isOptional: true },
]

export type TermsTexts = { readonly [limit in LimitName]: string } & {
  readonly minDurationDays: string
  readonly maxDurationDays: string
  readonly baseDiscountBps: string
  readonly durationBpsPerDay: string
  readonly supported: ReadonlySet<number>
  readonly premiums: Premiums
}

export function textsOf({
  mandate,
  pricing,
  tokenInfo,
}: Pick<VaultShown, 'mandate' | 'pricing' | 'tokenInfo'>): TermsTexts {
  const limit = (amount: string) =>
    BigInt(amount) === NO_LIMIT ? '' : formatUnits(BigInt(amount), tokenInfo.decimals)
  return {
    minFace: limit(mandate.minFace),
    maxFace: limit(mandate.maxFace),
    maxClaimFace: limit(mandate.maxClaimFace),
    maxIssuerFace: limit(mandate.maxIssuerFace),
    minDurationDays: `${mandate.minDurationDays}`,
    maxDurationDays: `${mandate.maxDurationDays}`,
    baseDiscountBps: `${pricing.baseDiscountBps}`,
    durationBpsPerDay: `${pricing.durationBpsPerDay}`,
    supported: new Set(mandate.supportedTypes),
    premiums: textsOfPremiums(pricing.premiumBps),
  }
}

/** @returns undefined if a limit is no amount; the fields of the form check their numbers themselves */
export function inputOf(
  texts: TermsTexts,
  token: TokenUnit,
): Pick<TermsInput, 'mandate' | 'pricing'> | undefined {
  const [minFace, maxFace, maxClaimFace, maxIssuerFace] = LIMITS.map(({ name, isOptional }) =>
    isOptional && texts[name].trim() === '' ? UNLIMITED : amountOf(texts[name], token),
  )
  if (!minFace || !maxFace || !maxClaimFace || !maxIssuerFace) return undefined
  const types = [...texts.supported].reduce((bitmap, type) => bitmap | (1n << BigInt(type)), 0n)
  return {
    mandate: {
      supportedTypesBitmap: `${types}`,
      minDurationDays: Number(texts.minDurationDays),
      maxDurationDays: Number(texts.maxDurationDays),
      minFace,
      maxFace,
      maxClaimFace,
      maxIssuerFace,
    },
    pricing: {
      baseDiscountBps: Number(texts.baseDiscountBps),
      durationBpsPerDay: Number(texts.durationBpsPerDay),
      premiumBps: premiumsOf(texts.premiums),
    },
  }
}
