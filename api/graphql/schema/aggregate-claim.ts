import type { Group } from '../../projection/aggregate.ts'
import { claimGroups } from '../../projection/aggregates.ts'
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
  TOKEN_KEY,
} from './aggregate.ts'
import { ClaimFilter } from './claim.ts'
import { ClaimState } from './enums.ts'
import { Account, Issuer } from './refs.ts'

const ClaimGroup = builder.objectRef<Group<typeof claimGroups>>('ClaimGroup').implement({
  description: 'Claims that share a token and what they are grouped by, added up.',
  fields: (t) => ({
    token: t.expose('token', TOKEN_KEY),
    state: t.expose('state', keyField(ClaimState, 'Their state')),
    issuer: t.field({ ...keyField(Issuer, 'Their issuer'), resolve: (group) => group.issuer }),
    beneficiary: t.field({
      ...keyField(Account, 'The wallet that owns them'),
      resolve: ({ beneficiary }) => beneficiary && { address: beneficiary },
    }),
    claimType: t.expose('claimType', keyField('Int', 'Their type')),
    registeredDay: t.expose(
      'registeredDay',
      keyField('DateTime', 'Midnight of the day they were registered on'),
    ),
    registeredWeek: t.expose('registeredWeek', keyField('DateTime', 'The Monday of that week')),
    registeredMonth: t.expose('registeredMonth', keyField('DateTime', 'The first of that month')),
    dueDay: t.expose('dueDay', keyField('DateTime', 'Midnight of the day they are due on')),
    dueWeek: t.expose('dueWeek', keyField('DateTime', 'The Monday of that week')),
    dueMonth: t.expose('dueMonth', keyField('DateTime', 'The first of that month')),
    count: t.expose('count', COUNT),
    faceValue: t.field(amountField('faceValue', 'What is due.')),
    financedFaceValue: t.field(amountField('financedFaceValue', 'Face that vaults have financed.')),
    remainingFace: t.field({
      type: 'AmountSum',
      description: 'Face that no vault has financed yet, of all of them together.',
      resolve: ({ sum }) => sum('faceValue') - sum('financedFaceValue'),
    }),
  }),
})

const ClaimGroupBy = builder.enumType('ClaimGroupBy', {
  description:
    'What claims are grouped by, beside their token. Days, weeks (from Monday) and months are of UTC.',
  values: {
    state: { description: 'State.' },
    issuer: { description: 'Issuer.' },
    beneficiary: { description: 'The wallet that owns them.' },
    claimType: { description: 'Claim type.' },
    registeredDay: { description: 'Day of registration.' },
    registeredWeek: { description: 'Week of registration.' },
    registeredMonth: { description: 'Month of registration.' },
    dueDay: { description: 'Day of the due date.' },
    dueWeek: { description: 'Week of the due date.' },
    dueMonth: { description: 'Month of the due date.' },
  } as const,
})

const ClaimGroupOrderBy = builder.enumType('ClaimGroupOrderBy', {
  description: 'What groups of claims are ordered by; equal ones by token and what they are grouped by.',
  values: {
    key: { description: 'Token, then what they are grouped by, in the order of `groupBy`.' },
    count: { description: 'How many claims.' },
    faceValue: { description: 'Their face together; meant for one token at a time.' },
    financedFaceValue: { description: 'Their financed face together; meant for one token at a time.' },
  } as const,
})

const ClaimGroupConnection = builder.connectionObject(
  { type: ClaimGroup, name: 'ClaimGroupConnection', description: 'A page of groups of claims.' },
  { name: 'ClaimGroupEdge', description: 'A group and where it stands in the list.' },
)

builder.queryField('claimAggregates', (t) =>
  t.connection(
    {
      type: ClaimGroup,
      description:
        'Claims added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: {
        filter: t.arg({ type: ClaimFilter.ref, description: 'Which claims; all of them without.' }),
        groupBy: t.arg({ type: [ClaimGroupBy], ...GROUP_BY }),
        orderBy: t.arg({ type: ClaimGroupOrderBy, ...ORDER_BY }),
        orderDirection: t.arg(ORDER_DIRECTION),
      },
      complexity: aggregateCost,
      resolve: (_, { filter, groupBy, orderBy, orderDirection, ...page }, { operation }) =>
        listGroups(operation, claimGroups, page, {
          filter: ClaimFilter.toFilter(filter),
          groupBy,
          orderBy,
          direction: orderDirection,
        }),
    },
    ClaimGroupConnection,
  ),
)
