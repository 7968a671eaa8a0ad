/** Parts of a vault: what it finances, at which price, with which capital. */
import { sql } from 'kysely'
import type { Sql } from '../../../projection/sql/json.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { view } from '../../../projection/sql/source.ts'
import { overdueFaceOf } from '../../../projection/tables/dues.ts'
import type { VaultRow } from '../../../projection/tables/vault.ts'
import { builder } from '../../kit/builder.ts'
import { computed } from '../../kit/reads.ts'
import { lockedSql, sharePriceSql, totalAssetsSql, utilizationSql, yieldSql } from './vault-sql.ts'

/** It adds up the daily figures of a vault. */
const OVERDUE_COST = 5

export const Mandate = builder.objectRef<VaultRow>('Mandate')
export const Pricing = builder.objectRef<VaultRow>('Pricing')
export const Capital = builder.objectRef<VaultRow>('Capital')

/** Fields of filters of vaults and of their terms. */
export const mandateFilter = {
  maxDurationDays: {
    column: 'maxDurationDays',
    type: 'SafeInt',
    compare: 'number',
    words: 'The longest duration',
  },
  minFace: { column: 'minFace', type: 'Amount', compare: 'number', words: 'The smallest lot' },
  maxFace: { column: 'maxFace', type: 'Amount', compare: 'number', words: 'The largest lot' },
} as const

/** A vault has terms for each type that it supports. */
function supportedTypesSql(vault: Scope): Sql {
  return sql`(
    select coalesce(json_agg(own.claim_type order by own.claim_type), '[]') from ${view('vaultTerms')} as own
    where own.vault = ${vault.column('address')}
  )`
}

Mandate.implement({
  description: 'Mandate of a vault: the claims that it finances.',
  fields: (t) => ({
    supportedTypesBitmap: t.expose('supportedTypesBitmap', {
      type: 'Amount',
      description:
        'Bitmap of supported claim types as a decimal number: bit t is set if type t is supported.',
    }),
    supportedTypes: t.intList({
      description: 'The supported claim types as a list.',
      ...computed(supportedTypesSql),
    }),
    maxDurationDays: t.expose('maxDurationDays', {
      type: 'SafeInt',
      description: 'Maximum number of whole days to the due date.',
    }),
    minFace: t.expose('minFace', { type: 'Amount', description: 'Smallest lot, base units of face.' }),
    maxFace: t.expose('maxFace', { type: 'Amount', description: 'Largest lot, base units of face.' }),
  }),
})

Pricing.implement({
  description:
    'Discount, basis points of face: base + perDay × whole days to the due date + the premium of the claim type.',
  fields: (t) => ({
    baseDiscountBps: t.exposeInt('baseDiscountBps', {
      description: 'Base discount of every claim, basis points.',
    }),
    durationBpsPerDay: t.exposeInt('durationBpsPerDay', {
      description: 'Discount per whole day to the due date, basis points.',
    }),
    premiumBps: t.exposeIntList('premiumBps', {
      description: 'Premium by claim type, basis points; 0 for types beyond the end of the list.',
    }),
  }),
})

Capital.implement({
  description: 'Assets of a vault and their use.',
  fields: (t) => ({
    totalAssets: t.field({
      type: 'Amount',
      description:
        'Value of all shares at the time of the finalized block of this answer: idle assets, plus the carrying value of outstanding allocations, less locked profit, base units.',
      ...computed(totalAssetsSql),
    }),
    sharePrice: t.field({
      type: 'AmountSum',
      description:
        'Value of one whole share (10^shareDecimals base units) at the time of the finalized block of this answer, base units of the token, rounded down: `convertToAssets` of the contract. 10^decimals before the first gain.',
      ...computed(sharePriceSql),
    }),
    yieldToDateBps: t.field({
      type: 'SafeInt',
      description:
        'Change of the share price since the first deposit at the time of the finalized block of this answer, basis points, rounded down; negative after losses. Earlier deposits and withdrawals at other prices do not change it.',
      ...computed(yieldSql),
    }),
    lockedProfit: t.field({
      type: 'Amount',
      description:
        'Gains that are not yet part of `totalAssets`, base units, at the time of the finalized block of this answer. Each gain unlocks over 30 days; while there are no shares, all gains are locked.',
      ...computed(lockedSql),
    }),
    fundableLiquidity: t.expose('idleAssets', {
      type: 'Amount',
      description: 'Amount that the vault can advance now, base units.',
    }),
    outstandingFace: t.expose('outstandingFace', {
      type: 'Amount',
      description: 'Outstanding face, base units.',
    }),
    outstandingAdvance: t.expose('outstandingAdvance', {
      type: 'Amount',
      description: 'Outstanding advances, at cost, base units.',
    }),
    outstandingImpairment: t.expose('outstandingImpairment', {
      type: 'Amount',
      description: 'Written-down part of `outstandingAdvance`, base units.',
    }),
    impairedFace: t.expose('impairedFace', {
      type: 'Amount',
      description: 'Face of impaired allocations, base units.',
    }),
    overdueFace: t.field({
      type: 'AmountSum',
      description:
        'Outstanding face of claims that are past due and neither settled nor revoked at the time of the finalized block of this answer, base units.',
      complexity: OVERDUE_COST,
      ...computed((vault) => overdueFaceOf('vault', vault.column('address'), vault.now)),
    }),
    totalShares: t.expose('totalShares', {
      type: 'Amount',
      description: 'Number of all shares, base units of the share.',
    }),
    discountEarned: t.expose('discountEarned', {
      type: 'Amount',
      description: 'Discount booked as gain by repayments, base units.',
    }),
    utilizationBps: t.int({
      description:
        '`outstandingAdvance` over all assets at cost (idle and outstanding), basis points, rounded down; 0 for an empty vault.',
      ...computed(utilizationSql),
    }),
  }),
})
