import type { Context } from 'ponder:registry'
import { type vault, vaultTerms } from 'ponder:schema'

type Vault = typeof vault.$inferSelect
type Mandate = Pick<
  Vault,
  'supportedTypesBitmap' | 'minFace' | 'maxFace' | 'maxClaimFace' | 'maxIssuerFace'
> & {
  minDurationDays: number
  maxDurationDays: number
}
type Pricing = Pick<Vault, 'baseDiscountBps' | 'durationBpsPerDay'> & { premiumBps: readonly number[] }

/** The columns of a vault that hold its mandate. */
export function mandateColumns({
  supportedTypesBitmap,
  minDurationDays,
  maxDurationDays,
  minFace,
  maxFace,
  maxClaimFace,
  maxIssuerFace,
}: Mandate) {
  return {
    supportedTypesBitmap,
    minDurationDays: BigInt(minDurationDays),
    maxDurationDays: BigInt(maxDurationDays),
    minFace,
    maxFace,
    maxClaimFace,
    maxIssuerFace,
  }
}

/** The columns of a vault that hold its pricing. */
export function pricingColumns({ baseDiscountBps, durationBpsPerDay, premiumBps }: Pricing) {
  return { baseDiscountBps, durationBpsPerDay, premiumBps: [...premiumBps] }
}

/** Claim types fit a uint8. */
const CLAIM_TYPES = Array.from({ length: 256 }, (_, type) => type)

const DAYS_IN_A_MONTH = 30
const DAYS_IN_A_QUARTER = 90

/** Replaces the terms of a vault for each claim type after a change of its mandate, pricing or status. */
export async function writeTerms(db: Context['db'], after: Vault, before?: Vault | null): Promise<void> {
  const supported = (row: Vault, type: number) => ((row.supportedTypesBitmap >> BigInt(type)) & 1n) === 1n
  for (const claimType of CLAIM_TYPES) {
    if (supported(after, claimType)) {
      const terms = termsOf(after, claimType)
      await db
        .insert(vaultTerms)
        .values({ vault: after.address, claimType, ...terms })
        .onConflictDoUpdate(terms)
    } else if (before && supported(before, claimType)) {
      await db.delete(vaultTerms, { vault: after.address, claimType })
    }
  }
}

function termsOf(row: Vault, claimType: number) {
  const { token, active, minDurationDays, maxDurationDays, minFace, maxFace, maxClaimFace, maxIssuerFace } =
    row
  const { durationBpsPerDay } = row
  const totalBpsNow = row.baseDiscountBps + (row.premiumBps[claimType] ?? 0)
  return {
    token,
    active,
    minDurationDays,
    maxDurationDays,
    minFace,
    maxFace,
    maxClaimFace,
    maxIssuerFace,
    durationBpsPerDay,
    totalBpsNow,
    totalBpsMonth: totalBpsNow + durationBpsPerDay * DAYS_IN_A_MONTH,
    totalBpsQuarter: totalBpsNow + durationBpsPerDay * DAYS_IN_A_QUARTER,
  }
}
