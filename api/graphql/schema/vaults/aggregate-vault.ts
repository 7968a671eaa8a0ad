import type { Group } from '../../../projection/sql/aggregate.ts'
import { vaultGroups } from '../../../projection/tables/aggregates.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineGroupArguments } from '../../kit/define-group-arguments.ts'
import { byAmount } from '../../kit/lists.ts'
import { accountAt, computed } from '../../kit/reads.ts'
import {
  aggregateCost,
  amountField,
  COUNT,
  groupsOf,
  keyField,
  sumsScope,
  TOKEN_KEY,
} from '../shared/aggregate.ts'
import { Account } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'
import { VaultFilter } from './vault.ts'
import { costSql, utilizationSql } from './vault-sql.ts'

const VaultGroup = builder.objectRef<Group<typeof vaultGroups>>('VaultGroup').implement({
  description: 'Sums of the vaults of one token with equal values of the groupings.',
  fields: (t) => ({
    tokenInfo: t.field(tokenInfo(TOKEN_KEY)),
    curator: t.field({
      ...keyField(Account, 'Curator, who sets mandate and pricing'),
      ...accountAt('curator'),
    }),
    active: t.expose(
      'active',
      keyField('Boolean', 'Whether the registry allows the vaults to finance claims'),
    ),
    count: t.expose('count', COUNT),
    fundableLiquidity: t.field(
      amountField('idleAssets', 'Amount that the vaults can advance now, base units.'),
    ),
    outstandingFace: t.field(amountField('outstandingFace', 'Outstanding face, base units.')),
    outstandingAdvance: t.field(
      amountField('outstandingAdvance', 'Outstanding advances, at cost, base units.'),
    ),
    discountEarned: t.field(
      amountField('discountEarned', 'Discount booked as gain by repayments, base units.'),
    ),
    assetsAtCost: t.field({
      type: 'AmountSum',
      description: 'Sum of idle assets and outstanding advances, base units.',
      ...computed((group) => costSql(sumsScope(group))),
    }),
    utilizationBps: t.int({
      description:
        'Sum of outstanding advances over sum of assets at cost, basis points, rounded down; 0 without assets.',
      ...computed((group) => utilizationSql(sumsScope(group))),
    }),
  }),
})

const groups = defineGroupArguments<typeof vaultGroups>('Vault', {
  noun: 'vaults',
  filter: VaultFilter,
  groupBy: [
    ['curator', 'Curator, who sets mandate and pricing.'],
    ['active', 'Whether the registry allows the vaults to finance claims.'],
  ],
  orders: {
    fundableLiquidity: byAmount('idleAssets', 'Amount that the vaults can advance now'),
    outstandingFace: byAmount('outstandingFace', 'Sum of outstanding face'),
    outstandingAdvance: byAmount('outstandingAdvance', 'Sum of outstanding advances'),
    discountEarned: byAmount('discountEarned', 'Sum of gains'),
  },
})

builder.queryField('vaultAggregates', (t) =>
  t.connection(
    {
      type: VaultGroup,
      description: 'Sums of vaults by token and the groupings of `groupBy`. Default: one group per token.',
      args: { ...groups.args, ...asOfArgs },
      complexity: aggregateCost,
      ...groupsOf(vaultGroups, groups),
    },
    { name: 'VaultGroupConnection', description: 'A page of groups of vaults.' },
    { name: 'VaultGroupEdge', description: 'A group and its cursor.' },
  ),
)
