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
    NOT_FOUND: { description: 'No node knows it. It may appear later.' },
    PENDING: { description: 'Waits to be mined.' },
    MINED: { description: 'In a block that is not final. A reorganization can still revert it.' },
    FINALIZED: { description: 'In a final block that the projection has not reached yet.' },
    PROJECTED: { description: 'Final and visible in all reads.' },
    REVERTED: { description: 'Mined and failed.' },
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
      description: 'Whether its block is final and cannot be reverted.',
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
      description: 'Receiver of the transaction; null where it creates a contract.',
      ...given(({ onChain }: FollowedTransaction) => onChain?.to),
    }),
    block: t.field({
      type: TransactionBlock,
      nullable: true,
      description: 'Block of the transaction; null until it is mined.',
      ...given(({ onChain }: FollowedTransaction) => onChain?.mined?.block),
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
      ...objectsOf('Execution', ({ executionIds }) => executionIds),
    }),
    claimIds: t.expose('claimIds', {
      type: ['Hash'],
      description: 'Ids of the claims that were registered, financed, settled or revoked in it.',
    }),
    claims: t.field({
      type: [Claim],
      nullable: { list: false, items: true },
      description: 'Claims with these ids; each null until it is projected.',
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
        "Name of the contract's custom error; `UnknownError` for an error that is not known, null where no node reports one.",
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
