import { capitalChanges } from '../../projection/capital.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../connection.ts'
import { defineList } from '../define-list.ts'
import { defineFilter } from '../filter.ts'
import { listAll, listOfParent } from '../lists.ts'
import { CapitalChangeKind } from './enums.ts'
import { CapitalChange, Vault } from './refs.ts'

CapitalChange.implement({
  description: "One movement of a vault's capital, with the figures right after it.",
  fields: (t) => ({
    vault: t.field({ type: Vault, description: 'The vault.', resolve: (row) => row.vault }),
    kind: t.expose('kind', { type: CapitalChangeKind, description: 'What moved the capital.' }),
    amount: t.expose('amount', {
      type: 'Amount',
      description: 'Assets that moved: deposited, withdrawn, advanced, or repaid at face.',
    }),
    idleAssets: t.expose('idleAssets', { type: 'Amount', description: 'Assets at hand after it.' }),
    outstandingFace: t.expose('outstandingFace', {
      type: 'Amount',
      description: 'Face still to be repaid after it.',
    }),
    outstandingAdvance: t.expose('outstandingAdvance', {
      type: 'Amount',
      description: 'Advances still to be repaid after it.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    blockNumber: t.expose('block', { type: 'SafeInt', description: 'The block it happened in.' }),
    transactionHash: t.expose('tx', { type: 'Hash', description: 'The transaction it happened in.' }),
  }),
})

const CapitalChangeFilter = defineFilter<keyof typeof capitalChanges.columns>(
  'CapitalChangeFilter',
  'capital changes',
  {
    vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
    kind: { column: 'kind', type: CapitalChangeKind, compare: 'key', words: 'The kind' },
    amount: { column: 'amount', type: 'Amount', compare: 'number', words: 'The amount' },
    at: { column: 'at', type: 'DateTime', compare: 'number', words: 'The time' },
  },
)

export const capitalList = defineList<typeof capitalChanges>('CapitalChange', {
  noun: 'changes',
  filter: CapitalChangeFilter,
  orders: {
    at: { by: 'id', words: 'Order of the chain: time, then place within the block.' },
    amount: { by: 'amount', words: 'Assets that moved; meant for one token at a time.' },
  },
  defaults: { orderBy: 'id', direction: 'desc' },
})

export const CapitalChangeConnection = builder.connectionObject(
  {
    type: CapitalChange,
    name: 'CapitalChangeConnection',
    description: "A page of a vault's capital history.",
  },
  { name: 'CapitalChangeEdge', description: 'A change and where it stands in the list.' },
)

export const capitalOfVault = listOfParent(capitalChanges, 'vault')

builder.queryField('capitalChanges', (t) =>
  t.connection(
    {
      type: CapitalChange,
      description: 'Movements of the capital of all vaults. Default: newest first.',
      args: capitalList.args,
      complexity: pageCost,
      resolve: (_, args, { operation }) => listAll(operation, capitalChanges, args, capitalList.read(args)),
    },
    CapitalChangeConnection,
  ),
)
