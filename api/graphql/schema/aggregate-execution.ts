import type { Group } from '../../projection/aggregate.ts'
import { executionGroups } from '../../projection/aggregates.ts'
import { builder } from '../builder.ts'
import { defineGroups } from '../define-groups.ts'
import { aggregateCost, amountField, COUNT, keyField, listGroups, rateField, TOKEN_KEY } from './aggregate.ts'
import { ExecutionKind } from './enums.ts'
import { ExecutionFilter } from './execution.ts'
import { Account } from './refs.ts'

const ExecutionGroup = builder.objectRef<Group<typeof executionGroups>>('ExecutionGroup').implement({
  description: 'Executions that share a token and what they are grouped by, added up.',
  fields: (t) => ({
    token: t.expose('token', TOKEN_KEY),
    user: t.field({
      ...keyField(Account, 'Whose claims were financed'),
      resolve: ({ user }) => user && { address: user },
    }),
    kind: t.expose('kind', keyField(ExecutionKind, 'How they came about')),
    executedDay: t.expose('executedDay', keyField('DateTime', 'Midnight of the day they happened on')),
    executedWeek: t.expose('executedWeek', keyField('DateTime', 'The Monday of that week')),
    executedMonth: t.expose('executedMonth', keyField('DateTime', 'The first of that month')),
    count: t.expose('count', COUNT),
    totalFace: t.field(amountField('totalFace', 'Face financed.')),
    totalAdvance: t.field(amountField('totalAdvance', 'What was advanced on it.')),
    totalCost: t.field({
      type: 'AmountSum',
      description: 'Face less advance, of all of them together.',
      resolve: ({ sum }) => sum('totalFace') - sum('totalAdvance'),
    }),
    effectiveDiscountBps: t.field(rateField('totalFace', 'totalAdvance')),
  }),
})

const groups = defineGroups<typeof executionGroups>('Execution', {
  noun: 'executions',
  filter: ExecutionFilter,
  groupBy: [
    ['user', 'Whose claims were financed.'],
    ['kind', 'How they came about.'],
    ['executedDay', 'Day of the execution, in UTC.'],
    ['executedWeek', 'Week of the execution, from Monday, in UTC.'],
    ['executedMonth', 'Month of the execution, in UTC.'],
  ],
  orders: {
    totalFace: { by: 'totalFace', words: 'Their face together; meant for one token at a time.' },
    totalAdvance: { by: 'totalAdvance', words: 'Their advance together; meant for one token at a time.' },
  },
})

builder.queryField('executionAggregates', (t) =>
  t.connection(
    {
      type: ExecutionGroup,
      description:
        'Executions added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: groups.args,
      complexity: aggregateCost,
      resolve: (_, args, { operation }) => listGroups(operation, executionGroups, args, groups.read(args)),
    },
    { name: 'ExecutionGroupConnection', description: 'A page of groups of executions.' },
    { name: 'ExecutionGroupEdge', description: 'A group and where it stands in the list.' },
  ),
)
