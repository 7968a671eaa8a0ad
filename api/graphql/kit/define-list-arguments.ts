/** The arguments of the lists of one noun except those of the page, and their meaning for its source. */
import type { Direction } from '../../projection/sql/page.ts'
import type { FilterColumn, OrderName } from '../../projection/sql/source.ts'
import { builder } from './builder.ts'
import type { DefinedFilter, FilterInput } from './filter.ts'
import type { ListArgs } from './list-reads.ts'
import { OrderDirection } from './orders.ts'
import { type ConnectionArgs, pageCost, SCAN_COST } from './pagination.ts'

type ListSpec<S extends { orders: object; columns: object }> = {
  /** As in "Which claims". */
  noun: string
  filter: DefinedFilter<FilterColumn<S>>
  /** Orders of the list, each an order of the source. */
  orders: { readonly [name: string]: { readonly by: OrderName<S>; readonly words: string } }
  /** Default order. */
  defaults: { readonly orderBy: OrderName<S>; readonly direction: Direction }
}

/** Makes the order type `<name>OrderBy` and the arguments of every list of the noun. */
export function defineListArguments<S extends { orders: object; columns: object }>(
  name: string,
  { noun, filter, orders, defaults }: ListSpec<S>,
) {
  const OrderBy = builder.enumType(`${name}OrderBy`, {
    description: `Order of ${noun}. Equal values are ordered by id, so every order is total.`,
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
    /** The cost of a list of the whole table. Lists of a parent have its rows by an index. */
    cost: (given: ConnectionArgs & { filter?: unknown }) => {
      const { field, multiplier } = pageCost(given)
      return { field: filter.scans(given.filter) ? SCAN_COST + field : field, multiplier }
    },
    /** @throws CodedError `VALIDATION_FAILED` for a filter beyond the bounds */
    read: ({ filter: given, orderBy, orderDirection }: Given): ListArgs<S> => ({
      filter: filter.toFilter(given),
      orderBy,
      direction: orderDirection,
    }),
  }
}
