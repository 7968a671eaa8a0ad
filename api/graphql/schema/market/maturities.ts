/** Outstanding face by the time at which it is due. */
import { sql } from 'kysely'
import type { Sql } from '../../../projection/sql/json.ts'
import {
  type MaturitiesRequest,
  type MaturityKind,
  maturitiesOf,
  OTHER_ROWS,
} from '../../../projection/sql/maturities.ts'
import { type Scope, tupleScope } from '../../../projection/sql/scope.ts'
import { type OutstandingKey, outstandingOf } from '../../../projection/tables/outstanding.ts'
import { builder } from '../../kit/builder.ts'
import { type Relation, reading } from '../../kit/declared-read.ts'
import { checkCount } from '../../kit/lists.ts'
import { Account, Issuer, Vault } from '../shared/refs.ts'
import { tokenOfAmounts } from '../shared/token-info.ts'
import { PeriodType } from './series-request.ts'

const Kind = builder.enumType('MaturityKind', {
  description: 'Kind of a row of `maturities`.',
  values: {
    OVERDUE: { description: 'Not paid, and due before the time of the block.' },
    HELD: { description: 'Paid, and held by the router because the token did not pay the vault.' },
    BEFORE: { description: 'Not paid, and due before the first period, at the time of the block or later.' },
    PERIOD: { description: 'Not paid, and due within one period, at the time of the block or later.' },
    AFTER: { description: 'Not paid, and due after the last period.' },
  } satisfies Record<MaturityKind, object>,
})

type MaturityShape = {
  /** Address of the token of the amounts. */
  readonly token: string
  readonly kind: MaturityKind
  readonly start: bigint | null
  readonly face: bigint
  readonly advance: bigint
  readonly discount: bigint
  readonly allocations: bigint
}

const Maturity = builder.objectRef<MaturityShape>('Maturity').implement({
  description: 'Financed face that is not repaid, of one time at which it is due. Amounts are base units.',
  fields: (t) => ({
    kind: t.expose('kind', { type: Kind, description: 'Kind of the row.' }),
    start: t.expose('start', {
      type: 'DateTime',
      nullable: true,
      description: 'Start of the period, inclusive; null for the other kinds.',
    }),
    tokenInfo: t.field(tokenOfAmounts),
    outstandingFace: t.expose('face', { type: 'AmountSum', description: 'Outstanding face.' }),
    outstandingAdvance: t.expose('advance', { type: 'AmountSum', description: 'Outstanding advance.' }),
    outstandingDiscount: t.expose('discount', {
      type: 'AmountSum',
      description: '`outstandingFace` less `outstandingAdvance`: the gain of the vaults when it is repaid.',
    }),
    allocations: t.expose('allocations', { type: 'SafeInt', description: 'Number of allocations.' }),
  }),
})

export const PERIODS_DEFAULT = 12
export const PERIODS_MAX = 400

/** Cost of the sums over the allocations of one owner, and over all of a token. */
const COST = 50
const MARKET_COST = 2000

const maturityArgs = builder.args((t) => ({
  period: t.field({
    type: PeriodType,
    required: true,
    defaultValue: 'month',
    description: 'Length of a period.',
  }),
  from: t.field({
    type: 'DateTime',
    description:
      'Start: the first period contains this time. Default and minimum: the time of the finalized block.',
  }),
  periods: t.int({
    required: true,
    defaultValue: PERIODS_DEFAULT,
    description: `Number of periods, 1 to ${PERIODS_MAX}.`,
  }),
}))

const token = builder.args((t) => ({
  token: t.field({
    type: 'Address',
    required: true,
    description: 'Token of the amounts. Amounts of different tokens are never added.',
  }),
}))

/** @throws CodedError `VALIDATION_FAILED` for too few or too many periods */
function costOf({ periods }: MaturitiesRequest, field = COST) {
  return { field, multiplier: checkCount(periods, 'periods', PERIODS_MAX) + OTHER_ROWS }
}

/** The outstanding face of one owner in one token. */
function ladderOf(
  by: OutstandingKey,
  { key, token }: { key: Sql; token: Sql },
  request: MaturitiesRequest,
  { now }: Scope,
): Relation {
  const hasOneToken = by === 'vault' || by === 'token'
  const outstanding = outstandingOf(by, key, hasOneToken ? undefined : token)
  return {
    from: (row) => sql`from ${maturitiesOf(outstanding, request, now)} as ${sql.raw(row)}`,
    scopeOf: (row) => {
      const scope = tupleScope(row)
      return { ...scope, column: (name) => (name === 'token' ? token : scope.column(name)) }
    },
    orderBy: 'position',
  }
}

const ROWS =
  'by the time at which it is due: overdue first, then held, and due before, within and after the periods. The rows add up to'

builder.queryField('marketMaturities', (t) =>
  t.field({
    type: [Maturity],
    description: `Outstanding face of the whole market in one token, ${ROWS} \`marketExposure.outstandingFace\`.`,
    args: { ...token, ...maturityArgs },
    complexity: (args) => costOf(args, MARKET_COST),
    ...reading<MaturitiesRequest & { token: string }>({
      kind: 'relation',
      relation: (root, { token, ...request }) => {
        const key = sql`${token}::text`
        return ladderOf('token', { key, token: key }, request, root)
      },
    }),
  }),
)

builder.objectField(Vault, 'maturities', (t) =>
  t.field({
    type: [Maturity],
    description: `Outstanding face of the vault, ${ROWS} \`capital.outstandingFace\`.`,
    args: maturityArgs,
    complexity: (args) => costOf(args),
    ...reading<MaturitiesRequest>({
      kind: 'relation',
      relation: (vault, request) =>
        ladderOf('vault', { key: vault.column('address'), token: vault.column('token') }, request, vault),
    }),
  }),
)

/** A ladder of an owner with several tokens. */
function ofOneToken(by: OutstandingKey) {
  return reading<MaturitiesRequest & { token: string }>({
    kind: 'relation',
    relation: (owner, { token, ...request }) =>
      ladderOf(by, { key: owner.column('address'), token: sql`${token}::text` }, request, owner),
  })
}

builder.objectField(Issuer, 'maturities', (t) =>
  t.field({
    type: [Maturity],
    description: `Outstanding face of the claims of the issuer in one token, ${ROWS} \`exposure.outstandingFace\`.`,
    args: { ...token, ...maturityArgs },
    complexity: (args) => costOf(args),
    ...ofOneToken('issuer'),
  }),
)

builder.objectField(Account, 'maturities', (t) =>
  t.field({
    type: [Maturity],
    description: `Outstanding face of the claims of which the account is the beneficiary, in one token, ${ROWS} the financed face of these claims that the vaults have not received.`,
    args: { ...token, ...maturityArgs },
    complexity: (args) => costOf(args),
    ...ofOneToken('beneficiary'),
  }),
)
