/** Shared parts of the aggregates: the measures of an amount, the rate, and their cost. */
import { sql } from 'kysely'
import type { Address } from 'viem'
import { effectiveDiscountBps } from '../../domain/discount.ts'
import { validationFailed } from '../../errors.ts'
import {
  type Aggregation,
  countGroups,
  type GroupRequest,
  readGroups,
  sumOf,
  toGroupsSql,
} from '../../projection/aggregate.ts'
import { isOneParent } from '../../projection/one-parent.ts'
import type { ListedSource, PageRequest } from '../../projection/page.ts'
import { groupScope, type Scope } from '../../projection/scope.ts'
import type { Table } from '../../projection/source.ts'
import { builder } from '../builder.ts'
import type { GraphqlContext, Operation } from '../context.ts'
import { type Listed, reading } from '../declared-read.ts'
import { type ConnectionArgs, pageCost, toConnection, toPageRequest } from '../pagination.ts'
import { accountAt, computed, difference, discountOf, refersTo } from '../reads.ts'

/** An amount over the rows of one group. */
type Measures = {
  sum: bigint
  count: bigint
  extremes: () => Promise<{ min: bigint; max: bigint }>
}

export const AmountMeasures = builder.objectRef<Measures>('AmountMeasures').implement({
  description: "Exact statistics of an amount over the rows of a group, base units of the group's token.",
  fields: (t) => ({
    sum: t.expose('sum', { type: 'AmountSum', description: 'Sum.' }),
    average: t.field({
      type: 'Amount',
      description: 'Sum over count, rounded down.',
      ...computed(
        ({ sum, count }: Measures) => sum / count,
        (measures) => sql`div(${measures.column('sum')}, ${measures.column('count')})`,
      ),
    }),
    min: t.field({
      type: 'Amount',
      description: 'Minimum. It always reads the rows; a sum is often read from rollups.',
      resolve: async ({ extremes }, _, { operation }) => (await operation.read(extremes)).min,
    }),
    max: t.field({
      type: 'Amount',
      description: 'Maximum. It always reads the rows; a sum is often read from rollups.',
      resolve: async ({ extremes }, _, { operation }) => (await operation.read(extremes)).max,
    }),
  }),
})

type Summed<M extends string> = { readonly sum: (amount: M) => bigint }
type Measured<M extends string> = Summed<M> & {
  readonly count: bigint
  readonly extremes: (amount: M) => Promise<{ min: bigint; max: bigint }>
}

/** A field for one amount of a group. */
export function amountField<M extends string>(amount: M, description: string) {
  return {
    type: AmountMeasures,
    description,
    resolve: (group: Measured<M>): Measures => ({
      sum: group.sum(amount),
      count: group.count,
      extremes: () => group.extremes(amount),
    }),
    ...reading({ kind: 'part', scopeOf: (group) => measuresScope(group, amount) }),
  }
}

function measuresScope(group: Scope, amount: string): Scope {
  return { ...group, column: (name) => group.column(name === 'sum' ? sumOf(amount) : name) }
}

/** The sum of an amount less that of another. */
export function sumDifference<M extends string>(from: M, less: M) {
  return {
    ...difference(sumOf(from), sumOf(less)),
    resolve: ({ sum }: Summed<M>) => sum(from) - sum(less),
  }
}

/** The row, or the account, that the rows of a group share. */
export function sharedRow<const C extends string>(column: C, source: ListedSource) {
  const { extensions } = refersTo(column, source)
  return { resolve: <V>(group: { readonly [K in C]?: V }) => group[column], extensions }
}

export function sharedAccount<const C extends string>(column: C) {
  return {
    resolve: (group: { readonly [K in C]?: Address }) => {
      const address: Address | undefined = group[column]
      return address && { address }
    },
    extensions: accountAt(column).extensions,
  }
}

/** The rate of a group: total cost over total face. */
export function rateField<M extends string>(face: M, advance: M) {
  return {
    type: 'Int' as const,
    description: 'Average rate weighted by face: total cost over total face, basis points, rounded up.',
    ...discountOf(sumOf(face), sumOf(advance)),
    resolve: (group: Summed<M>) =>
      Number(effectiveDiscountBps(group.sum(face) - group.sum(advance), group.sum(face))),
  }
}

/** A field for what rows are grouped by. */
export function keyField<const Type>(type: Type, words: string) {
  return { type, nullable: true as const, description: `${words}; null unless grouped by it.` }
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

/** The groups of a noun. @throws CodedError as `readGroups`, and `VALIDATION_FAILED` */
export function groupsOf<T extends Table, A extends Aggregation<T>, Given>(
  aggregation: Aggregation<T> & A,
  groups: { read: (given: Given) => Omit<GroupRequest<A>, keyof PageRequest> },
) {
  const toRequest = (args: ConnectionArgs & Given): GroupRequest<A> => {
    const own = groups.read(args)
    if (new Set(own.groupBy).size <= DIMENSIONS_MAX) return { ...toPageRequest(args), ...own }
    throw validationFailed([{ path: 'groupBy', message: `must name at most ${DIMENSIONS_MAX}` }])
  }
  return {
    resolve: (_: unknown, args: ConnectionArgs & Given, { operation }: GraphqlContext) =>
      readGroupConnection<T, A>(operation, aggregation, toRequest(args)),
    ...reading({
      kind: 'page',
      list: (_, args: ConnectionArgs & Given) => toListed<T, A>(aggregation, toRequest(args)),
    }),
  }
}

async function readGroupConnection<T extends Table, A extends Aggregation<T>>(
  operation: Operation,
  aggregation: Aggregation<T> & A,
  request: GroupRequest<A>,
) {
  const read = operation.read((snapshot) => readGroups(snapshot, aggregation, request))
  let count: Promise<number> | undefined
  return toConnection(await read, () => {
    count ??= operation.read((snapshot) => countGroups(snapshot, aggregation, request))
    return count
  })
}

function toListed<T extends Table, A extends Aggregation<T>>(
  aggregation: Aggregation<T> & A,
  request: GroupRequest<A>,
): Listed | undefined {
  const groups = toGroupsSql<T, A>(aggregation, request)
  return (
    groups && {
      page: groups.page,
      request,
      hasFilter: request.filter !== undefined,
      hasOnePlan: request.filter === undefined || isOneParent(aggregation.source, request.filter),
      addsUpRows: groups.isOfRows,
      scopeOf: (row) => groupScope(row, groups.names),
      count: () => groups.count,
    }
  )
}
