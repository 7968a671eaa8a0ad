import type { Group } from '../../projection/aggregate.ts'
import { claimGroups } from '../../projection/aggregates.ts'
import { builder } from '../builder.ts'
import { defineGroups } from '../define-groups.ts'
import { aggregateCost, amountField, COUNT, keyField, listGroups, TOKEN_KEY } from './aggregate.ts'
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

const groups = defineGroups<typeof claimGroups>('Claim', {
  noun: 'claims',
  filter: ClaimFilter,
  groupBy: [
    ['state', 'State.'],
    ['issuer', 'Issuer.'],
    ['beneficiary', 'The wallet that owns them.'],
    ['claimType', 'Claim type.'],
    ['registeredDay', 'Day of registration, in UTC.'],
    ['registeredWeek', 'Week of registration, from Monday, in UTC.'],
    ['registeredMonth', 'Month of registration, in UTC.'],
    ['dueDay', 'Day of the due date, in UTC.'],
    ['dueWeek', 'Week of the due date, from Monday, in UTC.'],
    ['dueMonth', 'Month of the due date, in UTC.'],
  ],
  orders: {
    faceValue: { by: 'faceValue', words: 'Their face together; meant for one token at a time.' },
    financedFaceValue: {
      by: 'financedFaceValue',
      words: 'Their financed face together; meant for one token at a time.',
    },
  },
})

builder.queryField('claimAggregates', (t) =>
  t.connection(
    {
      type: ClaimGroup,
      description:
        'Claims added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: groups.args,
      complexity: aggregateCost,
      resolve: (_, args, { operation }) => listGroups(operation, claimGroups, args, groups.read(args)),
    },
    { name: 'ClaimGroupConnection', description: 'A page of groups of claims.' },
    { name: 'ClaimGroupEdge', description: 'A group and where it stands in the list.' },
  ),
)
