import { lowercaseAddress } from '../../api/domain/address.ts'
import { stored } from '../chain/evidence.ts'
import { auditTable } from '../entity.ts'

const DAYS_IN_A_MONTH = 30
const DAYS_IN_A_QUARTER = 90

/** All columns follow from the vault's mandate, pricing and status. The vault's count shows that a row is missing. */
export const vaultTerms = auditTable('vaultTerms', {
  key: ['vault', 'claimType'],
  order: { column: 'vault', of: 'address' },
  touched: (log) => {
    if (log.eventName === 'VaultRegistered' || log.eventName === 'VaultStatusChanged') {
      return [lowercaseAddress(log.args.vault)]
    }
    const isOfTerms = log.eventName === 'MandateChanged' || log.eventName === 'PricingChanged'
    return isOfTerms ? [lowercaseAddress(log.address)] : []
  },
  related: async () => () => undefined,
  prove: async ({ vault, claimType }, _, { state }) => {
    const [held, active] = await Promise.all([state.vault(vault), state.isVaultActive(vault)])
    if (!held || ((held.mandate.supportedTypesBitmap >> BigInt(claimType)) & 1n) === 0n) return undefined
    const { mandate, pricing } = held
    const now = pricing.baseDiscountBps + (pricing.premiumBps[claimType] ?? 0)
    return {
      vault,
      claimType,
      token: stored(held.asset),
      active,
      minDurationDays: mandate.minDurationDays,
      maxDurationDays: mandate.maxDurationDays,
      minFace: mandate.minFace,
      maxFace: mandate.maxFace,
      maxClaimFace: mandate.maxClaimFace,
      maxIssuerFace: mandate.maxIssuerFace,
      durationBpsPerDay: pricing.durationBpsPerDay,
      totalBpsNow: now,
      totalBpsMonth: now + DAYS_IN_A_MONTH * pricing.durationBpsPerDay,
      totalBpsQuarter: now + DAYS_IN_A_QUARTER * pricing.durationBpsPerDay,
    }
  },
})
