import type { Group } from '../../../projection/sql/aggregate.ts'
import { executionGroups } from '../../../projection/tables/aggregates.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineGroupArguments } from '../../kit/define-group-arguments.ts'
import { byAmount } from '../../kit/lists.ts'
import { accountAt } from '../../kit/reads.ts'
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
import { ExecutionKind } from '../shared/enums.ts'
import { Account } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'
import { ExecutionFilter } from './execution.ts'

const ExecutionGroup = builder.objectRef<Group<typeof executionGroups>>('ExecutionGroup').implement({
  description: 'Sums of the executions of one token with equal values of the groupings.',
  fields: (t) => ({
    tokenInfo: t.field(tokenInfo(TOKEN_KEY)),
    user: t.field({
      ...keyField(Account, 'Owner of the financed claims'),
      ...accountAt('user'),
    }),
    kind: t.expose('kind', keyField(ExecutionKind, 'Kind of execution')),
    executedDay: t.expose('executedDay', keyField('DateTime', 'Start of the UTC day of the execution')),
    executedWeek: t.expose('executedWeek', keyField('DateTime', 'Monday of the UTC week of the execution')),
    executedMonth: t.expose(
      'executedMonth',
      keyField('DateTime', 'First day of the UTC month of the execution'),
    ),
    count: t.expose('count', COUNT),
    totalFace: t.field(amountField('totalFace', 'Face financed, base units.')),
    totalAdvance: t.field(amountField('totalAdvance', 'Advances paid, base units.')),
    totalCost: t.field({
      type: 'AmountSum',
      description: 'Sum of face amounts less sum of advances, base units.',
      ...sumDifference('totalFace', 'totalAdvance'),
    }),
    effectiveDiscountBps: t.field(rateField('totalFace', 'totalAdvance')),
  }),
})

const groups = defineGroupArguments<typeof executionGroups>('Execution', {
  noun: 'executions',
  filter: ExecutionFilter,
  groupBy: [
    ['user', 'Owner of the financed claims.'],
    ['kind', 'Kind of execution.'],
    ['executedDay', 'Day of the execution, in UTC.'],
    ['executedWeek', 'Week of the execution, from Monday, in UTC.'],
    ['executedMonth', 'Month of the execution, in UTC.'],
  ],
  orders: {
    totalFace: byAmount('totalFace', 'Sum of face'),
    totalAdvance: byAmount('totalAdvance', 'Sum of advances'),
  },
})

builder.queryField('executionAggregates', (t) =>
  t.connection(
    {
      type: ExecutionGroup,
      description:
        'Sums of executions by token and the groupings of `groupBy`. Default: one group per token.',
      args: { ...groups.args, ...asOfArgs },
      complexity: aggregateCost,
      ...groupsOf(executionGroups, groups),
    },
    { name: 'ExecutionGroupConnection', description: 'A page of groups of executions.' },
    { name: 'ExecutionGroupEdge', description: 'A group and its cursor.' },
  ),
)
