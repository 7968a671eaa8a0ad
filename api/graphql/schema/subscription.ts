import { builder } from '../builder.ts'
import type { GraphqlContext } from '../context.ts'
import { CHAIN_COST } from './chain-cost.ts'
import { resolveExecution } from './execution-state.ts'
import { FinalizedThroughType } from './finalized-through.ts'
import { Account, Claim, Execution } from './refs.ts'

builder.subscriptionType({
  description:
    'Reads as a stream of events (`text/event-stream`): the selected fields at once, and again each time a later finalized block changes them. Each event is read at one finalized block.',
})

const subscribe = (_root: unknown, _args: unknown, { advances }: GraphqlContext) => advances()

builder.subscriptionFields((t) => ({
  finalizedBlock: t.field({
    type: FinalizedThroughType,
    description:
      'The finalized block through which the projection is complete, each time it advances. An advance by several blocks is one event.',
    subscribe,
    resolve: (_event, _args, { operation }) => operation.finalizedThrough(),
  }),
  claim: t.field({
    type: Claim,
    nullable: true,
    description: 'The claim with this id; null until it is registered.',
    args: { claimId: t.arg({ type: 'Hash', required: true, description: 'Id of the claim.' }) },
    subscribe,
    resolve: (_event, { claimId }) => claimId,
  }),
  account: t.field({
    type: Account,
    description: 'The account of an address.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address.' }) },
    subscribe,
    resolve: (_event, { address }) => ({ address }),
  }),
  execution: t.field({
    type: Execution,
    nullable: true,
    description:
      'The execution with this id in any status; null while it is neither prepared here nor executed.',
    args: { executionId: t.arg({ type: 'Hash', required: true, description: 'Id of the execution.' }) },
    subscribe,
    complexity: CHAIN_COST,
    resolve: (_event, { executionId }, context) => resolveExecution(executionId, context),
  }),
}))
