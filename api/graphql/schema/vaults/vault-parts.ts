/** Parts of a vault: what it finances, at which price, with which capital. */
import { sql } from 'kysely'
import type { Sql } from '../../../projection/sql/json.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { type Row, view } from '../../../projection/sql/source.ts'
import { overdueFaceOf } from '../../../projection/tables/dues.ts'
import type { VaultRow } from '../../../projection/tables/vault.ts'
import { VALUE_FIGURES, valuedBy, valueNow } from '../../../projection/tables/vault-value.ts'
import { builder } from '../../kit/builder.ts'
import { type Relation, reading } from '../../kit/declared-read.ts'
import { computed, readsColumn } from '../../kit/reads.ts'
import {
  entryAssetsSql,
  entryPriceSql,
  sharePriceSql,
  totalAssetsSql,
  utilizationSql,
  writtenDownSql,
  yieldSql,
} from './vault-sql.ts'

/** They add up daily figures of a vault. */
const OVERDUE_COST = 5
export const VALUE_COST = 5

export const NOW = 'at the time of the finalized block of this answer'

/** Columns that a vault and its pending terms have. */
type TermsRow = VaultRow | Row<'pendingTerms'>

export const Mandate = builder.objectRef<TermsRow>('Mandate')
export const Pricing = builder.objectRef<TermsRow>('Pricing')
export const Capital = builder.objectRef<VaultRow>('Capital')

/** The vault, joined with the value of what it has financed where a field uses it. */
export const withValue = reading({
  kind: 'relation',
  relation: (vault: Scope): Relation => ({
    from: (row, uses) => {
      const isUsed = VALUE_FIGURES.some((figure) => uses.has(figure))
      const value = isUsed ? valueNow(vault) : sql`(select)`
      return sql`from ${value} as ${sql.raw(row)}`
    },
    scopeOf: (row) => valuedBy(vault, row),
    orderBy: 'gains',
  }),
})

/** Fields of filters of vaults and of their terms. */
export const mandateFilter = {
  minDurationDays: {
    column: 'minDurationDays',
    type: 'SafeInt',
    compare: 'number',
    words: 'The shortest duration',
  },
  maxDurationDays: {
    column: 'maxDurationDays',
    type: 'SafeInt',
    compare: 'number',
    words: 'The longest duration',
  },
  minFace: { column: 'minFace', type: 'Amount', compare: 'number', words: 'The smallest lot' },
  maxFace: { column: 'maxFace', type: 'Amount', compare: 'number', words: 'The largest lot' },
  maxClaimFace: {
    column: 'maxClaimFace',
    type: 'Amount',
    compare: 'number',
    words: 'The largest face of one claim',
  },
  maxIssuerFace: {
    column: 'maxIssuerFace',
    type: 'Amount',
    compare: 'number',
    words: 'The largest face of one issuer',
  },
} as const

/** The mandate in a row, with the list of its claim types. */
export function mandateWith(supportedTypes: (row: Scope) => Sql) {
  return reading({
    kind: 'part',
    scopeOf: (row) => ({
      ...row,
      column: (name) => (name === 'supportedTypes' ? supportedTypes(row) : row.column(name)),
    }),
  })
}

/** A vault has terms for each type that it supports. */
export function typesOfVault(vault: Scope): Sql {
  return sql`(
    select coalesce(json_agg(own.claim_type order by own.claim_type), '[]') from ${view('vaultTerms')} as own
    where own.vault = ${vault.column('address')}
  )`
}

/** The bits of the bitmap that are set. */
export function typesOfBitmap(row: Scope): Sql {
  return sql`(
    select coalesce(json_agg(type order by type), '[]') from generate_series(0, 255) as type
    where mod(div(${row.column('supportedTypesBitmap')}, 2::numeric ^ type), 2) = 1
  )`
}

Mandate.implement({
  description: 'Mandate of a vault: the claims that it finances.',
  fields: (t) => ({
    supportedTypesBitmap: t.expose('supportedTypesBitmap', {
      type: 'Amount',
      extensions: { unit: 'none' },
      description:
        'Bitmap of supported claim types as a decimal number: bit t is set if type t is supported.',
    }),
    supportedTypes: t.intList({
      description: 'The supported claim types as a list.',
      ...readsColumn('supportedTypes'),
    }),
    minDurationDays: t.expose('minDurationDays', {
      type: 'SafeInt',
      description: 'Minimum number of whole days from the financing to the due date.',
    }),
    maxDurationDays: t.expose('maxDurationDays', {
      type: 'SafeInt',
      description: 'Maximum number of whole days to the due date.',
    }),
    minFace: t.expose('minFace', { type: 'Amount', description: 'Smallest lot, base units of face.' }),
    maxFace: t.expose('maxFace', { type: 'Amount', description: 'Largest lot, base units of face.' }),
    maxClaimFace: t.expose('maxClaimFace', {
      type: 'Amount',
      description: 'Largest face of one claim that the vault holds, base units.',
    }),
    maxIssuerFace: t.expose('maxIssuerFace', {
      type: 'Amount',
      description:
        'Largest face that the claims of one issuer owe the vault, base units. 2^256 - 1 is no limit.',
    }),
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
      description: `Value of all shares to those who leave, base units, ${NOW}: idle assets plus the carrying value of outstanding allocations.`,
      complexity: VALUE_COST,
      ...computed(totalAssetsSql),
    }),
    entryAssets: t.field({
      type: 'Amount',
      description: `Value of all shares to those who enter, base units, ${NOW}: \`totalAssets\` before losses.`,
      complexity: VALUE_COST,
      ...computed(entryAssetsSql),
    }),
    sharePrice: t.field({
      type: 'AmountSum',
      description: `Value of one whole share (10^shareDecimals base units) to those who leave, base units of the token, rounded down, ${NOW}: \`previewRedeem\` of the contract. 10^decimals before the first gain.`,
      complexity: VALUE_COST,
      ...computed(sharePriceSql),
    }),
    entryPrice: t.field({
      type: 'AmountSum',
      description: `Price of one whole share to those who enter, base units of the token, rounded up, ${NOW}: \`previewMint\` of the contract. Higher than \`sharePrice\` while a claim is overdue.`,
      complexity: VALUE_COST,
      ...computed(entryPriceSql),
    }),
    yieldToDateBps: t.field({
      type: 'SafeInt',
      description: `Change of \`sharePrice\` since the first deposit, basis points, rounded down, ${NOW}; negative after losses. Earlier deposits and withdrawals at other prices do not change it.`,
      complexity: VALUE_COST,
      ...computed(yieldSql),
    }),
    writtenDown: t.field({
      type: 'Amount',
      description: `Losses of overdue allocations, base units, rounded up, ${NOW}. The face of an unpaid allocation is written down linearly in the 90 days after its due day (UTC).`,
      complexity: VALUE_COST,
      ...computed(writtenDownSql),
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
    overdueFace: t.field({
      type: 'AmountSum',
      description:
        'Financed face that is past due and not paid at the time of the finalized block of this answer, base units.',
      complexity: OVERDUE_COST,
      ...computed((vault) => overdueFaceOf('vault', vault.column('address'), vault.now)),
    }),
    totalShares: t.expose('totalShares', {
      type: 'Amount',
      extensions: { unit: 'share' },
      description: 'Number of all shares, base units of the share.',
    }),
    discountEarned: t.expose('discountEarned', {
      type: 'Amount',
      description: 'Discount of all repayments, base units.',
    }),
    utilizationBps: t.int({
      description:
        '`outstandingAdvance` over all assets at cost (idle and outstanding), basis points, rounded down; 0 for an empty vault.',
      ...computed(utilizationSql),
    }),
  }),
})
