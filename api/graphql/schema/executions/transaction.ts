import type { Hex } from 'viem'
import type { MinedTransaction } from '../../../chain/transaction.ts'
import type { transactionStatuses } from '../../../domain/transaction.ts'
import { explainFailure, type FollowedTransaction, isFinal, statusOf } from '../../../transactions/follow.ts'
import { builder } from '../../kit/builder.ts'
import { given, reading } from '../../kit/declared-read.ts'
import { Claim, Execution } from '../shared/refs.ts'
import { CHAIN_COST } from './chain-cost.ts'

const TransactionStatus = builder.enumType('TransactionStatus', {
  description: 'Status of a submitted transaction.',
  values: {
    NOT_FOUND: { description: 'No node has the transaction. It may appear later.' },
    PENDING: { description: 'The transaction waits to be mined.' },
    MINED: { description: 'The block is not final. A reorganization can still revert the transaction.' },
    FINALIZED: { description: 'The block is final, and the projection has not reached it.' },
    PROJECTED: { description: 'The block is final, and all reads show it.' },
    REVERTED: { description: 'The transaction was mined and failed.' },
  } satisfies Record<(typeof transactionStatuses)[number], object>,
})

const Transaction = builder.objectRef<FollowedTransaction>('Transaction')
const TransactionBlock = builder.objectRef<MinedTransaction['block']>('TransactionBlock')
const Revert = builder.objectRef<Failure>('Revert')

type Failure = NonNullable<MinedTransaction['failure']>

/** The objects with the ids that a transaction has. */
function objectsOf(typename: string, idsOf: (transaction: FollowedTransaction) => readonly Hex[]) {
  return reading({
    kind: 'objects',
    ids: (_, transaction: FollowedTransaction) => idsOf(transaction).map((id) => ({ typename, id })),
  })
}

Transaction.implement({
  description: 'A submitted transaction of any kind, read from the chain at its latest block.',
  fields: (t) => ({
    hash: t.expose('hash', { type: 'Hash', description: 'Hash of the transaction.' }),
    status: t.field({
      type: TransactionStatus,
      description: 'Status. Poll until it is `PROJECTED` or `REVERTED`.',
      ...given(statusOf),
    }),
    final: t.boolean({
      description: 'Whether the block of the transaction is final, so that no reorganization can revert it.',
      ...given(isFinal),
    }),
    from: t.field({
      type: 'Address',
      nullable: true,
      description: 'Sender; null while no node knows the transaction.',
      ...given(({ onChain }: FollowedTransaction) => onChain?.from),
    }),
    to: t.field({
      type: 'Address',
      nullable: true,
      description: 'Receiver of the transaction; null if it creates a contract.',
      ...given(({ onChain }: FollowedTransaction) => onChain?.to),
    }),
    block: t.field({
      type: TransactionBlock,
      nullable: true,
      description: 'Block of the transaction; null until it is mined.',
      ...given(({ onChain }: FollowedTransaction) => onChain?.mined?.block),
    }),
    expectedFinalAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time at which the block should be final, by `_meta.finalitySeconds`. Null until it is mined, and once it is final.',
      ...given((followed: FollowedTransaction, through) =>
        isFinal(followed, through) ? undefined : followed.expectedFinalAt,
      ),
    }),
    revert: t.field({
      type: Revert,
      nullable: true,
      description: 'Error of a failed transaction; null otherwise.',
      ...given(({ onChain }: FollowedTransaction) => onChain?.mined?.failure),
    }),
    touchesProtocol: t.exposeBoolean('touchesProtocol', {
      nullable: true,
      description:
        'Whether the transaction called the router or a registry, or made one emit an event. Null while that is unknown, as for many pending or failed transactions.',
    }),
    executionIds: t.expose('executionIds', {
      type: ['Hash'],
      description: 'Ids of the executions of the transaction.',
    }),
    executions: t.field({
      type: [Execution],
      nullable: { list: false, items: true },
      description:
        'The executions of `executionIds`, in that order. Entries are null until the transaction is `PROJECTED`.',
      ...objectsOf('Execution', ({ executionIds }) => executionIds),
    }),
    claimIds: t.expose('claimIds', {
      type: ['Hash'],
      description: 'Ids of the claims that the transaction registered, financed, settled or revoked.',
    }),
    claims: t.field({
      type: [Claim],
      nullable: { list: false, items: true },
      description: 'The claims of `claimIds`, in that order. An entry is null until its claim is projected.',
      ...objectsOf('Claim', ({ claimIds }) => claimIds),
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
        "Name of the contract's custom error; `UnknownError` for an error that is not known, null if no node reports one.",
      ...given(({ revert }: Failure) => revert?.errorName),
    }),
    arguments: t.stringList({
      description: 'Arguments of the error.',
      ...given(({ revert }: Failure) => [...(revert?.args ?? [])]),
    }),
    message: t.string({
      description: 'The error in words.',
      ...given(({ revert }: Failure) => explainFailure(revert)),
    }),
  }),
})

builder.queryField('transaction', (t) =>
  t.field({
    type: Transaction,
    nullable: true,
    description:
      'Status of a submitted transaction. While the chain does not answer, the operation fails with `CHAIN_UNAVAILABLE`.',
    args: { hash: t.arg({ type: 'Hash', required: true, description: 'Hash of the transaction.' }) },
    complexity: CHAIN_COST,
    ...reading<{ hash: Hex }>({
      kind: 'asked',
      ask: ({ hash }, { followTransaction }) => followTransaction(hash),
    }),
  }),
)
