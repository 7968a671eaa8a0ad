/** Connections over a source of the projection: of the whole table, or of what belongs to one parent. */

import { countRows, countRowsOf } from '../projection/count.ts'
import type { Filter } from '../projection/filter.ts'
import { type Direction, type ListRequest, readPage, readPagesOf } from '../projection/page.ts'
import type { FilterColumn, OrderName, ParentColumn, Source, Table } from '../projection/source.ts'
import { batched, type Operation } from './context.ts'
import { type ConnectionArgs, toConnection, toPageRequest } from './pagination.ts'

/** The arguments of a list except those of its page. */
export type ListArgs<S extends { orders: object; columns: object }> = {
  filter?: Filter<FilterColumn<S>> | undefined
  orderBy: OrderName<S>
  direction: Direction
}

/** One page of the whole table. @throws CodedError `VALIDATION_FAILED` */
export async function readConnection<T extends Table, S extends Source<T>>(
  operation: Operation,
  source: Source<T> & S,
  page: ConnectionArgs,
  list: ListArgs<S>,
) {
  const request: ListRequest<S> = { ...toPageRequest(page), ...list }
  const read = operation.read((snapshot) => readPage(snapshot, source, request))
  return toConnection(await read, () =>
    operation.read((snapshot) => countRows(snapshot, source, list.filter)),
  )
}

/** Makes the reader of a list that each parent has: one page per parent, all parents' pages in one statement. */
export function createConnectionReader<T extends Table, S extends Source<T>>(
  source: Source<T> & S,
  parentColumn: ParentColumn<Source<T> & S>,
) {
  const pages = batched((snapshot, parents, request: ListRequest<S>) =>
    readPagesOf(snapshot, source, parentColumn, parents, request),
  )
  const counts = batched((snapshot, parents, filter: Filter<FilterColumn<S>> | undefined) =>
    countRowsOf(snapshot, source, parentColumn, parents, filter),
  )
  return async (operation: Operation, parent: string, page: ConnectionArgs, list: ListArgs<S>) => {
    const request: ListRequest<S> = { ...toPageRequest(page), ...list }
    return toConnection(await pages(operation, parent, request), () => counts(operation, parent, list.filter))
  }
}
