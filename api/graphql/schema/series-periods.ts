/** One period of each series: of the market, a vault and an issuer. */
import { effectiveDiscountBps } from '../../domain/discount.ts'
import { sharePrice, totalAssets, utilizationBps, yieldToDateBps } from '../../domain/vault.ts'
import type { DuePoint } from '../../projection/dues.ts'
import type { issuerSeries, Point, tokenSeries, vaultSeries } from '../../projection/series.ts'
import type { BooksPoint } from '../../projection/vault-books.ts'
import { builder } from '../builder.ts'
import { tokenOfAmounts } from './token-info.ts'

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
  readonly impaired: bigint
  readonly recovered: bigint
  readonly outstandingImpairment: bigint
  readonly impairedFace: bigint
  /** Read only when a field needs it. */
  readonly dues: () => Promise<DuePoint>
}

/** A point of a series with the dues of its period. */
export type WithDues<P> = P & Pick<Financing, 'dues' | 'token'>

const FinancingPeriod = builder.interfaceRef<Financing>('FinancingPeriod').implement({
  description: 'Amounts financed and repaid in one period of a series, and outstanding at its end.',
  fields: (t) => ({
    tokenInfo: t.field(tokenOfAmounts),
    start: t.expose('start', { type: 'DateTime', description: 'Start of the period, inclusive.' }),
    faceFinanced: t.expose('faceFinanced', { type: 'AmountSum', description: 'Face financed, base units.' }),
    advanced: t.expose('advanced', { type: 'AmountSum', description: 'Advances paid, base units.' }),
    effectiveDiscountBps: t.int({
      description:
        'Average rate of the period weighted by face: faceFinanced less advanced, over faceFinanced, basis points, rounded up; 0 where nothing was financed.',
      resolve: ({ faceFinanced, advanced }) =>
        Number(effectiveDiscountBps(faceFinanced - advanced, faceFinanced)),
    }),
    faceRepaid: t.expose('faceRepaid', {
      type: 'AmountSum',
      description: 'Financed face that was repaid, base units.',
    }),
    discountEarned: t.expose('discountEarned', {
      type: 'AmountSum',
      description: 'Discount that vaults booked as gain by repayments, base units.',
    }),
    outstandingFace: t.expose('outstandingFace', {
      type: 'AmountSum',
      description: 'Outstanding face at the end of the period, base units.',
    }),
    outstandingAdvance: t.expose('outstandingAdvance', {
      type: 'AmountSum',
      description: 'Outstanding advances at the end of the period, base units.',
    }),
    faceDue: t.field({
      type: 'AmountSum',
      description: 'Financed face that fell due, base units.',
      resolve: async ({ dues }) => (await dues()).faceDue,
    }),
    overdueFace: t.field({
      type: 'AmountSum',
      description:
        'Outstanding face of claims that were past due and neither settled nor revoked at the end of the period, base units.',
      resolve: async ({ dues }) => (await dues()).overdueFace,
    }),
    impaired: t.expose('impaired', {
      type: 'AmountSum',
      description: 'Amount that vaults wrote down, base units.',
    }),
    recovered: t.expose('recovered', {
      type: 'AmountSum',
      description: 'Amount written down before that repayments recovered, base units.',
    }),
    outstandingImpairment: t.expose('outstandingImpairment', {
      type: 'AmountSum',
      description: 'Part of outstandingAdvance that was written down at the end of the period, base units.',
    }),
    impairedFace: t.expose('impairedFace', {
      type: 'AmountSum',
      description: 'Face of the allocations that were written down at the end of the period, base units.',
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
    bookValue: t.field({
      type: 'AmountSum',
      description:
        'idleAssets plus outstandingAdvance less outstandingImpairment at the end of the period, base units: the total assets of the vaults with their locked profit.',
      resolve: (period) => period.idleAssets + period.outstandingAdvance - period.outstandingImpairment,
    }),
    discountEarnedToDate: t.expose('discountEarnedToDate', {
      type: 'AmountSum',
      description:
        'Discount booked as gain from the first deposit to the end of the period, base units. Less outstandingImpairment, it is the yield to date.',
    }),
    utilizationBps: t.int({
      description:
        'outstandingAdvance over all assets (idle and outstanding) at the end of the period, basis points, rounded down; 0 without assets.',
      resolve: utilizationBps,
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
      description: 'Face of these claims, base units.',
    }),
    settlements: t.expose('settlements', { type: 'SafeInt', description: 'Number of claims settled.' }),
    faceSettled: t.expose('faceSettled', {
      type: 'AmountSum',
      description: 'Face of these claims, financed or not, base units.',
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

/** A point of a vault's series. */
type VaultPoint = WithDues<Point<typeof vaultSeries>> & {
  /** Read only when a field needs them. */
  readonly books: () => Promise<BooksPoint>
}

const AT_END =
  'at the end of the period: after all its blocks, with the gains that are unlocked in the second in which the next period begins. Of the current period, at the finalized block of this answer.'

export const VaultPeriod = builder.objectRef<VaultPoint>('VaultPeriod').implement({
  interfaces: [FinancingPeriod, CapitalPeriod],
  description: 'One vault in one period.',
  fields: (t) => ({
    allocations: t.expose('allocations', ALLOCATIONS),
    totalAssets: t.field({
      type: 'AmountSum',
      description: `Value of all shares, bookValue less locked profit, base units, ${AT_END}`,
      resolve: async ({ books }) => {
        const { at, ...own } = await books()
        return totalAssets(own, at)
      },
    }),
    sharePrice: t.field({
      type: 'AmountSum',
      description: `Value of one whole share (10^shareDecimals base units), base units of the token, rounded down, ${AT_END} \`convertToAssets\` of the contract; 10^decimals before the first gain.`,
      resolve: async ({ books }) => {
        const { at, decimals, ...own } = await books()
        return sharePrice(own, decimals, at)
      },
    }),
    yieldToDateBps: t.field({
      type: 'SafeInt',
      description: `Change of the share price since the first deposit, basis points, rounded down, ${AT_END} Negative after losses.`,
      resolve: async ({ books }) => {
        const { at, ...own } = await books()
        return yieldToDateBps(own, at)
      },
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
