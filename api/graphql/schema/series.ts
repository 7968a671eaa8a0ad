import { effectiveDiscountBps } from '../../domain/discount.ts'
import { utilizationBps } from '../../domain/vault.ts'
import { validationFailed } from '../../errors.ts'
import { type DueKey, type DuePoint, readDues } from '../../projection/dues.ts'
import type { Period } from '../../projection/period.ts'
import {
  issuerSeries,
  POINTS_DEFAULT,
  type Point,
  readSeries,
  type SeriesRequest,
  tokenSeries,
  vaultSeries,
} from '../../projection/series.ts'
import { builder } from '../builder.ts'
import { batched, type Operation } from '../context.ts'
import { Issuer, Vault } from './refs.ts'

/** Values of a period that every series has. */
type Financing = {
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

type WithDues<P> = P & Pick<Financing, 'dues'>

const FinancingPeriod = builder.interfaceRef<Financing>('FinancingPeriod').implement({
  description: 'Amounts financed and repaid in one period of a series, and outstanding at its end.',
  fields: (t) => ({
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

const MarketPeriod = builder.objectRef<WithDues<Point<typeof tokenSeries>>>('MarketPeriod').implement({
  interfaces: [FinancingPeriod, CapitalPeriod, ClaimsPeriod],
  description: 'The whole market in one token in one period.',
  fields: (t) => ({
    executions: t.expose('executions', { type: 'SafeInt', description: 'Number of executions.' }),
  }),
})

const ALLOCATIONS = { type: 'SafeInt', description: 'Number of allocations.' } as const

const VaultPeriod = builder.objectRef<WithDues<Point<typeof vaultSeries>>>('VaultPeriod').implement({
  interfaces: [FinancingPeriod, CapitalPeriod],
  description: 'One vault in one period.',
  fields: (t) => ({ allocations: t.expose('allocations', ALLOCATIONS) }),
})

const IssuerPeriod = builder.objectRef<WithDues<Point<typeof issuerSeries>>>('IssuerPeriod').implement({
  interfaces: [FinancingPeriod, ClaimsPeriod],
  description: 'The claims of one issuer in one token in one period.',
  fields: (t) => ({ allocations: t.expose('allocations', ALLOCATIONS) }),
})

const PeriodType = builder.enumType('Period', {
  description: 'Length of the periods of a series, in UTC.',
  values: {
    day: { description: 'Starts at midnight.' },
    week: { description: 'Starts on Monday (ISO 8601).' },
    month: { description: 'Starts on the first of the month.' },
  } satisfies Record<Period, object>,
})

const seriesArgs = builder.args((t) => ({
  period: t.field({
    type: PeriodType,
    required: true,
    defaultValue: 'day',
    description: 'Length of a period.',
  }),
  from: t.field({
    type: 'DateTime',
    description: `Start: the series begins with the period that contains it. Default: the last ${POINTS_DEFAULT} periods.`,
  }),
  to: t.field({
    type: 'DateTime',
    description:
      'Exclusive end: the series ends with the last period that begins before it. Default, and latest: the current period.',
  }),
}))

type Args = { period: Period; from?: bigint | null | undefined; to?: bigint | null | undefined }

/** Maximum number of periods of one series: more than a year of days. */
const POINTS_MAX = 400
/** No period of its kind is shorter. */
const SECONDS_MIN: Record<Period, bigint> = { day: 86_400n, week: 604_800n, month: 2_419_200n }

/** How many periods there can be at most. */
function pointsBetween(period: Period, from: bigint, to: bigint): number {
  return to <= from ? 0 : Number((to - from) / SECONDS_MIN[period]) + 2
}

/** Each period costs what is selected of it; of a series without an end the length is not known before it is read. */
function seriesCost({ period, from, to }: Args) {
  if (from == null) return { field: SERIES_COST, multiplier: POINTS_DEFAULT }
  const points = to == null ? POINTS_MAX : Math.min(pointsBetween(period, from, to), POINTS_MAX)
  return { field: SERIES_COST, multiplier: points }
}

/** Cost of the sums before the series, for its stocks. */
const SERIES_COST = 50

/** @throws CodedError `VALIDATION_FAILED` for a range that is empty or too long */
async function toSeriesRequest(operation: Operation, { period, from, to }: Args): Promise<SeriesRequest> {
  const now = (await operation.finalizedThrough()).timestamp
  const last = to == null || to > now ? now : to - 1n
  if (from == null) return { period, last }
  if (to != null && to <= from) throw validationFailed([{ path: 'from', message: 'must be before to' }])
  if (pointsBetween(period, from, last) > POINTS_MAX) {
    throw validationFailed([
      {
        path: 'from',
        message: `must be at most ${POINTS_MAX - 2} periods before to; or choose a longer period`,
      },
    ])
  }
  return { period, from, last }
}

const ofToken = batched((snapshot, tokens, request: SeriesRequest) =>
  readSeries(snapshot, tokenSeries, tokens, request),
)
const ofVault = batched((snapshot, vaults, request: SeriesRequest) =>
  readSeries(snapshot, vaultSeries, vaults, request),
)
const ofIssuer = batched((snapshot, issuers, { token, ...request }: SeriesRequest & { token: string }) =>
  readSeries(snapshot, issuerSeries, issuers, request, token),
)

type DueRequest = SeriesRequest & { key: DueKey; token?: string }

const duesOf = batched((snapshot, keys, { key, token, ...request }: DueRequest) =>
  readDues(snapshot, key, keys, request, token),
)

/** Adds to each point the dues of its period, which one read gets for all points once a field of any needs them. */
function withDues<P>(
  operation: Operation,
  points: readonly P[],
  of: string,
  request: DueRequest,
): WithDues<P>[] {
  return points.map((point, index) => ({
    ...point,
    dues: async () => {
      const due = (await duesOf(operation, of, request))[index]
      if (!due) throw new Error('a series has more periods than its dues')
      return due
    },
  }))
}

builder.queryField('marketSeries', (t) =>
  t.field({
    type: [MarketPeriod],
    description: 'The whole market in one token per day, week or month, earliest first, without gaps.',
    args: {
      token: t.arg({
        type: 'Address',
        required: true,
        description: 'Token of the amounts. Amounts of different tokens are never added.',
      }),
      ...seriesArgs,
    },
    complexity: seriesCost,
    resolve: async (_, { token, ...args }, { operation }) => {
      const request = await toSeriesRequest(operation, args)
      const points = await ofToken(operation, token, request)
      return withDues(operation, points, token, { ...request, key: 'token' })
    },
  }),
)

builder.objectField(Vault, 'series', (t) =>
  t.field({
    type: [VaultPeriod],
    description: 'Its figures per day, week or month, earliest first, without gaps.',
    args: seriesArgs,
    complexity: seriesCost,
    resolve: async ({ address }, args, { operation }) => {
      const request = await toSeriesRequest(operation, args)
      const points = await ofVault(operation, address, request)
      return withDues(operation, points, address, { ...request, key: 'vault' })
    },
  }),
)

builder.objectField(Issuer, 'series', (t) =>
  t.field({
    type: [IssuerPeriod],
    description: 'Its claims in one token per day, week or month, earliest first, without gaps.',
    args: {
      token: t.arg({
        type: 'Address',
        required: true,
        description: 'Token of the amounts. Amounts of different tokens are never added.',
      }),
      ...seriesArgs,
    },
    complexity: seriesCost,
    resolve: async ({ address }, { token, ...args }, { operation }) => {
      const request = { ...(await toSeriesRequest(operation, args)), token }
      const points = await ofIssuer(operation, address, request)
      return withDues(operation, points, address, { ...request, key: 'issuer' })
    },
  }),
)
