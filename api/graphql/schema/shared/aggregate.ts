/** Shared parts of the aggregates: the measures of an amount, the rate, and their cost. */
import { sql } from 'kysely'
import { validationFailed } from '../../../errors.ts'
import {
  type Aggregation,
  type GroupRequest,
  maxOf,
  minOf,
  sumOf,
  toGroupsSql,
} from '../../../projection/sql/aggregate.ts'
import { isOneParent } from '../../../projection/sql/one-parent.ts'
import type { PageRequest } from '../../../projection/sql/page.ts'
import { groupScope, type Scope } from '../../../projection/sql/scope.ts'
import type { Table } from '../../../projection/sql/source.ts'
import { builder } from '../../kit/builder.ts'
import { type Listed, reading, type Writer } from '../../kit/declared-read.ts'
import { type ConnectionArgs, pageCost, toPageRequest } from '../../kit/lists.ts'
import { computed, difference, discountOf, readsColumn } from '../../kit/reads.ts'

/** An amount over the rows of one group. */
type Measures = { readonly sum: bigint }

export const AmountMeasures = builder.objectRef<Measures>('AmountMeasures').implement({
  description: "Exact statistics of an amount over the rows of a group, base units of the group's token.",
  fields: (t) => ({
    sum: t.expose('sum', { type: 'AmountSum', description: 'Sum.' }),
    average: t.field({
      type: 'Amount',
      description: 'Sum over count, rounded down.',
      ...computed((measures) => sql`div(${measures.column('sum')}, ${measures.column('count')})`),
    }),
    min: t.field({
      type: 'Amount',
      description: 'Minimum, always computed from the rows; `sum` often comes from stored totals.',
      ...readsColumn('min'),
    }),
    max: t.field({
      type: 'Amount',
      description: 'Maximum, always computed from the rows; `sum` often comes from stored totals.',
      ...readsColumn('max'),
    }),
  }),
})

/** Defines a field for one amount of a group. */
export function amountField(amount: string, description: string) {
  return {
    type: AmountMeasures,
    description,
    ...reading({ kind: 'part', scopeOf: (group) => measuresScope(group, amount) }),
  }
}

const measureNames: { readonly [measure: string]: ((amount: string) => string) | undefined } = {
  sum: sumOf,
  min: minOf,
  max: maxOf,
}

function measuresScope(group: Scope, amount: string): Scope {
  return { ...group, column: (name) => group.column(measureNames[name]?.(amount) ?? name) }
}

/** Computes the sum of an amount less that of another. */
export function sumDifference(from: string, less: string) {
  return difference(sumOf(from), sumOf(less))
}

/** Reads a group with the sums of its amounts under their own names. */
export function sumsScope(group: Scope): Scope {
  return { ...group, column: (name) => group.column(sumOf(name)) }
}

/** Computes the rate of a group: total cost over total face. */
export function rateField(face: string, advance: string) {
  return {
    type: 'Int' as const,
    description: 'Average rate, weighted by face: total cost over total face, basis points, rounded up.',
    ...discountOf(sumOf(face), sumOf(advance)),
  }
}

/** Defines a field for a value by which rows are grouped. */
export function keyField<const Type>(type: Type, words: string) {
  return {
    type,
    nullable: true as const,
    description: `${words}; null if \`groupBy\` does not name this field.`,
  }
}

export const TOKEN_KEY = 'Token of all rows of the group. Amounts of different tokens are never added.'

export const COUNT = { type: 'SafeInt', description: 'Number of rows.' } as const

/** An aggregate can read many rows for each group, so it costs as much as a large page. */
const AGGREGATE_COST = 2000

export function aggregateCost(args: ConnectionArgs & { filter?: unknown }) {
  const { field, multiplier } = pageCost(args)
  return { field: AGGREGATE_COST + field, multiplier }
}

/** Maximum number of groupings beside the token. */
export const DIMENSIONS_MAX = 4

/** Lists the groups of a noun. @throws CodedError as `toGroupsSql`, and `VALIDATION_FAILED` */
export function groupsOf<T extends Table, A extends Aggregation<T>, Given>(
  aggregation: Aggregation<T> & A,
  groups: { read: (given: Given) => Omit<GroupRequest<A>, keyof PageRequest> },
) {
  const toRequest = (args: ConnectionArgs & Given): GroupRequest<A> => {
    const own = groups.read(args)
    if (new Set(own.groupBy).size <= DIMENSIONS_MAX) return { ...toPageRequest(args), ...own }
    throw validationFailed([{ path: 'groupBy', message: `must name at most ${DIMENSIONS_MAX}` }])
  }
  return reading({
    kind: 'page',
    list: (_, args: ConnectionArgs & Given, writer) => toListed<T, A>(aggregation, toRequest(args), writer),
  })
}

function toListed<T extends Table, A extends Aggregation<T>>(
  aggregation: Aggregation<T> & A,
  request: GroupRequest<A>,
  writer: Writer,
): Listed {
  const { page, names, count, use, isOfRows } = toGroupsSql<T, A>(
    aggregation,
    request,
    writer,
    writer.cursorBlock,
  )
  const scopeOf = (row: string): Scope => {
    const group = groupScope(row, names)
    const column = (name: string) => {
      use(name)
      return group.column(name)
    }
    return { ...group, column }
  }
  const { filter } = request
  // All totals can be as many as rows. The rows of no parent have an estimate of their own.
  const hasOnePlan = () => (filter ? isOneParent(aggregation.source, filter) : isOfRows())
  return { page, request, hasOnePlan, addsUpRows: true, scopeOf, count }
}
