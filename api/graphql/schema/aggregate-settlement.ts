import type { Group } from '../../projection/aggregate.ts'
import { settlementGroups } from '../../projection/aggregates.ts'
import { builder } from '../builder.ts'
import { defineGroups } from '../define-groups.ts'
import { aggregateCost, amountField, COUNT, keyField, listGroups, TOKEN_KEY } from './aggregate.ts'
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

const groups = defineGroups<typeof settlementGroups>('Settlement', {
  noun: 'settlements',
  filter: SettlementFilter,
  groupBy: [
    ['payer', 'Who paid.'],
    ['beneficiary', 'Who received the unfinanced rest.'],
    ['issuer', 'Issuer of their claims.'],
    ['claimType', 'Type of their claims.'],
    ['settledDay', 'Day of payment, in UTC.'],
    ['settledWeek', 'Week of payment, from Monday, in UTC.'],
    ['settledMonth', 'Month of payment, in UTC.'],
  ],
  orders: {
    faceValue: { by: 'faceValue', words: 'What was paid; meant for one token at a time.' },
    vaultsAmount: { by: 'vaultsAmount', words: 'What vaults received; meant for one token at a time.' },
  },
})

builder.queryField('settlementAggregates', (t) =>
  t.connection(
    {
      type: SettlementGroup,
      description:
        'Settlements added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: groups.args,
      complexity: aggregateCost,
      resolve: (_, args, { operation }) => listGroups(operation, settlementGroups, args, groups.read(args)),
    },
    { name: 'SettlementGroupConnection', description: 'A page of groups of settlements.' },
    { name: 'SettlementGroupEdge', description: 'A group and where it stands in the list.' },
  ),
)
