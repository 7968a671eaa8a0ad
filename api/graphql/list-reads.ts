/** How connections are read, declared once: the resolver and the SQL. */
import { countInStatement } from '../projection/count.ts'
import { isOneParent } from '../projection/one-parent.ts'
import { type ListedSource, type ListOf, type ParentKey, toPageSql } from '../projection/page.ts'
import { rowScope } from '../projection/scope.ts'
import type { ParentColumn, Source, Table } from '../projection/source.ts'
import type { GraphqlContext } from './context.ts'
import { type Listed, reading } from './declared-read.ts'
import { type ConnectionArgs, toPageRequest } from './pagination.ts'
import { createConnectionReader, type ListArgs, readConnection } from './read-connection.ts'

type List<S extends { orders: object; columns: object }, Given> = { read: (given: Given) => ListArgs<S> }

/** A list of the whole table. */
export function listOf<T extends Table, S extends Source<T>, Given>(
  source: Source<T> & S,
  list: List<S, Given>,
) {
  return {
    resolve: (_: unknown, args: ConnectionArgs & Given, { operation }: GraphqlContext) =>
      readConnection<T, S>(operation, source, args, list.read(args)),
    ...reading({
      kind: 'page',
      list: (_, args: ConnectionArgs & Given) =>
        toListed(source, { ...toPageRequest(args), ...list.read(args) }),
    }),
  }
}

/** The list of each object with an address. */
export function listOfEach<T extends Table, S extends Source<T>, Given>(
  source: Source<T> & S,
  column: ParentColumn<Source<T> & S>,
  list: List<S, Given>,
) {
  const read = createConnectionReader<T, S>(source, column)
  return {
    resolve: (
      { address }: { readonly address: string },
      args: ConnectionArgs & Given,
      { operation }: GraphqlContext,
    ) => read(operation, address, args, list.read(args)),
    ...reading({
      kind: 'page',
      list: (row, args: ConnectionArgs & Given) =>
        toListed(
          source,
          { ...toPageRequest(args), ...list.read(args) },
          { column, key: row.column('address') },
        ),
    }),
  }
}

function toListed(source: ListedSource, request: ListOf<string, string>, parent?: ParentKey): Listed {
  return {
    page: toPageSql(source, request, parent),
    request,
    hasFilter: request.filter !== undefined,
    hasOnePlan: request.filter === undefined || (!parent && isOneParent(source, request.filter)),
    scopeOf: (row) => rowScope(row, source),
    count: () => countInStatement(source, request.filter, parent),
  }
}
