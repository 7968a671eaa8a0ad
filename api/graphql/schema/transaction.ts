import type { MinedTransaction } from '../../chain/transaction.ts'
import type { transactionStatuses } from '../../domain/transaction.ts'
import type { FinalizedThrough } from '../../projection/snapshot.ts'
import { explainFailure, type FollowedTransaction, isFinal, statusOf } from '../../transactions/follow.ts'
import { builder } from '../builder.ts'
import { CHAIN_COST } from './chain-cost.ts'
import { Claim, Execution } from './refs.ts'

const TransactionStatus = builder.enumType('TransactionStatus', {
  description: 'Status of a submitted transaction.',
  values: {
    NOT_FOUND: { description: 'No node knows it. It may appear later.' },
    PENDING: { description: 'Waits to be mined.' },
    MINED: { description: 'In a block that is not final. A reorganization can still revert it.' },
    FINALIZED: { description: 'In a final block that the projection has not reached yet.' },
    PROJECTED: { description: 'Final and visible in all reads.' },
    REVERTED: { description: 'Mined and failed.' },
  } satisfies Record<(typeof transactionStatuses)[number], object>,
})

type Shape = FollowedTransaction & { through: FinalizedThrough }

const Transaction = builder.objectRef<Shape>('Transaction')
const TransactionBlock = builder.objectRef<MinedTransaction['block']>('TransactionBlock')
const Revert = builder.objectRef<NonNullable<MinedTransaction['failure']>>('Revert')

Transaction.implement({
  description: 'A submitted transaction of any kind, read from the chain at its latest block.',
  fields: (t) => ({
    hash: t.expose('hash', { type: 'Hash', description: 'Hash of the transaction.' }),
    status: t.field({
      type: TransactionStatus,
      description: 'Status. Poll until it is `PROJECTED` or `REVERTED`.',
      resolve: (transaction) => statusOf(transaction, transaction.through),
    }),
    final: t.boolean({
      description: 'Whether its block is final and cannot be reverted.',
      resolve: (transaction) => isFinal(transaction, transaction.through),
    }),
    from: t.field({
      type: 'Address',
      nullable: true,
      description: 'Sender; null while no node knows the transaction.',
      resolve: ({ onChain }) => onChain?.from,
    }),
    to: t.field({
      type: 'Address',
      nullable: true,
      description: 'Receiver of the transaction; null where it creates a contract.',
      resolve: ({ onChain }) => onChain?.to,
    }),
    block: t.field({
      type: TransactionBlock,
      nullable: true,
      description: 'Block of the transaction; null until it is mined.',
      resolve: ({ onChain }) => onChain?.mined?.block,
    }),
    revert: t.field({
      type: Revert,
      nullable: true,
      description: 'Error of a failed transaction; null otherwise.',
      resolve: ({ onChain }) => onChain?.mined?.failure,
    }),
    touchesProtocol: t.exposeBoolean('touchesProtocol', {
      nullable: true,
      description:
        "Whether it called the protocol's router or registries or made them emit an event; null until that is known.",
    }),
    executionIds: t.expose('executionIds', {
      type: ['Hash'],
      description: 'Ids of its executions.',
    }),
    executions: t.field({
      type: [Execution],
      nullable: { list: false, items: true },
      description: 'Executions with these ids; each null until the transaction is `PROJECTED`.',
      resolve: ({ executionIds }) => [...executionIds],
    }),
    claimIds: t.expose('claimIds', {
      type: ['Hash'],
      description: 'Ids of the claims that were registered, financed, settled or revoked in it.',
    }),
    claims: t.field({
      type: [Claim],
      nullable: { list: false, items: true },
      description: 'Claims with these ids; each null until it is projected.',
      resolve: ({ claimIds }) => [...claimIds],
    }),
  }),
})

TransactionBlock.implement({
  description: 'Block of a transaction.',
  fields: (t) => ({
    number: t.expose('number', { type: 'SafeInt', description: 'Block number.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Block time.' }),
  }),
})

Revert.implement({
  description: 'Error of a failed transaction.',
  fields: (t) => ({
    errorName: t.string({
      nullable: true,
      description:
        "Name of the contract's custom error; `UnknownError` for an error that is not known, null where no node reports one.",
      resolve: ({ revert }) => revert?.errorName,
    }),
    arguments: t.stringList({
      description: 'Arguments of the error.',
      resolve: ({ revert }) => [...(revert?.args ?? [])],
    }),
    message: t.string({
      description: 'The error in words.',
      resolve: ({ revert }) => explainFailure(revert),
    }),
  }),
})

builder.queryField('transaction', (t) =>
  t.field({
    type: Transaction,
    nullable: true,
    description:
      'Status of a submitted transaction. Null with the error `CHAIN_UNAVAILABLE` while the chain does not answer; the other fields are answered.',
    args: { hash: t.arg({ type: 'Hash', required: true, description: 'Hash of the transaction.' }) },
    complexity: CHAIN_COST,
    resolve: async (_, { hash }, { operation, followTransaction }) => {
      const followed = await operation.beforeSnapshot(() => followTransaction(hash))
      return { ...followed, through: await operation.finalizedThrough() }
    },
  }),
)
