import { readDues } from '../../projection/dues.ts'
import { issuerSeries, readSeries, tokenSeries } from '../../projection/series.ts'
import type { Snapshot } from '../../projection/snapshot.ts'
import { builder } from '../builder.ts'
import { batched } from '../context.ts'
import { Issuer } from './refs.ts'
import { tokenOfAmounts } from './token-info.ts'

type ExposureShape = {
  /** Address of the token of the amounts. */
  readonly token: string
  readonly outstandingFace: bigint
  readonly outstandingAdvance: bigint
  readonly overdueFace: bigint
  readonly impairedFace: bigint
  readonly outstandingImpairment: bigint
}

const Exposure = builder.objectRef<ExposureShape>('Exposure').implement({
  description:
    'What is owed to vaults in one token at the time of the finalized block of the answer, base units.',
  fields: (t) => ({
    tokenInfo: t.field(tokenOfAmounts),
    outstandingFace: t.expose('outstandingFace', {
      type: 'AmountSum',
      description: 'Outstanding face.',
    }),
    outstandingAdvance: t.expose('outstandingAdvance', {
      type: 'AmountSum',
      description: 'Outstanding advances, at cost.',
    }),
    overdueFace: t.expose('overdueFace', {
      type: 'AmountSum',
      description: 'Outstanding face of claims that are past due and neither settled nor revoked.',
    }),
    impairedFace: t.expose('impairedFace', {
      type: 'AmountSum',
      description: 'Face of the allocations that are written down.',
    }),
    outstandingImpairment: t.expose('outstandingImpairment', {
      type: 'AmountSum',
      description: 'Part of the outstanding advances that is written down.',
    }),
  }),
})

/** The last point of a series of one day has the stocks at the time of the block. */
function today({ finalizedThrough: { timestamp } }: Snapshot) {
  return { period: 'day', from: timestamp, last: timestamp } as const
}

function exposureAt(
  token: string,
  point: Omit<ExposureShape, 'overdueFace' | 'token'> | undefined,
  due: { overdueFace: bigint } | undefined,
): ExposureShape {
  if (!point || !due) throw new Error('a series of one day has no day')
  return { ...point, token, overdueFace: due.overdueFace }
}

const ofToken = batched(async (snapshot, tokens) => {
  const points = await readSeries(snapshot, tokenSeries, tokens, today(snapshot))
  const dues = await readDues(snapshot, 'token', tokens, today(snapshot))
  return tokens.map((token, index) => exposureAt(token, points[index]?.at(-1), dues[index]?.at(-1)))
})
const ofIssuer = batched(async (snapshot, issuers, { token }: { token: string }) => {
  const points = await readSeries(snapshot, issuerSeries, issuers, today(snapshot), token)
  const dues = await readDues(snapshot, 'issuer', issuers, today(snapshot), token)
  return issuers.map((_, index) => exposureAt(token, points[index]?.at(-1), dues[index]?.at(-1)))
})

/** Cost of the sums over all days. */
const EXPOSURE_COST = 50

const TOKEN = 'Token of the amounts. Amounts of different tokens are never added.'

builder.queryField('marketExposure', (t) =>
  t.field({
    type: Exposure,
    description: 'What is owed to all vaults in one token. `Capital` has it for one vault.',
    args: { token: t.arg({ type: 'Address', required: true, description: TOKEN }) },
    complexity: { field: EXPOSURE_COST, multiplier: 1 },
    resolve: (_, { token }, { operation }) => ofToken(operation, token, null),
  }),
)

builder.objectField(Issuer, 'exposure', (t) =>
  t.field({
    type: Exposure,
    description: 'What is owed to vaults on its claims in one token.',
    args: { token: t.arg({ type: 'Address', required: true, description: TOKEN }) },
    complexity: { field: EXPOSURE_COST, multiplier: 1 },
    resolve: ({ address }, args, { operation }) => ofIssuer(operation, address, args),
  }),
)
