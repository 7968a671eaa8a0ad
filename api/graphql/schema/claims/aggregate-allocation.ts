import type { Group } from '../../../projection/sql/aggregate.ts'
import { allocationGroups } from '../../../projection/tables/aggregates.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineGroupArguments } from '../../kit/define-group-arguments.ts'
import { byAmount } from '../../kit/lists.ts'
import { refersTo } from '../../kit/reads.ts'
import {
  aggregateCost,
  amountField,
  COUNT,
  groupsOf,
  keyField,
  rateField,
  sumDifference,
  TOKEN_KEY,
} from '../shared/aggregate.ts'
import { claimTypeLabel } from '../shared/labels.ts'
import { Issuer, Vault } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'
import { AllocationFilter } from './allocation.ts'

const AllocationGroup = builder.objectRef<Group<typeof allocationGroups>>('AllocationGroup').implement({
  description: 'Sums of the allocations of one token with equal values of the groupings.',
  fields: (t) => ({
    tokenInfo: t.field(tokenInfo(TOKEN_KEY)),
    vault: t.field({ ...keyField(Vault, 'The vault of the allocations'), ...refersTo('vault', vaults) }),
    issuer: t.field({ ...keyField(Issuer, 'The issuer of the claims'), ...refersTo('issuer', issuers) }),
    claimType: t.expose('claimType', keyField('Int', 'The type of the claims')),
    claimTypeLabel: t.string(claimTypeLabel),
    fundedDay: t.expose('fundedDay', keyField('DateTime', 'Start of the UTC day of financing')),
    fundedWeek: t.expose('fundedWeek', keyField('DateTime', 'Monday of the UTC week of financing')),
    fundedMonth: t.expose('fundedMonth', keyField('DateTime', 'First day of the UTC month of financing')),
    dueDay: t.expose('dueDay', keyField('DateTime', 'Start of the UTC day of the due date')),
    dueWeek: t.expose('dueWeek', keyField('DateTime', 'Monday of the UTC week of the due date')),
    dueMonth: t.expose('dueMonth', keyField('DateTime', 'First day of the UTC month of the due date')),
    count: t.expose('count', COUNT),
    faceAmount: t.field(amountField('faceAmount', 'Face financed, base units.')),
    advanceAmount: t.field(amountField('advanceAmount', 'Advances paid, base units.')),
    discountAmount: t.field({
      type: 'AmountSum',
      description:
        'Sum of face amounts less sum of advances, base units: the gain of the vaults at repayment.',
      ...sumDifference('faceAmount', 'advanceAmount'),
    }),
    effectiveDiscountBps: t.field(rateField('faceAmount', 'advanceAmount')),
    unpaidFace: t.field({
      type: 'AmountSum',
      description: 'Sum of face amounts less what is paid of them, base units.',
      ...sumDifference('faceAmount', 'paidFace'),
    }),
    outstandingFace: t.field({
      type: 'AmountSum',
      description:
        'Sum of face amounts less what the vaults have received of them, base units: `unpaidFace` and what the router holds for vaults.',
      ...sumDifference('faceAmount', 'repaidFace'),
    }),
  }),
})

const groups = defineGroupArguments<typeof allocationGroups>('Allocation', {
  noun: 'allocations',
  filter: AllocationFilter,
  groupBy: [
    ['vault', 'The vault of the allocations.'],
    ['issuer', 'Issuer of the claims.'],
    ['claimType', 'Type of the claims.'],
    ['fundedDay', 'Day of financing, in UTC.'],
    ['fundedWeek', 'Week of financing, from Monday, in UTC.'],
    ['fundedMonth', 'Month of financing, in UTC.'],
    ['dueDay', 'Day of the due date, in UTC.'],
    ['dueWeek', 'Week of the due date, from Monday, in UTC.'],
    [
      'dueMonth',
      'Month of the due date, in UTC. Filter by a vault, and `settled: false`, for what it is owed by month.',
    ],
  ],
  orders: {
    faceAmount: byAmount('faceAmount', 'Sum of face'),
    advanceAmount: byAmount('advanceAmount', 'Sum of advances'),
  },
})

builder.queryField('allocationAggregates', (t) =>
  t.connection(
    {
      type: AllocationGroup,
      description:
        'Sums of allocations by token and the groupings of `groupBy`. Default: one group per token.',
      args: { ...groups.args, ...asOfArgs },
      complexity: aggregateCost,
      ...groupsOf(allocationGroups, groups),
    },
    { name: 'AllocationGroupConnection', description: 'A page of groups of allocations.' },
    { name: 'AllocationGroupEdge', description: 'A group and its cursor.' },
  ),
)
