import type { Group } from '../../../projection/sql/aggregate.ts'
import { settlementGroups } from '../../../projection/tables/aggregates.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineGroupArguments } from '../../kit/define-group-arguments.ts'
import { byAmount } from '../../kit/lists.ts'
import { accountAt, refersTo } from '../../kit/reads.ts'
import {
  aggregateCost,
  amountField,
  COUNT,
  groupsOf,
  keyField,
  sumDifference,
  TOKEN_KEY,
} from '../shared/aggregate.ts'
import { claimTypeLabel } from '../shared/labels.ts'
import { Account, Issuer } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'
import { SettlementFilter } from './settlement.ts'

const SettlementGroup = builder.objectRef<Group<typeof settlementGroups>>('SettlementGroup').implement({
  description: 'Sums of the settlements of one token with equal values of the groupings.',
  fields: (t) => ({
    tokenInfo: t.field(tokenInfo(TOKEN_KEY)),
    payer: t.field({
      ...keyField(Account, 'Payer'),
      ...accountAt('payer'),
    }),
    beneficiary: t.field({
      ...keyField(Account, 'Receiver of the unfinanced rest'),
      ...accountAt('beneficiary'),
    }),
    issuer: t.field({ ...keyField(Issuer, 'The issuer of the claims'), ...refersTo('issuer', issuers) }),
    claimType: t.expose('claimType', keyField('Int', 'The type of the claims')),
    claimTypeLabel: t.string(claimTypeLabel),
    settledDay: t.expose('settledDay', keyField('DateTime', 'Start of the UTC day of payment')),
    settledWeek: t.expose('settledWeek', keyField('DateTime', 'Monday of the UTC week of payment')),
    settledMonth: t.expose('settledMonth', keyField('DateTime', 'First day of the UTC month of payment')),
    count: t.expose('count', COUNT),
    faceAmount: t.field(amountField('faceAmount', 'Face paid, base units.')),
    vaultsAmount: t.field(
      amountField('vaultsAmount', 'Amounts paid to the vaults that financed the claims, base units.'),
    ),
    beneficiaryAmount: t.field({
      type: 'AmountSum',
      description: 'Sum of the unfinanced rests paid to beneficiaries, base units.',
      ...sumDifference('faceAmount', 'vaultsAmount'),
    }),
  }),
})

const groups = defineGroupArguments<typeof settlementGroups>('Settlement', {
  noun: 'settlements',
  filter: SettlementFilter,
  groupBy: [
    ['payer', 'Payer.'],
    ['beneficiary', 'Receiver of the unfinanced rest.'],
    ['issuer', 'Issuer of the claims.'],
    ['claimType', 'Type of the claims.'],
    ['settledDay', 'Day of payment, in UTC.'],
    ['settledWeek', 'Week of payment, from Monday, in UTC.'],
    ['settledMonth', 'Month of payment, in UTC.'],
  ],
  orders: {
    faceAmount: byAmount('faceAmount', 'Face paid'),
    vaultsAmount: byAmount('vaultsAmount', 'Amount that vaults received'),
  },
})

builder.queryField('settlementAggregates', (t) =>
  t.connection(
    {
      type: SettlementGroup,
      description:
        'Sums of settlements by token and the groupings of `groupBy`. Default: one group per token.',
      args: { ...groups.args, ...asOfArgs },
      complexity: aggregateCost,
      ...groupsOf(settlementGroups, groups),
    },
    { name: 'SettlementGroupConnection', description: 'A page of groups of settlements.' },
    { name: 'SettlementGroupEdge', description: 'A group and its cursor.' },
  ),
)
