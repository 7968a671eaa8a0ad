import { sql } from 'kysely'
import type { Sql } from '../../../projection/sql/json.ts'
import { type Scope, tupleScope } from '../../../projection/sql/scope.ts'
import {
  daysOf,
  issuerSeries,
  type SeriesSource,
  stocksOf,
  tokenSeries,
} from '../../../projection/sql/series.ts'
import type { Table } from '../../../projection/sql/source.ts'
import { type DueKey, overdueFaceOf } from '../../../projection/tables/dues.ts'
import { builder } from '../../kit/builder.ts'
import { type Relation, reading } from '../../kit/declared-read.ts'
import { Issuer } from '../shared/refs.ts'
import { tokenOfAmounts } from '../shared/token-info.ts'

type ExposureShape = {
  /** Address of the token of the amounts. */
  readonly token: string
  readonly outstandingFace: bigint
  readonly outstandingAdvance: bigint
  readonly overdueFace: bigint
}

const Exposure = builder.objectRef<ExposureShape>('Exposure').implement({
  description:
    'Amounts owed to vaults in one token at the time of the finalized block of the answer, base units.',
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
      description: 'Financed face that is past due and not paid.',
    }),
  }),
})

/** Outstanding amounts of one owner in one token: all increases less all decreases. */
function exposureOf<T extends Table>(
  source: SeriesSource<T>,
  by: DueKey,
  key: Sql,
  token: Sql,
  { now }: Scope,
): Relation {
  return {
    from: (row, uses) => {
      const { from, where, stocks } = daysOf(source, key, by === 'token' ? undefined : token)
      const due = uses.has('overdueFace') ? [sql`${overdueFaceOf(by, key, now, token)} as overdue_face`] : []
      return sql`from (
        select ${sql.join([sql`${token} as token`, ...stocksOf(stocks), ...due])} from ${from} where ${where}
      ) as ${sql.raw(row)}`
    },
    scopeOf: (row) => tupleScope(row),
    orderBy: 'token',
  }
}

/** Cost of the sums over all days. */
const EXPOSURE_COST = 50

const TOKEN = 'Token of the amounts. Amounts of different tokens are never added.'

builder.queryField('marketExposure', (t) =>
  t.field({
    type: Exposure,
    description: 'Amounts owed to all vaults in one token. `Capital` has the amounts of one vault.',
    args: { token: t.arg({ type: 'Address', required: true, description: TOKEN }) },
    complexity: { field: EXPOSURE_COST, multiplier: 1 },
    ...reading<{ token: string }>({
      kind: 'relation',
      relation: (root, { token }) =>
        exposureOf(tokenSeries, 'token', sql`${token}::text`, sql`${token}::text`, root),
    }),
  }),
)

builder.objectField(Issuer, 'exposure', (t) =>
  t.field({
    type: Exposure,
    description: 'Amounts owed to vaults on the claims of the issuer, in one token.',
    args: { token: t.arg({ type: 'Address', required: true, description: TOKEN }) },
    complexity: { field: EXPOSURE_COST, multiplier: 1 },
    ...reading<{ token: string }>({
      kind: 'relation',
      relation: (issuer, { token }) =>
        exposureOf(issuerSeries, 'issuer', issuer.column('address'), sql`${token}::text`, issuer),
    }),
  }),
)
