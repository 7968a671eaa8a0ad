/** Terms: the mandate and prices of a vault for claims of one type, to compare vaults. */
import type { ShortList } from '../sql/keys.ts'
import type { Source } from '../sql/source.ts'

/** Every list of them is of one claim type: terms for different types do not compare. */
export const terms = {
  table: 'vaultTerms',
  key: ['vault', 'claimType'],
  columns: {
    vault: 'hex',
    claimType: 'count',
    token: 'hex',
    active: 'boolean',
    minDurationDays: 'integer',
    maxDurationDays: 'integer',
    minFace: 'integer',
    maxFace: 'integer',
    maxClaimFace: 'integer',
    maxIssuerFace: 'integer',
    durationBpsPerDay: 'count',
    totalBpsNow: 'count',
    totalBpsMonth: 'count',
    totalBpsQuarter: 'count',
  },
  orders: {
    totalBpsNow: ['totalBpsNow', 'vault', 'claimType'],
    totalBpsMonth: ['totalBpsMonth', 'vault', 'claimType'],
    totalBpsQuarter: ['totalBpsQuarter', 'vault', 'claimType'],
  },
  parents: ['claimType'],
  isSmall: true,
} as const satisfies Source<'vaultTerms'>

/** The terms of a vault by claim type: as many as its mandate supports, at most 256. */
export const termsOfVault: ShortList<'vaultTerms'> = { source: terms, column: 'vault', orderBy: 'claimType' }
