/** How issuers pay their claims. */
import { sql } from 'kysely'
import { SECONDS_PER_DAY } from '../../../domain/limits.ts'
import { WRITE_DOWN_SECONDS } from '../../../domain/value.ts'
import { ROWS_MAX } from '../../../projection/sql/one-parent.ts'
import { tooWide } from '../../../projection/sql/row-bounds.ts'
import { tupleScope } from '../../../projection/sql/scope.ts'
import type { Row } from '../../../projection/sql/source.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import {
  cohortsOf,
  impairedSql,
  outstandingSql,
  overdueSql,
  paymentRecords,
} from '../../../projection/tables/payment-record.ts'
import { builder } from '../../kit/builder.ts'
import { reading } from '../../kit/declared-read.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, checkCount, defineListArguments, listOf, pageCost } from '../../kit/lists.ts'
import { computed, refersTo, samePart } from '../../kit/reads.ts'
import { Issuer, PaymentRecord } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'

/** Each adds up claims that are due at some time or later. */
const DUE_COST = 30
/** Cost of reading the claims of a year. */
const COHORTS_COST = 200

export const MONTHS_DEFAULT = 12
export const MONTHS_MAX = 60

const WRITE_DOWN_DAYS = WRITE_DOWN_SECONDS / SECONDS_PER_DAY

const late = (words: string) => ({
  type: 'AmountSum' as const,
  description: `Face that was paid ${words} after the due date.`,
})

const LateFace = builder.objectRef<Row<'paymentRecord'>>('LateFace').implement({
  description: 'Face that was paid late, by the whole days from the due date to the payment, base units.',
  fields: (t) => ({
    upTo1: t.expose('upTo1', late('1 day')),
    upTo7: t.expose('upTo7', late('2 to 7 days')),
    upTo30: t.expose('upTo30', late('8 to 30 days')),
    upTo90: t.expose('upTo90', late('31 to 90 days')),
    more: t.expose('more', late('more than 90 days')),
  }),
})

const PaymentCohort = builder
  .objectRef<{
    month: bigint
    face: bigint
    paid: readonly bigint[]
    paidBps: readonly number[]
  }>('PaymentCohort')
  .implement({
    description: 'The claims of one month of registration, and the months in which they were paid.',
    fields: (t) => ({
      month: t.expose('month', { type: 'DateTime', description: 'Start of the month of registration, UTC.' }),
      face: t.expose('face', {
        type: 'AmountSum',
        description: 'Face of the claims that are not revoked, base units.',
      }),
      paid: t.expose('paid', {
        type: ['AmountSum'],
        description:
          'Face that was paid in the month of registration, in the next month, and so on to the current month, base units.',
      }),
      paidBps: t.exposeIntList('paidBps', {
        description: 'Each value of `paid` over `face`, basis points, rounded down; 0 without claims.',
      }),
    }),
  })

PaymentRecord.implement({
  description:
    'How an issuer pays its claims in one token, at the time of the finalized block of the answer. Amounts are face, financed or not, in base units. Each payment counts by the whole days from the due date to it.',
  fields: (t) => ({
    issuer: t.field({ type: Issuer, description: 'The issuer.', ...refersTo('issuer', issuers) }),
    tokenInfo: t.field(tokenInfo('The token of the claims.')),
    settled: t.expose('settled', {
      type: 'AmountSum',
      description: 'Face that was paid: `onTime` and all of `late`.',
    }),
    onTime: t.expose('onTime', {
      type: 'AmountSum',
      description: 'Face that was paid less than a day after the due date.',
    }),
    late: t.field({ type: LateFace, description: 'Face that was paid late.', ...samePart }),
    averageDaysLate: t.float({
      nullable: true,
      description:
        'Average of the whole days from the due date to the payment, weighted by face, rounded down to hundredths; null before the first payment.',
      ...computed(
        (record) =>
          sql`case when ${record.column('settled')} > 0 then ${record.column('averageDelay')} / 100.0 end`,
      ),
    }),
    impaired: t.field({
      type: 'AmountSum',
      description: `Face that was not paid ${WRITE_DOWN_DAYS} days after the end of the due day (UTC), when its value was written down to 0. Part of it can be \`recovered\`; the rest is \`overdue\`.`,
      complexity: DUE_COST,
      ...computed(impairedSql),
    }),
    recovered: t.expose('recovered', {
      type: 'AmountSum',
      description: 'Part of `impaired` that was paid later.',
    }),
    outstanding: t.field({
      type: 'AmountSum',
      description: 'Face of the registered claims that is not paid, without revoked claims.',
      ...computed(outstandingSql),
    }),
    overdue: t.field({
      type: 'AmountSum',
      description: 'Part of `outstanding` that is past due.',
      complexity: DUE_COST,
      ...computed(overdueSql),
    }),
    cohorts: t.field({
      type: [PaymentCohort],
      description:
        'Claims by month of registration, earliest first, without gaps, with the months until they were paid.',
      args: {
        months: t.arg.int({
          required: true,
          defaultValue: MONTHS_DEFAULT,
          description: `Number of months of registration up to the current one, 1 to ${MONTHS_MAX}.`,
        }),
      },
      complexity: ({ months }) => ({
        field: COHORTS_COST,
        multiplier: checkCount(months, 'months', MONTHS_MAX),
      }),
      ...reading<{ months: number }>({
        kind: 'relation',
        relation: (record, { months }, { failure }) => ({
          from: (row) => {
            const tooMany = failure(() =>
              tooWide({ subject: 'The list of cohorts', advice: 'Choose fewer months.' }, ROWS_MAX),
            )
            return sql`from ${cohortsOf(record, months, tooMany)} as ${sql.raw(row)}`
          },
          scopeOf: tupleScope,
          orderBy: 'month',
        }),
      }),
    }),
  }),
})

builder.objectField(Issuer, 'paymentRecord', (t) =>
  t.field({
    type: PaymentRecord,
    nullable: true,
    description: 'How the issuer pays its claims in one token; null if none was registered.',
    args: { token: t.arg({ type: 'Address', required: true, description: 'Token of the claims.' }) },
    ...reading<{ token: string }>({
      kind: 'row',
      source: paymentRecords,
      by: 'issuer',
      key: (issuer) => issuer.column('address'),
      also: (record, { token }) => sql`${record.column('token')} = ${token}::text`,
    }),
  }),
)

const PaymentRecordFilter = defineFilter(paymentRecords, 'PaymentRecordFilter', 'payment records', {
  issuer: { column: 'issuer', type: 'Address', compare: 'key', words: 'The issuer' },
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  settled: { column: 'settled', type: 'Amount', compare: 'number', words: 'The face that was paid' },
  averageDaysLate: {
    column: 'averageDelay',
    type: 'Float',
    compare: 'number',
    words: 'The average of the days from the due date to the payment, 0 before the first payment,',
    decimals: 2,
  },
})

const recordList = defineListArguments(paymentRecords, 'PaymentRecord', {
  noun: 'payment records',
  filter: PaymentRecordFilter,
  orders: {
    averageDaysLate: {
      by: 'averageDelay',
      words: 'Average days from the due date to the payment; 0 before the first payment.',
    },
    settled: byAmount('settled', 'Face that was paid'),
  },
  defaults: { orderBy: 'averageDelay', direction: 'asc' },
})

const PaymentRecordConnection = builder.connectionObject(
  { type: PaymentRecord, name: 'PaymentRecordConnection', description: 'A page of payment records.' },
  { name: 'PaymentRecordEdge', description: 'A payment record and its cursor.' },
)

builder.queryField('paymentRecords', (t) =>
  t.connection(
    {
      type: PaymentRecord,
      description: 'Payment records of all issuers by token. Default: by average delay, the shortest first.',
      args: recordList.args,
      complexity: pageCost,
      ...listOf(paymentRecords, recordList),
    },
    PaymentRecordConnection,
  ),
)
