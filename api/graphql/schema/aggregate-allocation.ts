import type { Group } from '../../projection/aggregate.ts'
import { allocationGroups } from '../../projection/aggregates.ts'
import { builder } from '../builder.ts'
import { defineGroups } from '../define-groups.ts'
import { aggregateCost, amountField, COUNT, keyField, listGroups, rateField, TOKEN_KEY } from './aggregate.ts'
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

const groups = defineGroups<typeof allocationGroups>('Allocation', {
  noun: 'allocations',
  filter: AllocationFilter,
  groupBy: [
    ['vault', 'The vault that financed them.'],
    ['issuer', 'Issuer of their claims.'],
    ['claimType', 'Type of their claims.'],
    ['fundedDay', 'Day of financing, in UTC.'],
    ['fundedWeek', 'Week of financing, from Monday, in UTC.'],
    ['fundedMonth', 'Month of financing, in UTC.'],
  ],
  orders: {
    faceAmount: { by: 'faceAmount', words: 'Their face together; meant for one token at a time.' },
    advanceAmount: { by: 'advanceAmount', words: 'Their advance together; meant for one token at a time.' },
  },
})

builder.queryField('allocationAggregates', (t) =>
  t.connection(
    {
      type: AllocationGroup,
      description:
        'Allocations added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: groups.args,
      complexity: aggregateCost,
      resolve: (_, args, { operation }) => listGroups(operation, allocationGroups, args, groups.read(args)),
    },
    { name: 'AllocationGroupConnection', description: 'A page of groups of allocations.' },
    { name: 'AllocationGroupEdge', description: 'A group and where it stands in the list.' },
  ),
)
