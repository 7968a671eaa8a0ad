import { effectiveDiscountBps } from '../../domain/discount.ts'
import { readActivityOfExecutions } from '../../projection/activity.ts'
import { executions, readLegsOfExecutions } from '../../projection/execution.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../connection.ts'
import { batched } from '../context.ts'
import { defineList } from '../define-list.ts'
import { defineFilter } from '../filter.ts'
import { listAll, listOfParent } from '../lists.ts'
import { ExecutionKind } from './enums.ts'
import { Account, Activity, Execution, ExecutionLeg } from './refs.ts'

const activityOfExecution = batched((snapshot, ids) => readActivityOfExecutions(snapshot, ids))
const legsOfExecution = batched((snapshot, ids) => readLegsOfExecutions(snapshot, ids))

Execution.implement({
  description: 'A financing that happened: by a signed route of up to 8 legs, or by a direct call with one.',
  fields: (t) => ({
    executionId: t.field({
      type: 'Hash',
      description: "Identifier: of a route, its EIP-712 digest; of a direct call, the router's own.",
      resolve: (execution) => execution.id,
    }),
    kind: t.expose('kind', { type: ExecutionKind, description: 'How it came about.' }),
    user: t.field({
      type: Account,
      description: 'Whose claims were financed.',
      resolve: (execution) => ({ address: execution.user }),
    }),
    submitter: t.expose('submitter', {
      type: 'Address',
      description: 'Who sent the transaction: the user, or a relayer of a signed route.',
    }),
    token: t.expose('token', { type: 'Address', description: 'The token of claims and advances.' }),
    legCount: t.expose('legCount', { type: 'SafeInt', description: 'Number of legs.' }),
    legs: t.field({
      type: [ExecutionLeg],
      description: 'The legs in their order; at most 8.',
      resolve: (execution, _, { operation }) => legsOfExecution(operation, execution.id, null),
    }),
    activity: t.field({
      type: [Activity],
      description: 'The same as it happened to the user: one entry.',
      resolve: (execution, _, { operation }) => activityOfExecution(operation, execution.id, null),
    }),
    totalFace: t.expose('totalFace', { type: 'Amount', description: 'Face financed by all legs.' }),
    totalAdvance: t.expose('totalAdvance', { type: 'Amount', description: 'Advance of all legs.' }),
    totalCost: t.field({
      type: 'Amount',
      description: 'totalFace less totalAdvance.',
      resolve: (execution) => execution.totalFace - execution.totalAdvance,
    }),
    effectiveDiscountBps: t.int({
      description: 'totalCost over totalFace in basis points, rounded up.',
      resolve: ({ totalFace, totalAdvance }) =>
        Number(effectiveDiscountBps(totalFace - totalAdvance, totalFace)),
    }),
    executedAt: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    blockNumber: t.expose('block', { type: 'SafeInt', description: 'The block it happened in.' }),
    transactionHash: t.expose('tx', { type: 'Hash', description: 'The transaction it happened in.' }),
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
  usual: { orderBy: 'at', direction: 'desc' },
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
      'The execution of this id; null where the projection has none. `transaction(hash)` and `GET /api/v1/executions/:executionId` follow one on its way there.',
    args: { executionId: t.arg({ type: 'Hash', required: true, description: 'Its id.' }) },
    resolve: (_, { executionId }) => executionId,
  }),
  executions: t.connection(
    {
      type: Execution,
      description: 'Executions, newest first unless told otherwise.',
      args: executionList.args,
      complexity: pageCost,
      resolve: (_, args, { operation }) => listAll(operation, executions, args, executionList.read(args)),
    },
    ExecutionConnection,
  ),
}))
