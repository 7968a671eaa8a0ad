import { effectiveDiscountBps } from '../../domain/discount.ts'
import { readActivityOfExecutions } from '../../projection/activity.ts'
import { executions, readLegsOfExecutions } from '../../projection/execution.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../connection.ts'
import { batched } from '../context.ts'
import { defineList } from '../define-list.ts'
import { defineFilter } from '../filter.ts'
import { listAll, listOfParent } from '../lists.ts'
import { CHAIN_COST } from './chain-cost.ts'
import { ExecutionKind, ExecutionStatus } from './enums.ts'
import { legsElsewhere, notOnChain, onChain, resolveExecution, statusOfExecution } from './execution-state.ts'
import { Account, Activity, Execution, ExecutionLeg } from './refs.ts'

const activityOfExecution = batched((snapshot, ids) => readActivityOfExecutions(snapshot, ids))
const legsOfExecution = batched((snapshot, ids) => readLegsOfExecutions(snapshot, ids))

Execution.implement({
  description:
    'A financing by a signed route of up to 8 legs, or by a direct call with one. Lists and relations hold executions that happened and are `EXECUTED`; `execution(executionId)` also knows those on their way there, whose facts of the chain are null until they are `MINED`.',
  fields: (t) => ({
    executionId: t.field({
      type: 'Hash',
      description: "Identifier: of a route, its EIP-712 digest; of a direct call, the router's own.",
      resolve: (execution) => execution.id,
    }),
    status: t.field({
      type: ExecutionStatus,
      description: 'What is known of it.',
      extensions: { isColumn: false },
      resolve: statusOfExecution,
    }),
    preparedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was prepared here; null once it is on chain.',
      extensions: { isColumn: false },
      resolve: notOnChain(({ preparedAt }) => preparedAt),
    }),
    deadline: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The last second in which the router accepts it; null once it is on chain.',
      extensions: { isColumn: false },
      resolve: notOnChain(({ deadline }) => deadline),
    }),
    kind: t.expose('kind', { type: ExecutionKind, description: 'How it came about.' }),
    user: t.field({
      type: Account,
      description: 'Whose claims were financed.',
      resolve: (execution) => ({ address: execution.user }),
    }),
    submitter: t.field({
      type: 'Address',
      nullable: true,
      description: 'Who sent the transaction: the user, or a relayer of a signed route.',
      resolve: onChain(({ submitter }) => submitter),
    }),
    token: t.field({
      type: 'Address',
      nullable: true,
      description: 'The token of claims and advances.',
      resolve: onChain(({ token }) => token),
    }),
    legCount: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Number of legs.',
      resolve: onChain(({ legCount }) => legCount),
    }),
    legs: t.field({
      type: [ExecutionLeg],
      description: 'The legs in their order; at most 8. None until it is on chain.',
      resolve: async (execution, _, { operation }) =>
        (await legsElsewhere(execution, operation)) ?? legsOfExecution(operation, execution.id, null),
    }),
    activity: t.field({
      type: [Activity],
      description: 'The same as it happened to the user: one entry, once it is `EXECUTED`.',
      resolve: (execution, _, { operation }) => activityOfExecution(operation, execution.id, null),
    }),
    totalFace: t.field({
      type: 'Amount',
      nullable: true,
      description: 'Face financed by all legs.',
      resolve: onChain(({ totalFace }) => totalFace),
    }),
    totalAdvance: t.field({
      type: 'Amount',
      nullable: true,
      description: 'Advance of all legs.',
      resolve: onChain(({ totalAdvance }) => totalAdvance),
    }),
    totalCost: t.field({
      type: 'Amount',
      nullable: true,
      description: 'totalFace less totalAdvance.',
      resolve: onChain(({ totalFace, totalAdvance }) => totalFace - totalAdvance),
    }),
    effectiveDiscountBps: t.int({
      nullable: true,
      description: 'totalCost over totalFace in basis points, rounded up.',
      resolve: onChain(({ totalFace, totalAdvance }) =>
        Number(effectiveDiscountBps(totalFace - totalAdvance, totalFace)),
      ),
    }),
    executedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it happened.',
      resolve: onChain(({ at }) => at),
    }),
    blockNumber: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'The block it happened in.',
      resolve: onChain(({ block }) => block),
    }),
    transactionHash: t.field({
      type: 'Hash',
      nullable: true,
      description: 'The transaction it happened in.',
      resolve: onChain(({ tx }) => tx),
    }),
  }),
})

export const ExecutionFilter = defineFilter<keyof typeof executions.columns>(
  'ExecutionFilter',
  'executions',
  {
    executionId: { column: 'id', type: 'Hash', compare: 'key', words: 'The execution id' },
    user: { column: 'user', type: 'Address', compare: 'key', words: 'The user' },
    submitter: { column: 'submitter', type: 'Address', compare: 'key', words: 'The submitter' },
    token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
    kind: { column: 'kind', type: ExecutionKind, compare: 'key', words: 'The kind' },
    legCount: { column: 'legCount', type: 'SafeInt', compare: 'number', words: 'The number of legs' },
    totalFace: { column: 'totalFace', type: 'Amount', compare: 'number', words: 'The total face' },
    totalAdvance: { column: 'totalAdvance', type: 'Amount', compare: 'number', words: 'The total advance' },
    executedAt: { column: 'at', type: 'DateTime', compare: 'number', words: 'The time' },
    blockNumber: { column: 'block', type: 'SafeInt', compare: 'number', words: 'The block' },
    transactionHash: { column: 'tx', type: 'Hash', compare: 'key', words: 'The transaction' },
  },
)

export const executionList = defineList<typeof executions>('Execution', {
  noun: 'executions',
  filter: ExecutionFilter,
  orders: {
    executedAt: { by: 'at', words: 'Time.' },
    totalFace: { by: 'totalFace', words: 'Face financed by all legs; meant for one token at a time.' },
  },
  defaults: { orderBy: 'at', direction: 'desc' },
})

export const ExecutionConnection = builder.connectionObject(
  { type: Execution, name: 'ExecutionConnection', description: 'A page of executions.' },
  { name: 'ExecutionEdge', description: 'An execution and where it stands in the list.' },
)

export const executionsOfUser = listOfParent(executions, 'user')

builder.queryFields((t) => ({
  execution: t.field({
    type: Execution,
    nullable: true,
    description:
      'The execution of this id, by its status; null where nobody prepared it here and none is on chain. What the projection does not have is looked for at the latest block: null, with the error `CHAIN_UNAVAILABLE`, while the chain does not answer. To read many that happened, use `executions` or `nodes`.',
    args: { executionId: t.arg({ type: 'Hash', required: true, description: 'Its id.' }) },
    complexity: CHAIN_COST,
    resolve: (_, { executionId }, context) => resolveExecution(executionId, context),
  }),
  executions: t.connection(
    {
      type: Execution,
      description: 'Executions. Default: newest first.',
      args: executionList.args,
      complexity: pageCost,
      resolve: (_, args, { operation }) => listAll(operation, executions, args, executionList.read(args)),
    },
    ExecutionConnection,
  ),
}))
