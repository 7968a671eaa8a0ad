/** Declarations of how connections over a source are read. */
import { countOfEach, countOfTable } from '../../projection/sql/count.ts'
import type { Filter } from '../../projection/sql/filter.ts'
import { isOneParent } from '../../projection/sql/one-parent.ts'
import {
  type Direction,
  type ListedSource,
  type ListOf,
  type ParentKey,
  toPageSql,
} from '../../projection/sql/page.ts'
import { rowScope, type Scope } from '../../projection/sql/scope.ts'
import type { FilterColumn, OrderName, ParentColumn, Source, Table } from '../../projection/sql/source.ts'
import { type Listed, reading, type Writer } from './declared-read.ts'
import { type ConnectionArgs, toPageRequest } from './pagination.ts'

/** The arguments of a list except those of its page. */
export type ListArgs<S extends { orders: object; columns: object }> = {
  filter?: Filter<FilterColumn<S>> | undefined
  orderBy: OrderName<S>
  direction: Direction
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
  return listUnder(source, list, (row) => ({ column, key: row.column('address') }))
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
    page: toPageSql(source, request, parent),
    request,
    hasOnePlan: filter === undefined || (!parent && isOneParent(source, filter)),
    scopeOf: (row) => rowScope(row, source),
    count: () =>
      parent ? countOfEach(source, parent, filter, writer) : countOfTable(source, filter, writer),
  }
}
