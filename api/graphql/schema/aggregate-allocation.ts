import type { Group } from '../../projection/aggregate.ts'
import { allocationGroups } from '../../projection/aggregates.ts'
import { builder } from '../builder.ts'
import {
  aggregateCost,
  amountField,
  COUNT,
  GROUP_BY,
  keyField,
  listGroups,
  ORDER_BY,
  ORDER_DIRECTION,
  rateField,
  TOKEN_KEY,
} from './aggregate.ts'
import { AllocationFilter } from './allocation.ts'
import { Issuer, Vault } from './refs.ts'

const AllocationGroup = builder.objectRef<Group<typeof allocationGroups>>('AllocationGroup').implement({
  description: 'Allocations that share a token and what they are grouped by, added up.',
  fields: (t) => ({
    token: t.expose('token', TOKEN_KEY),
    vault: t.field({ ...keyField(Vault, 'The vault that financed them'), resolve: (group) => group.vault }),
    issuer: t.field({ ...keyField(Issuer, 'The issuer of their claims'), resolve: (group) => group.issuer }),
    claimType: t.expose('claimType', keyField('Int', 'The type of their claims')),
    fundedDay: t.expose('fundedDay', keyField('DateTime', 'Midnight of the day they were financed on')),
    fundedWeek: t.expose('fundedWeek', keyField('DateTime', 'The Monday of that week')),
    fundedMonth: t.expose('fundedMonth', keyField('DateTime', 'The first of that month')),
    count: t.expose('count', COUNT),
    faceAmount: t.field(amountField('faceAmount', 'Face financed.')),
    advanceAmount: t.field(amountField('advanceAmount', 'What was advanced on it.')),
    discountAmount: t.field({
      type: 'AmountSum',
      description: 'Face less advance, of all of them together: what vaults earn at repayment.',
      resolve: ({ sum }) => sum('faceAmount') - sum('advanceAmount'),
    }),
    effectiveDiscountBps: t.field(rateField('faceAmount', 'advanceAmount')),
  }),
})

const AllocationGroupBy = builder.enumType('AllocationGroupBy', {
  description:
    'What allocations are grouped by, beside their token. Days, weeks (from Monday) and months are of UTC.',
  values: {
    vault: { description: 'The vault that financed them.' },
    issuer: { description: 'Issuer of their claims.' },
    claimType: { description: 'Type of their claims.' },
    fundedDay: { description: 'Day of financing.' },
    fundedWeek: { description: 'Week of financing.' },
    fundedMonth: { description: 'Month of financing.' },
  } as const,
})

const AllocationGroupOrderBy = builder.enumType('AllocationGroupOrderBy', {
  description: 'What groups of allocations are ordered by; equal ones by token and what they are grouped by.',
  values: {
    key: { description: 'Token, then what they are grouped by, in the order of `groupBy`.' },
    count: { description: 'How many allocations.' },
    faceAmount: { description: 'Their face together; meant for one token at a time.' },
    advanceAmount: { description: 'Their advance together; meant for one token at a time.' },
  } as const,
})

const AllocationGroupConnection = builder.connectionObject(
  {
    type: AllocationGroup,
    name: 'AllocationGroupConnection',
    description: 'A page of groups of allocations.',
  },
  { name: 'AllocationGroupEdge', description: 'A group and where it stands in the list.' },
)

builder.queryField('allocationAggregates', (t) =>
  t.connection(
    {
      type: AllocationGroup,
      description:
        'Allocations added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: {
        filter: t.arg({ type: AllocationFilter.ref, description: 'Which allocations; all of them without.' }),
        groupBy: t.arg({ type: [AllocationGroupBy], ...GROUP_BY }),
        orderBy: t.arg({ type: AllocationGroupOrderBy, ...ORDER_BY }),
        orderDirection: t.arg(ORDER_DIRECTION),
      },
      complexity: aggregateCost,
      resolve: (_, { filter, groupBy, orderBy, orderDirection, ...page }, { operation }) =>
        listGroups(operation, allocationGroups, page, {
          filter: AllocationFilter.toFilter(filter),
          groupBy,
          orderBy,
          direction: orderDirection,
        }),
    },
    AllocationGroupConnection,
  ),
)
