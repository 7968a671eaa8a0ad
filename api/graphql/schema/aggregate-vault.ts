import { utilizationBps } from '../../domain/vault.ts'
import type { Group } from '../../projection/aggregate.ts'
import { vaultGroups } from '../../projection/aggregates.ts'
import { builder } from '../builder.ts'
import { defineGroups } from '../define-groups.ts'
import { aggregateCost, amountField, COUNT, keyField, listGroups, TOKEN_KEY } from './aggregate.ts'
import { Account } from './refs.ts'
import { VaultFilter } from './vault.ts'

const VaultGroup = builder.objectRef<Group<typeof vaultGroups>>('VaultGroup').implement({
  description: 'Vaults that share a token and what they are grouped by, added up.',
  fields: (t) => ({
    token: t.expose('token', TOKEN_KEY),
    curator: t.field({
      ...keyField(Account, 'Who sets their mandate and pricing'),
      resolve: ({ curator }) => curator && { address: curator },
    }),
    active: t.expose('active', keyField('Boolean', 'Whether the registry lets them finance')),
    count: t.expose('count', COUNT),
    fundableLiquidity: t.field(amountField('idleAssets', 'What they can advance now.')),
    outstandingFace: t.field(amountField('outstandingFace', 'Face still to be repaid.')),
    outstandingAdvance: t.field(amountField('outstandingAdvance', 'Advances still to be repaid.')),
    discountEarned: t.field(amountField('discountEarned', 'Discount booked as gain by repayments so far.')),
    totalAssets: t.field({
      type: 'AmountSum',
      description: 'Assets at hand and advances outstanding, of all of them together.',
      resolve: ({ sum }) => sum('idleAssets') + sum('outstandingAdvance'),
    }),
    utilizationBps: t.int({
      description:
        'All of their outstanding advances over all of their assets in basis points, rounded down; 0 without assets.',
      resolve: ({ sum }) =>
        utilizationBps({ idleAssets: sum('idleAssets'), outstandingAdvance: sum('outstandingAdvance') }),
    }),
  }),
})

const groups = defineGroups<typeof vaultGroups>('Vault', {
  noun: 'vaults',
  filter: VaultFilter,
  groupBy: [
    ['curator', 'Who sets their mandate and pricing.'],
    ['active', 'Whether the registry lets them finance.'],
  ],
  orders: {
    fundableLiquidity: {
      by: 'idleAssets',
      words: 'What they can advance now; meant for one token at a time.',
    },
    outstandingFace: {
      by: 'outstandingFace',
      words: 'Their outstanding face; meant for one token at a time.',
    },
    outstandingAdvance: {
      by: 'outstandingAdvance',
      words: 'Their outstanding advances; meant for one token at a time.',
    },
    discountEarned: { by: 'discountEarned', words: 'Their gain so far; meant for one token at a time.' },
  },
})

builder.queryField('vaultAggregates', (t) =>
  t.connection(
    {
      type: VaultGroup,
      description:
        'Vaults added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: groups.args,
      complexity: aggregateCost,
      resolve: (_, args, { operation }) => listGroups(operation, vaultGroups, args, groups.read(args)),
    },
    { name: 'VaultGroupConnection', description: 'A page of groups of vaults.' },
    { name: 'VaultGroupEdge', description: 'A group and where it stands in the list.' },
  ),
)
