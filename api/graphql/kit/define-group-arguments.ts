/** The arguments of the groups of one noun's rows except those of the page, and their meaning. */
import type {
  Aggregated,
  AmountName,
  DimensionName,
  GroupOrder,
  GroupRequest,
} from '../../projection/sql/aggregate.ts'
import type { Direction, PageRequest } from '../../projection/sql/page.ts'
import type { FilterColumn } from '../../projection/sql/source.ts'
import { builder } from './builder.ts'
import type { DefinedFilter, FilterInput } from './filter.ts'
import { OrderDirection } from './lists.ts'

type GroupsSpec<A extends Aggregated> = {
  /** As in "Which claims". */
  noun: string
  filter: DefinedFilter<FilterColumn<A['source']>>
  /** Groupings in the order of the schema, with descriptions. */
  groupBy: readonly (readonly [by: DimensionName<A>, words: string])[]
  /** Orders of groups, each by an amount of the aggregation. */
  orders: { readonly [name: string]: { readonly by: AmountName<A>; readonly words: string } }
}
type Measure<A extends Aggregated> = { readonly by: GroupOrder<A>; readonly words: string }

type Given<A extends Aggregated> = {
  filter?: FilterInput | null | undefined
  groupBy: readonly DimensionName<A>[]
  orderBy: string
  orderDirection: Direction
}

const NOTHING: never[] = []

/** Makes the types `<name>GroupBy` and `<name>GroupOrderBy`, and the arguments of the noun's aggregates. */
export function defineGroupArguments<A extends Aggregated>(
  name: string,
  { noun, filter, groupBy, orders }: GroupsSpec<A>,
) {
  const measures: { readonly [name: string]: Measure<A> } = {
    key: { by: 'key', words: 'Token, then the groupings in the order of `groupBy`.' },
    count: { by: 'count', words: `Number of ${noun}.` },
    ...orders,
  }
  const GroupBy = builder.enumType(`${name}GroupBy`, {
    description: `Groupings of ${noun} beside the token.`,
    values: Object.fromEntries(groupBy.map(([by, words]) => [by, { value: by, description: words }])),
  })
  const OrderBy = builder.enumType(`${name}GroupOrderBy`, {
    description: `Order of groups of ${noun}. Equal values are ordered by token and groupings.`,
    values: Object.fromEntries(
      Object.entries(measures).map(([name, { words }]) => [name, { description: words }]),
    ),
  })
  const args = builder.args((t) => ({
    filter: t.field({ type: filter.ref, description: `Conditions on the ${noun}. Default: all.` }),
    groupBy: t.field({
      type: [GroupBy],
      required: true,
      defaultValue: NOTHING,
      description: 'Groupings beside the token, at most 4. Default: none.',
    }),
    orderBy: t.field({
      type: OrderBy,
      required: true,
      defaultValue: 'key',
      description: 'Value to order by.',
    }),
    orderDirection: t.field({
      type: OrderDirection,
      required: true,
      defaultValue: 'asc',
      description: 'Ascending or descending.',
    }),
  }))
  return {
    args,
    /** @throws CodedError `VALIDATION_FAILED` for a filter beyond the bounds */
    read: ({
      filter: given,
      groupBy,
      orderBy,
      orderDirection,
    }: Given<A>): Omit<GroupRequest<A>, keyof PageRequest> => ({
      filter: filter.toFilter(given),
      groupBy,
      orderBy: measures[orderBy]?.by ?? 'key',
      direction: orderDirection,
    }),
  }
}
