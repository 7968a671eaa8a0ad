import { capitalChanges } from '../../../projection/tables/capital.ts'
import { claims } from '../../../projection/tables/claim.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { refersTo } from '../../kit/reads.ts'
import { CapitalChangeKind } from '../shared/enums.ts'
import { CapitalChange, Claim, Vault } from '../shared/refs.ts'

CapitalChange.implement({
  description: "A change of a vault's capital, with the balances after it.",
  fields: (t) => ({
    vault: t.field({ type: Vault, description: 'The vault.', ...refersTo('vault', vaults) }),
    kind: t.expose('kind', { type: CapitalChangeKind, description: 'Kind of movement.' }),
    amount: t.expose('amount', {
      type: 'Amount',
      description: 'Assets deposited, withdrawn, advanced, or repaid at face, base units.',
    }),
    claim: t.field({
      type: Claim,
      nullable: true,
      description: 'Claim of a funding or a repayment.',
      ...refersTo('claimId', claims),
    }),
    sliceIndex: t.exposeInt('sliceIndex', {
      nullable: true,
      description: 'Slice of `claim`, from 0; null if `claim` is null.',
    }),
    discountAmount: t.expose('discount', {
      type: 'Amount',
      nullable: true,
      description: 'Discount of the face that is funded or repaid, base units; null if `claim` is null.',
    }),
    idleAssets: t.expose('idleAssets', {
      type: 'Amount',
      description: 'Idle assets after the change, base units.',
    }),
    outstandingFace: t.expose('outstandingFace', {
      type: 'Amount',
      description: 'Outstanding face after the change, base units.',
    }),
    outstandingAdvance: t.expose('outstandingAdvance', {
      type: 'Amount',
      description: 'Outstanding advances after the change, base units.',
    }),
    totalShares: t.expose('totalShares', {
      type: 'Amount',
      extensions: { unit: 'share' },
      description: 'Number of all shares after the change, base units of the share.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Block time of the event.' }),
    blockNumber: t.expose('block', { type: 'SafeInt', description: 'Block number of the event.' }),
    transactionHash: t.expose('tx', { type: 'Hash', description: 'Transaction of the event.' }),
  }),
})

const CapitalChangeFilter = defineFilter(capitalChanges, 'CapitalChangeFilter', 'capital changes', {
  vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
  kind: { column: 'kind', type: CapitalChangeKind, compare: 'key', words: 'The kind' },
  amount: { column: 'amount', type: 'Amount', compare: 'number', words: 'The amount' },
  at: { column: 'at', type: 'DateTime', compare: 'number', words: 'The block time' },
})

export const capitalList = defineListArguments(capitalChanges, 'CapitalChange', {
  noun: 'changes',
  filter: CapitalChangeFilter,
  orders: {
    at: { by: 'id', words: 'Order of the chain: block time, then position in the block.' },
    amount: byAmount('amount', 'Assets moved'),
  },
  defaults: { orderBy: 'id', direction: 'desc' },
})

export const CapitalChangeConnection = builder.connectionObject(
  {
    type: CapitalChange,
    name: 'CapitalChangeConnection',
    description: "A page of a vault's capital history.",
  },
  { name: 'CapitalChangeEdge', description: 'A change and its cursor.' },
)

export const capitalOfVault = listOfEach(capitalChanges, 'vault', capitalList)

builder.queryField('capitalChanges', (t) =>
  t.connection(
    {
      type: CapitalChange,
      description: 'Movements of the capital of all vaults. Default: newest first.',
      args: { ...capitalList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(capitalChanges, capitalList),
    },
    CapitalChangeConnection,
  ),
)
