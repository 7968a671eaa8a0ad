import { utilizationBps } from '../../domain/vault.ts'
import type { Group } from '../../projection/aggregate.ts'
import { vaultGroups } from '../../projection/aggregates.ts'
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

const VaultGroupBy = builder.enumType('VaultGroupBy', {
  description: 'What vaults are grouped by, beside their token.',
  values: {
    curator: { description: 'Who sets their mandate and pricing.' },
    active: { description: 'Whether the registry lets them finance.' },
  } as const,
})

const VaultGroupOrderBy = builder.enumType('VaultGroupOrderBy', {
  description: 'What groups of vaults are ordered by; equal ones by token and what they are grouped by.',
  values: {
    key: { description: 'Token, then what they are grouped by, in the order of `groupBy`.' },
    count: { description: 'How many vaults.' },
    fundableLiquidity: {
      value: 'idleAssets',
      description: 'What they can advance now; meant for one token at a time.',
    },
    outstandingFace: { description: 'Their outstanding face; meant for one token at a time.' },
    outstandingAdvance: { description: 'Their outstanding advances; meant for one token at a time.' },
    discountEarned: { description: 'Their gain so far; meant for one token at a time.' },
  } as const,
})

const VaultGroupConnection = builder.connectionObject(
  { type: VaultGroup, name: 'VaultGroupConnection', description: 'A page of groups of vaults.' },
  { name: 'VaultGroupEdge', description: 'A group and where it stands in the list.' },
)

builder.queryField('vaultAggregates', (t) =>
  t.connection(
    {
      type: VaultGroup,
      description:
        'Vaults added up, by token and whatever else is asked for; without `groupBy` a group for each token.',
      args: {
        filter: t.arg({ type: VaultFilter.ref, description: 'Which vaults; all of them without.' }),
        groupBy: t.arg({ type: [VaultGroupBy], ...GROUP_BY }),
        orderBy: t.arg({ type: VaultGroupOrderBy, ...ORDER_BY }),
        orderDirection: t.arg(ORDER_DIRECTION),
      },
      complexity: aggregateCost,
      resolve: (_, { filter, groupBy, orderBy, orderDirection, ...page }, { operation }) =>
        listGroups(operation, vaultGroups, page, {
          filter: VaultFilter.toFilter(filter),
          groupBy,
          orderBy,
          direction: orderDirection,
        }),
    },
    VaultGroupConnection,
  ),
)
