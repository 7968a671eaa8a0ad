/** Lists: their arguments, their cost, and how they are read. */
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../../domain/limits.ts'
import { validationFailed } from '../../errors.ts'
import { countOfEach, countOfTable } from '../../projection/sql/count.ts'
import type { Filter } from '../../projection/sql/filter.ts'
import { isOneParent } from '../../projection/sql/one-parent.ts'
import {
  type Direction,
  type ListedSource,
  type Listing,
  type ListOf,
  type PageRequest,
  type ParentKey,
  toPageSql,
} from '../../projection/sql/page.ts'
import { rowScope, type Scope } from '../../projection/sql/scope.ts'
import type { FilterColumn, OrderName, ParentColumn, Source, Table } from '../../projection/sql/source.ts'
import { builder } from './builder.ts'
import { type Listed, reading, type Writer } from './declared-read.ts'
import type { DefinedFilter, FilterInput } from './filter.ts'

export const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Direction of an order.',
  values: {
    asc: { description: 'Smallest or earliest first.' },
    desc: { description: 'Largest or latest first.' },
  },
})

/**
 * Defines an order by an amount. Amounts of different tokens are not comparable, so its description advises to filter
 * by one.
 */
export function byAmount<const By extends string>(by: By, words: string) {
  return {
    by,
    words: `${words}. Filter by one token: amounts of different tokens are not comparable.`,
  } as const
}

/** The arguments of a list except those of its page. */
export type ListArgs<S extends { orders: object; columns: object }> = {
  filter?: Filter<FilterColumn<S>> | undefined
  orderBy: OrderName<S>
  direction: Direction
}

type ListSpec<S extends { orders: object; columns: object }> = {
  /** As in "Which claims". */
  noun: string
  filter: DefinedFilter<FilterColumn<S>>
  /** Orders of the list, each an order of the source. */
  orders: { readonly [name: string]: { readonly by: OrderName<S>; readonly words: string } }
  /** Default order. */
  defaults: { readonly orderBy: OrderName<S>; readonly direction: Direction }
}

/** How rows of equal values are ordered, by the last column of each order. */
function tiesOf({ orders, columns }: Listing): string {
  const lasts = Object.values(orders).map((order) => columns[order?.at(-1) ?? ''])
  return lasts.every((kind) => kind === 'ordinal') ? 'in the order of the chain' : 'ordered by id'
}

/** Makes the order type `<name>OrderBy` and the arguments of every list of the noun. */
export function defineListArguments<S extends Listing>(
  source: S,
  name: string,
  { noun, filter, orders, defaults }: ListSpec<S>,
) {
  const OrderBy = builder.enumType(`${name}OrderBy`, {
    description: `Order of ${noun}. Equal values are ${tiesOf(source)}, so every order is total.`,
    values: Object.fromEntries(
      Object.entries(orders).map(([order, { by, words }]) => [order, { value: by, description: words }]),
    ),
  })
  const args = builder.args((t) => ({
    filter: t.field({ type: filter.ref, description: `Conditions on the ${noun}. Default: all.` }),
    orderBy: t.field({
      type: OrderBy,
      required: true,
      defaultValue: defaults.orderBy,
      description: 'Value to order by.',
    }),
    orderDirection: t.field({
      type: OrderDirection,
      required: true,
      defaultValue: defaults.direction,
      description: 'Ascending or descending.',
    }),
  }))
  type Given = { filter?: FilterInput | null | undefined; orderBy: OrderName<S>; orderDirection: Direction }
  return {
    args,
    /** @throws CodedError `VALIDATION_FAILED` for a filter beyond the bounds */
    read: ({ filter: given, orderBy, orderDirection }: Given): ListArgs<S> => ({
      filter: filter.toFilter(given),
      orderBy,
      direction: orderDirection,
    }),
  }
}

type List<S extends { orders: object; columns: object }, Given> = { read: (given: Given) => ListArgs<S> }

/** Lists the rows of the whole table. */
export function listOf<T extends Table, S extends Source<T>, Given>(
  source: Source<T> & S,
  list: List<S, Given>,
) {
  return listUnder(source, list, () => undefined)
}

/** Lists the rows of each object with an address. */
export function listOfEach<T extends Table, S extends Source<T>, Given>(
  source: Source<T> & S,
  column: ParentColumn<Source<T> & S>,
  list: List<S, Given>,
) {
  return listUnder(source, list, (row) => ({ [column]: row.column('address') }))
}

/** Lists the rows of one parent. @param parentOf undefined for the whole table */
export function listUnder<T extends Table, S extends Source<T>, Given>(
  source: Source<T> & S,
  list: List<S, Given>,
  parentOf: (row: Scope, args: Given) => ParentKey | undefined,
) {
  return reading({
    kind: 'page',
    list: (row, args: ConnectionArgs & Given, writer) => {
      const request = { ...toPageRequest(args), ...list.read(args) }
      return toListed(source, request, parentOf(row, args), writer)
    },
  })
}

function toListed(
  source: ListedSource,
  request: ListOf<string, string>,
  parent: ParentKey | undefined,
  writer: Writer,
): Listed {
  const { filter } = request
  return {
    page: toPageSql(source, request, parent, writer.cursorBlock),
    request,
    hasOnePlan: () => filter === undefined || (!parent && isOneParent(source, filter)),
    scopeOf: (row) => rowScope(row, source),
    count: () =>
      parent ? countOfEach(source, parent, filter, writer) : countOfTable(source, filter, writer),
  }
}

type Maybe<T> = T | null | undefined

export type ConnectionArgs = {
  first?: Maybe<number>
  last?: Maybe<number>
  after?: Maybe<string>
  before?: Maybe<string>
}

/** @throws CodedError `VALIDATION_FAILED` for a page that is backwards and forwards at once, empty or too large */
export function toPageRequest({ first, last, after, before }: ConnectionArgs): PageRequest {
  if (first != null && last != null) {
    throw validationFailed([
      { path: 'last', message: 'must not be given with first: a page has one direction' },
    ])
  }
  return {
    limit: pageSize(first, 'first') ?? pageSize(last, 'last') ?? PAGE_LIMIT_DEFAULT,
    after: after ?? undefined,
    before: before ?? undefined,
    fromEnd: last != null,
  }
}

function pageSize(size: Maybe<number>, path: string): number | undefined {
  return size == null ? undefined : checkCount(size, path, PAGE_LIMIT_MAX)
}

/**
 * Returns the number of rows that an argument asks for.
 *
 * @throws CodedError `VALIDATION_FAILED` for none, and for more than the maximum
 */
export function checkCount(count: number, path: string, maximum: number): number {
  if (count >= 1 && count <= maximum) return count
  throw validationFailed([{ path, message: `must be from 1 to ${maximum}` }])
}

/** Cost of an empty page, in fields: its arguments, its key in the batch and its edges take time. */
const PAGE_COST = 3

/** Cost of a value of a filter: it is checked, and is a part of the statement. */
const FILTER_VALUE_COST = 2

/**
 * Computes the cost of a page: each row costs its selected fields, and each value of the filter costs its part, because
 * the filter is read for each parent.
 *
 * @throws CodedError `VALIDATION_FAILED` as `toPageRequest`, but once per operation instead of once per parent
 */
export function pageCost({ filter, ...page }: ConnectionArgs & { filter?: unknown }): {
  field: number
  multiplier: number
} {
  return { field: PAGE_COST + FILTER_VALUE_COST * countValues(filter), multiplier: toPageRequest(page).limit }
}

/** The number of values of an argument, lists and objects included. Their shape was bounded before. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + 1 + countValues(part), 0)
}
