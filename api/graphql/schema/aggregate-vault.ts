import { utilizationBps } from '../../domain/vault.ts'
import type { Group } from '../../projection/aggregate.ts'
import { vaultGroups } from '../../projection/aggregates.ts'
import { builder } from '../builder.ts'
import { defineGroupArguments } from '../define-group-arguments.ts'
import { byAmount } from '../orders.ts'
import {
  aggregateCost,
  amountField,
  COUNT,
  groupsOf,
  keyField,
  sharedAccount,
  TOKEN_KEY,
} from './aggregate.ts'
import { Account } from './refs.ts'
import { tokenInfo } from './token-info.ts'
import { VaultFilter } from './vault.ts'

const VaultGroup = builder.objectRef<Group<typeof vaultGroups>>('VaultGroup').implement({
  description: 'Sums of the vaults of one token with equal values of the groupings.',
  fields: (t) => ({
    tokenInfo: t.field(tokenInfo(TOKEN_KEY)),
    curator: t.field({
      ...keyField(Account, 'Curator, who sets mandate and pricing'),
      ...sharedAccount('curator'),
    }),
    active: t.expose('active', keyField('Boolean', 'Whether the registry allows them to finance claims')),
    count: t.expose('count', COUNT),
    fundableLiquidity: t.field(amountField('idleAssets', 'Amount that they can advance now, base units.')),
    outstandingFace: t.field(amountField('outstandingFace', 'Outstanding face, base units.')),
    outstandingAdvance: t.field(
      amountField('outstandingAdvance', 'Outstanding advances, at cost, base units.'),
    ),
    outstandingImpairment: t.field(
      amountField(
        'outstandingImpairment',
        'Part of the outstanding advances that is written down, base units.',
      ),
    ),
    impairedFace: t.field(
      amountField('impairedFace', 'Face of the allocations that are written down, base units.'),
    ),
    discountEarned: t.field(
      amountField('discountEarned', 'Discount booked as gain by repayments, base units.'),
    ),
    totalAssets: t.field({
      type: 'AmountSum',
      description:
        'Sum of idle assets and carrying values of outstanding allocations, locked profit included, base units.',
      resolve: ({ sum }) => sum('idleAssets') + sum('outstandingAdvance') - sum('outstandingImpairment'),
    }),
    utilizationBps: t.int({
      description:
        'Sum of outstanding advances over sum of assets at cost, basis points, rounded down; 0 without assets.',
      resolve: ({ sum }) =>
        utilizationBps({ idleAssets: sum('idleAssets'), outstandingAdvance: sum('outstandingAdvance') }),
    }),
  }),
})

const groups = defineGroupArguments<typeof vaultGroups>('Vault', {
  noun: 'vaults',
  filter: VaultFilter,
  groupBy: [
    ['curator', 'Curator, who sets mandate and pricing.'],
    ['active', 'Whether the registry allows them to finance claims.'],
  ],
  orders: {
    fundableLiquidity: byAmount('idleAssets', 'Amount that they can advance now'),
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
      args: groups.args,
      complexity: aggregateCost,
      ...groupsOf(vaultGroups, groups),
    },
    { name: 'VaultGroupConnection', description: 'A page of groups of vaults.' },
    { name: 'VaultGroupEdge', description: 'A group and its cursor.' },
  ),
)
