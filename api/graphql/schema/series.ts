import { validationFailed } from '../../errors.ts'
import { type DueKey, readDues } from '../../projection/dues.ts'
import type { Period } from '../../projection/period.ts'
import {
  issuerSeries,
  POINTS_DEFAULT,
  readSeries,
  type SeriesRequest,
  tokenSeries,
  vaultSeries,
} from '../../projection/series.ts'
import { readVaultBooks } from '../../projection/vault-books.ts'
import { builder } from '../builder.ts'
import { batched, type Operation } from '../context.ts'
import { Issuer, Vault } from './refs.ts'
import { IssuerPeriod, MarketPeriod, VaultPeriod, type WithDues } from './series-periods.ts'

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
const booksOf = batched((snapshot, vaults, request: SeriesRequest) =>
  readVaultBooks(snapshot, vaults, request),
)
const ofIssuer = batched((snapshot, issuers, { token, ...request }: SeriesRequest & { token: string }) =>
  readSeries(snapshot, issuerSeries, issuers, request, token),
)

type DueRequest = SeriesRequest & { key: DueKey; token?: string }

const duesOf = batched((snapshot, keys, { key, token, ...request }: DueRequest) =>
  readDues(snapshot, key, keys, request, token),
)

/** Adds to each point its token, and the dues of its period, which one read gets for all points once a field of any needs them. */
function withDues<P>(
  operation: Operation,
  points: readonly P[],
  of: string,
  token: string,
  request: DueRequest,
): WithDues<P>[] {
  return points.map((point, index) => ({
    ...point,
    token,
    dues: async () => periodAt(await duesOf(operation, of, request), index),
  }))
}

/** That of another read with the same periods. */
function periodAt<P>(points: readonly P[], index: number): P {
  const point = points[index]
  if (!point) throw new Error('a series has more periods than another read of them')
  return point
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
      return withDues(operation, points, token, token, { ...request, key: 'token' })
    },
  }),
)

builder.objectField(Vault, 'series', (t) =>
  t.field({
    type: [VaultPeriod],
    description: 'Its figures per day, week or month, earliest first, without gaps.',
    args: seriesArgs,
    complexity: seriesCost,
    resolve: async ({ address, token }, args, { operation }) => {
      const request = await toSeriesRequest(operation, args)
      const points = await ofVault(operation, address, request)
      return withDues(operation, points, address, token, { ...request, key: 'vault' }).map(
        (point, index) => ({
          ...point,
          books: async () => periodAt(await booksOf(operation, address, request), index),
        }),
      )
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
      return withDues(operation, points, address, token, { ...request, key: 'issuer' })
    },
  }),
)
