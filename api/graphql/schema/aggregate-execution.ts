import type { Group } from '../../projection/aggregate.ts'
import { executionGroups } from '../../projection/aggregates.ts'
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

const ExecutionGroupBy = builder.enumType('ExecutionGroupBy', {
  description:
    'What executions are grouped by, beside their token. Days, weeks (from Monday) and months are of UTC.',
  values: {
    user: { description: 'Whose claims were financed.' },
    kind: { description: 'How they came about.' },
    executedDay: { description: 'Day of the execution.' },
    executedWeek: { description: 'Week of the execution.' },
    executedMonth: { description: 'Month of the execution.' },
  } as const,
})

const ExecutionGroupOrderBy = builder.enumType('ExecutionGroupOrderBy', {
  description: 'What groups of executions are ordered by; equal ones by token and what they are grouped by.',
  values: {
    key: { description: 'Token, then what they are grouped by, in the order of `groupBy`.' },
    count: { description: 'How many executions.' },
    totalFace: { description: 'Their face together; meant for one token at a time.' },
    totalAdvance: { description: 'Their advance together; meant for one token at a time.' },
  } as const,
})

const ExecutionGroupConnection = builder.connectionObject(
  { type: ExecutionGroup, name: 'ExecutionGroupConnection', description: 'A page of groups of executions.' },
  { name: 'ExecutionGroupEdge', description: 'A group and where it stands in the list.' },
)

builder.queryField('executionAggregates', (t) =>
  t.connection(
    {
      type: ExecutionGroup,
      description:
        'Executions added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: {
        filter: t.arg({ type: ExecutionFilter.ref, description: 'Which executions; all of them without.' }),
        groupBy: t.arg({ type: [ExecutionGroupBy], ...GROUP_BY }),
        orderBy: t.arg({ type: ExecutionGroupOrderBy, ...ORDER_BY }),
        orderDirection: t.arg(ORDER_DIRECTION),
      },
      complexity: aggregateCost,
      resolve: (_, { filter, groupBy, orderBy, orderDirection, ...page }, { operation }) =>
        listGroups(operation, executionGroups, page, {
          filter: ExecutionFilter.toFilter(filter),
          groupBy,
          orderBy,
          direction: orderDirection,
        }),
    },
    ExecutionGroupConnection,
  ),
)
