import type { MinedTransaction } from '../../chain/transaction.ts'
import type { transactionStatuses } from '../../domain/transaction.ts'
import type { FinalizedThrough } from '../../projection/snapshot.ts'
import { explainFailure, type FollowedTransaction, isFinal, statusOf } from '../../transactions/follow.ts'
import { builder } from '../builder.ts'
import { CHAIN_COST } from './chain-cost.ts'
import { Claim, Execution } from './refs.ts'

const TransactionStatus = builder.enumType('TransactionStatus', {
  description: 'How far a submitted transaction has come.',
  values: {
    NOT_FOUND: { description: 'No node knows it (yet).' },
    PENDING: { description: 'It waits to be mined.' },
    MINED: { description: 'It is in a block that is not final: a reorganisation can still take it back.' },
    FINALIZED: { description: 'Its block is final, but the projection has not reached it yet.' },
    PROJECTED: { description: 'Every read shows it.' },
    REVERTED: { description: 'It was mined, and failed.' },
  } satisfies Record<(typeof transactionStatuses)[number], object>,
})

type Shape = FollowedTransaction & { through: FinalizedThrough }

const Transaction = builder.objectRef<Shape>('Transaction')
const TransactionBlock = builder.objectRef<MinedTransaction['block']>('TransactionBlock')
const Revert = builder.objectRef<NonNullable<MinedTransaction['failure']>>('Revert')

Transaction.implement({
  description:
    'A submitted transaction, by the chain at its latest block; of any kind, also one that has nothing to do with the protocol.',
  fields: (t) => ({
    hash: t.expose('hash', { type: 'Hash', description: 'Its hash.' }),
    status: t.field({
      type: TransactionStatus,
      description: 'How far it has come. Ask again until it is PROJECTED or REVERTED.',
      resolve: (transaction) => statusOf(transaction, transaction.through),
    }),
    final: t.boolean({
      description: 'Whether its block is final: nothing takes it back then.',
      resolve: (transaction) => isFinal(transaction, transaction.through),
    }),
    from: t.field({
      type: 'Address',
      nullable: true,
      description: 'Who sent it; null while nobody knows it.',
      resolve: ({ onChain }) => onChain?.from,
    }),
    to: t.field({
      type: 'Address',
      nullable: true,
      description: 'The contract it calls; null where it creates one.',
      resolve: ({ onChain }) => onChain?.to,
    }),
    block: t.field({
      type: TransactionBlock,
      nullable: true,
      description: 'The block it is in; null until it is mined.',
      resolve: ({ onChain }) => onChain?.mined?.block,
    }),
    revert: t.field({
      type: Revert,
      nullable: true,
      description: 'Why it failed; null unless it did.',
      resolve: ({ onChain }) => onChain?.mined?.failure,
    }),
    touchesProtocol: t.exposeBoolean('touchesProtocol', {
      nullable: true,
      description:
        "Whether it called the protocol's router or registries or made them emit an event; null until that is known.",
    }),
    executionIds: t.expose('executionIds', {
      type: ['Hash'],
      description: 'Ids of the executions that happened in it.',
    }),
    executions: t.field({
      type: [Execution],
      nullable: { list: false, items: true },
      description: 'The same executions; each null until the transaction is PROJECTED.',
      resolve: ({ executionIds }) => [...executionIds],
    }),
    claimIds: t.expose('claimIds', {
      type: ['Hash'],
      description: 'Ids of the claims that were registered, financed, settled or revoked in it.',
    }),
    claims: t.field({
      type: [Claim],
      nullable: { list: false, items: true },
      description: 'The same claims; each null while the projection has none of this id.',
      resolve: ({ claimIds }) => [...claimIds],
    }),
  }),
})

TransactionBlock.implement({
  description: 'The block that a transaction is in.',
  fields: (t) => ({
    number: t.expose('number', { type: 'SafeInt', description: 'Its number.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Its time.' }),
  }),
})

Revert.implement({
  description: 'Why a transaction failed.',
  fields: (t) => ({
    errorName: t.string({
      nullable: true,
      description:
        "Name of the contract's custom error; `UnknownError` for an error that is not known, null where no node reports one.",
      resolve: ({ revert }) => revert?.errorName,
    }),
    arguments: t.stringList({
      description: "The error's arguments.",
      resolve: ({ revert }) => [...(revert?.args ?? [])],
    }),
    message: t.string({ description: 'In plain words.', resolve: ({ revert }) => explainFailure(revert) }),
  }),
})

builder.queryField('transaction', (t) =>
  t.field({
    type: Transaction,
    nullable: true,
    description:
      'What became of a submitted transaction. Null, with the error `CHAIN_UNAVAILABLE`, while the chain does not answer; the rest of the operation is answered.',
    args: { hash: t.arg({ type: 'Hash', required: true, description: 'Its hash.' }) },
    complexity: CHAIN_COST,
    resolve: async (_, { hash }, { operation, followTransaction }) => {
      const followed = await operation.beforeSnapshot(() => followTransaction(hash))
      return { ...followed, through: await operation.finalizedThrough() }
    },
  }),
)
