import { blockScope } from '../../../projection/sql/scope.ts'
import { claims } from '../../../projection/tables/claim.ts'
import { builder } from '../../kit/builder.ts'
import { notResolved, reading } from '../../kit/declared-read.ts'
import { accountOfArgument, rowAt } from '../../kit/reads.ts'
import { CHAIN_COST } from '../executions/chain-cost.ts'
import { executionAt } from '../executions/execution-state.ts'
import { Account, Claim, Execution } from '../shared/refs.ts'
import { FinalizedThroughType } from './finalized-through.ts'

builder.subscriptionType({
  description:
    'Reads as a stream of events (`text/event-stream`): the first event has the selected fields, and further events follow when a later finalized block changes them. Each event is read at one finalized block.',
})

builder.subscriptionFields((t) => ({
  finalizedBlock: t.field({
    type: FinalizedThroughType,
    description:
      'The finalized block through which the projection is complete, each time it advances. An advance by several blocks is one event.',
    subscribe: notResolved,
    ...reading({ kind: 'part', scopeOf: () => blockScope }),
  }),
  claim: t.field({
    type: Claim,
    nullable: true,
    description: 'The claim with this id; null until it is registered.',
    args: { claimId: t.arg({ type: 'Hash', required: true, description: 'Id of the claim.' }) },
    subscribe: notResolved,
    ...rowAt(claims, 'claimId'),
  }),
  account: t.field({
    type: Account,
    description: 'The account of an address.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address.' }) },
    subscribe: notResolved,
    ...accountOfArgument,
  }),
  execution: t.field({
    type: Execution,
    nullable: true,
    description:
      'The execution with this id: in any status if it was prepared for the signed-in wallet, otherwise once it is on chain; null until then.',
    args: { executionId: t.arg({ type: 'Hash', required: true, description: 'Id of the execution.' }) },
    subscribe: notResolved,
    complexity: CHAIN_COST,
    ...executionAt,
  }),
}))
