import { positionChanges } from '../../../projection/tables/position-change.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listUnder, pageCost } from '../../kit/lists.ts'
import { accountAt, refersTo } from '../../kit/reads.ts'
import { PositionChangeKind } from '../shared/enums.ts'
import { Account, PositionChange, Vault } from '../shared/refs.ts'

PositionChange.implement({
  description:
    'A deposit, a withdrawal or a transfer of shares, with the position of the wallet after it. A transfer is a change of each of the two wallets.',
  fields: (t) => ({
    vault: t.field({ type: Vault, description: 'The vault.', ...refersTo('vault', vaults) }),
    owner: t.field({ type: Account, description: 'The wallet.', ...accountAt('owner') }),
    kind: t.expose('kind', { type: PositionChangeKind, description: 'Kind of change.' }),
    assets: t.expose('assets', {
      type: 'AmountSum',
      description:
        'Assets deposited or withdrawn, or the cost that a transfer moved with the shares, base units.',
    }),
    shares: t.expose('shares', {
      type: 'Amount',
      extensions: { unit: 'share' },
      description: 'Shares that moved, base units of the share.',
    }),
    counterparty: t.field({
      type: Account,
      nullable: true,
      description: 'The other wallet of a transfer; null for a deposit or a withdrawal.',
      ...accountAt('counterparty'),
    }),
    sharesAfter: t.expose('sharesAfter', {
      type: 'Amount',
      extensions: { unit: 'share' },
      description: 'Shares of the wallet after the change, base units of the share.',
    }),
    costBasisAfter: t.expose('costBasisAfter', {
      type: 'AmountSum',
      description: 'Cost of these shares, base units.',
    }),
    realizedGainAfter: t.expose('realizedGainAfter', {
      type: 'SignedAmount',
      description: 'Realized gain of the position after the change, base units. Negative after losses.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Block time of the event.' }),
    blockNumber: t.expose('block', { type: 'SafeInt', description: 'Block number of the event.' }),
    transactionHash: t.expose('tx', { type: 'Hash', description: 'Transaction of the event.' }),
  }),
})

const PositionChangeFilter = defineFilter(positionChanges, 'PositionChangeFilter', 'changes of positions', {
  vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
  owner: { column: 'owner', type: 'Address', compare: 'key', words: 'The wallet' },
  kind: { column: 'kind', type: PositionChangeKind, compare: 'key', words: 'The kind' },
  assets: { column: 'assets', type: 'Amount', compare: 'number', words: 'The assets' },
  at: { column: 'at', type: 'DateTime', compare: 'number', words: 'The block time' },
})

export const positionChangeList = defineListArguments(positionChanges, 'PositionChange', {
  noun: 'changes',
  filter: PositionChangeFilter,
  orders: {
    at: { by: 'id', words: 'Order of the chain: block time, then position in the block.' },
    assets: byAmount('assets', 'Assets, or cost, that moved'),
  },
  defaults: { orderBy: 'id', direction: 'desc' },
})

export const PositionChangeConnection = builder.connectionObject(
  {
    type: PositionChange,
    name: 'PositionChangeConnection',
    description: 'A page of changes of positions.',
  },
  { name: 'PositionChangeEdge', description: 'A change and its cursor.' },
)

export const changesOfPosition = listUnder(positionChanges, positionChangeList, (position) => ({
  vault: position.column('vault'),
  owner: position.column('owner'),
}))

builder.queryField('positionChanges', (t) =>
  t.connection(
    {
      type: PositionChange,
      description: 'Deposits, withdrawals and transfers of shares of all wallets. Default: newest first.',
      args: { ...positionChangeList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(positionChanges, positionChangeList),
    },
    PositionChangeConnection,
  ),
)
