import type { Group } from '../../projection/aggregate.ts'
import { settlementGroups } from '../../projection/aggregates.ts'
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
import { Account, Issuer } from './refs.ts'
import { SettlementFilter } from './settlement.ts'

const SettlementGroup = builder.objectRef<Group<typeof settlementGroups>>('SettlementGroup').implement({
  description: 'Settlements that share a token and what they are grouped by, added up.',
  fields: (t) => ({
    token: t.expose('token', TOKEN_KEY),
    payer: t.field({
      ...keyField(Account, 'Who paid'),
      resolve: ({ payer }) => payer && { address: payer },
    }),
    beneficiary: t.field({
      ...keyField(Account, 'Who received the unfinanced rest'),
      resolve: ({ beneficiary }) => beneficiary && { address: beneficiary },
    }),
    issuer: t.field({ ...keyField(Issuer, 'The issuer of their claims'), resolve: (group) => group.issuer }),
    claimType: t.expose('claimType', keyField('Int', 'The type of their claims')),
    settledDay: t.expose('settledDay', keyField('DateTime', 'Midnight of the day they were paid on')),
    settledWeek: t.expose('settledWeek', keyField('DateTime', 'The Monday of that week')),
    settledMonth: t.expose('settledMonth', keyField('DateTime', 'The first of that month')),
    count: t.expose('count', COUNT),
    faceValue: t.field(amountField('faceValue', 'What was paid.')),
    vaultsAmount: t.field(amountField('vaultsAmount', 'Paid to the vaults that financed the claims.')),
    beneficiaryAmount: t.field({
      type: 'AmountSum',
      description: 'The unfinanced rest, paid to the beneficiaries, of all of them together.',
      resolve: ({ sum }) => sum('faceValue') - sum('vaultsAmount'),
    }),
  }),
})

const SettlementGroupBy = builder.enumType('SettlementGroupBy', {
  description:
    'What settlements are grouped by, beside their token. Days, weeks (from Monday) and months are of UTC.',
  values: {
    payer: { description: 'Who paid.' },
    beneficiary: { description: 'Who received the unfinanced rest.' },
    issuer: { description: 'Issuer of their claims.' },
    claimType: { description: 'Type of their claims.' },
    settledDay: { description: 'Day of payment.' },
    settledWeek: { description: 'Week of payment.' },
    settledMonth: { description: 'Month of payment.' },
  } as const,
})

const SettlementGroupOrderBy = builder.enumType('SettlementGroupOrderBy', {
  description: 'What groups of settlements are ordered by; equal ones by token and what they are grouped by.',
  values: {
    key: { description: 'Token, then what they are grouped by, in the order of `groupBy`.' },
    count: { description: 'How many settlements.' },
    faceValue: { description: 'What was paid; meant for one token at a time.' },
    vaultsAmount: { description: 'What vaults received; meant for one token at a time.' },
  } as const,
})

const SettlementGroupConnection = builder.connectionObject(
  {
    type: SettlementGroup,
    name: 'SettlementGroupConnection',
    description: 'A page of groups of settlements.',
  },
  { name: 'SettlementGroupEdge', description: 'A group and where it stands in the list.' },
)

builder.queryField('settlementAggregates', (t) =>
  t.connection(
    {
      type: SettlementGroup,
      description:
        'Settlements added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: {
        filter: t.arg({ type: SettlementFilter.ref, description: 'Which settlements; all of them without.' }),
        groupBy: t.arg({ type: [SettlementGroupBy], ...GROUP_BY }),
        orderBy: t.arg({ type: SettlementGroupOrderBy, ...ORDER_BY }),
        orderDirection: t.arg(ORDER_DIRECTION),
      },
      complexity: aggregateCost,
      resolve: (_, { filter, groupBy, orderBy, orderDirection, ...page }, { operation }) =>
        listGroups(operation, settlementGroups, page, {
          filter: SettlementFilter.toFilter(filter),
          groupBy,
          orderBy,
          direction: orderDirection,
        }),
    },
    SettlementGroupConnection,
  ),
)
