/** One period of each series: of the market, a vault and an issuer. */

import { sql } from 'kysely'
import type { Scope } from '../../../projection/sql/scope.ts'
import type { issuerSeries, Point, tokenSeries, vaultSeries } from '../../../projection/sql/series.ts'
import { builder } from '../../kit/builder.ts'
import { computed, discountOfSum } from '../../kit/reads.ts'
import { tokenOfAmounts } from '../shared/token-info.ts'
import {
  costSql,
  entryAssetsSql,
  sharePriceSql,
  totalAssetsSql,
  utilizationSql,
  yieldSql,
} from '../vaults/vault-sql.ts'

/** Values of a period that every series has. */
type Financing = {
  /** Address of the token of the amounts. */
  readonly token: string
  readonly start: bigint
  readonly faceFinanced: bigint
  readonly advanced: bigint
  readonly faceRepaid: bigint
  readonly discountEarned: bigint
  readonly outstandingFace: bigint
  readonly outstandingAdvance: bigint
  readonly faceDue: bigint
  readonly overdueFace: bigint
}

/** A point of a series, with its token and the dues of its period. */
type WithDues<P> = P & Pick<Financing, 'faceDue' | 'overdueFace' | 'token'>

const FinancingPeriod = builder.interfaceRef<Financing>('FinancingPeriod').implement({
  description: 'Amounts financed and repaid in one period of a series, and outstanding at its end.',
  fields: (t) => ({
    tokenInfo: t.field(tokenOfAmounts),
    start: t.expose('start', { type: 'DateTime', description: 'Start of the period, inclusive.' }),
    faceFinanced: t.expose('faceFinanced', { type: 'AmountSum', description: 'Face financed, base units.' }),
    advanced: t.expose('advanced', { type: 'AmountSum', description: 'Advances paid, base units.' }),
    effectiveDiscountBps: t.int({
      nullable: true,
      description:
        'Average rate of the period, weighted by face: `faceFinanced` less `advanced`, over `faceFinanced`, basis points, rounded up; null if nothing was financed.',
      ...discountOfSum('faceFinanced', 'advanced'),
    }),
    faceRepaid: t.expose('faceRepaid', {
      type: 'AmountSum',
      description: 'Financed face that was repaid, base units.',
    }),
    discountEarned: t.expose('discountEarned', {
      type: 'AmountSum',
      description: 'Discount of the repayments, base units.',
    }),
    outstandingFace: t.expose('outstandingFace', {
      type: 'AmountSum',
      description: 'Outstanding face at the end of the period, base units.',
    }),
    outstandingAdvance: t.expose('outstandingAdvance', {
      type: 'AmountSum',
      description: 'Outstanding advances at the end of the period, base units.',
    }),
    faceDue: t.expose('faceDue', {
      type: 'AmountSum',
      description: 'Financed face that fell due, base units.',
    }),
    overdueFace: t.expose('overdueFace', {
      type: 'AmountSum',
      description: 'Financed face that was past due and not paid at the end of the period, base units.',
    }),
  }),
})

/** Liquidity of vaults, with deposits and withdrawals. */
type Capital = Financing & {
  readonly deposited: bigint
  readonly withdrawn: bigint
  readonly idleAssets: bigint
  readonly discountEarnedToDate: bigint
}

const CapitalPeriod = builder.interfaceRef<Capital>('CapitalPeriod').implement({
  interfaces: [FinancingPeriod],
  description: 'A `FinancingPeriod` with the capital of vaults.',
  fields: (t) => ({
    deposited: t.expose('deposited', { type: 'AmountSum', description: 'Assets deposited, base units.' }),
    withdrawn: t.expose('withdrawn', { type: 'AmountSum', description: 'Assets withdrawn, base units.' }),
    idleAssets: t.expose('idleAssets', {
      type: 'AmountSum',
      description: 'Idle assets at the end of the period, base units.',
    }),
    assetsAtCost: t.field({
      type: 'AmountSum',
      description: '`idleAssets` plus `outstandingAdvance` at the end of the period, base units.',
      ...computed(costSql),
    }),
    discountEarnedToDate: t.expose('discountEarnedToDate', {
      type: 'AmountSum',
      description: 'Discount of all repayments from the first deposit to the end of the period, base units.',
    }),
    utilizationBps: t.int({
      description:
        '`outstandingAdvance` over all assets (idle and outstanding) at the end of the period, basis points, rounded down; 0 without assets.',
      ...computed(utilizationSql),
    }),
  }),
})

/** Registrations and settlements of claims. */
type Claims = Financing & {
  readonly claimsRegistered: bigint
  readonly faceRegistered: bigint
  readonly settlements: bigint
  readonly faceSettled: bigint
}

const ClaimsPeriod = builder.interfaceRef<Claims>('ClaimsPeriod').implement({
  interfaces: [FinancingPeriod],
  description: 'A `FinancingPeriod` with the claims registered and settled.',
  fields: (t) => ({
    claimsRegistered: t.expose('claimsRegistered', {
      type: 'SafeInt',
      description: 'Number of claims registered.',
    }),
    faceRegistered: t.expose('faceRegistered', {
      type: 'AmountSum',
      description: 'Face of the registered claims, base units.',
    }),
    settlements: t.expose('settlements', {
      type: 'SafeInt',
      description: 'Number of settlements. A claim that is paid in parts has several.',
    }),
    faceSettled: t.expose('faceSettled', {
      type: 'AmountSum',
      description: 'Face that settlements paid, base units.',
    }),
  }),
})

export const MarketPeriod = builder.objectRef<WithDues<Point<typeof tokenSeries>>>('MarketPeriod').implement({
  interfaces: [FinancingPeriod, CapitalPeriod, ClaimsPeriod],
  description: 'The whole market in one token in one period.',
  fields: (t) => ({
    executions: t.expose('executions', { type: 'SafeInt', description: 'Number of executions.' }),
  }),
})

const ALLOCATIONS = { type: 'SafeInt', description: 'Number of allocations.' } as const

/** The vault in the last second of the period, or at the block. */
export function atEnd(period: Scope): Scope {
  const now = sql`least(${period.column('end')} - 1, ${period.now})`
  const valueBy = (line: 'gain' | 'loss') =>
    sql`(${period.column(`${line}PerSecondAtEnd`)} * ${now} + ${period.column(`${line}OffsetAtEnd`)})`
  return {
    ...period,
    column: (name) => {
      if (name === 'gains') return valueBy('gain')
      return name === 'losses' ? valueBy('loss') : period.column(name)
    },
  }
}

export const AT_END =
  'in the last second of the period. In the current period, the value is that at the finalized block of this answer.'

export const VaultPeriod = builder.objectRef<WithDues<Point<typeof vaultSeries>>>('VaultPeriod').implement({
  interfaces: [FinancingPeriod, CapitalPeriod],
  description: 'One vault in one period.',
  fields: (t) => ({
    allocations: t.expose('allocations', ALLOCATIONS),
    totalAssets: t.field({
      type: 'AmountSum',
      description: `Value of all shares to those who leave, base units, ${AT_END}`,
      ...computed((period) => totalAssetsSql(atEnd(period))),
    }),
    entryAssets: t.field({
      type: 'AmountSum',
      description: `Value of all shares to those who enter, base units, ${AT_END}`,
      ...computed((period) => entryAssetsSql(atEnd(period))),
    }),
    sharePrice: t.field({
      type: 'AmountSum',
      description: `Value of one whole share (10^shareDecimals base units) to those who leave, base units of the token, rounded down, ${AT_END} 10^decimals before the first gain.`,
      ...computed((period) => sharePriceSql(atEnd(period))),
    }),
    yieldToDateBps: t.field({
      type: 'SafeInt',
      description: `Change of the share price since the first deposit, basis points, rounded down, ${AT_END} Negative after losses.`,
      ...computed((period) => yieldSql(atEnd(period))),
    }),
  }),
})

export const IssuerPeriod = builder
  .objectRef<WithDues<Point<typeof issuerSeries>>>('IssuerPeriod')
  .implement({
    interfaces: [FinancingPeriod, ClaimsPeriod],
    description: 'The claims of one issuer in one token in one period.',
    fields: (t) => ({ allocations: t.expose('allocations', ALLOCATIONS) }),
  })
