import { sql } from 'kysely'
import type { ExecutionStatus as ExecutionStatusName } from '../../domain/execution.ts'
import { activityOfExecution } from '../../projection/activity.ts'
import { executions, legsOfExecution } from '../../projection/execution.ts'
import { builder } from '../builder.ts'
import { defineListArguments } from '../define-list-arguments.ts'
import { defineFilter } from '../filter.ts'
import { listOf, listOfEach } from '../list-reads.ts'
import { byAmount } from '../orders.ts'
import { pageCost } from '../pagination.ts'
import { accountAt, computed, difference, discountOf, rowsOf } from '../reads.ts'
import { CHAIN_COST } from './chain-cost.ts'
import { ExecutionKind, ExecutionStatus } from './enums.ts'
import {
  type ExecutionShape,
  legsElsewhere,
  notOnChain,
  onChain,
  onChainColumn,
  onChainRead,
  resolveExecution,
  statusOfExecution,
} from './execution-state.ts'
import { Account, Activity, Execution, ExecutionLeg, Token } from './refs.ts'
import { TOKEN_READ } from './token-info.ts'

/** Of an execution that the projection has, as lists and relations hold them. */
const LISTED_STATUS: ExecutionStatusName = 'EXECUTED'
const NOT_LISTED = () => sql.lit(null)
/** No column of an export, since it is the same in all rows of a list. */
const notInLists = <X extends object, V>(declared: {
  resolve: (row: ExecutionShape) => V
  extensions: X
}) => ({
  resolve: declared.resolve,
  extensions: { ...declared.extensions, isColumn: false },
})
const listedLegs = rowsOf(legsOfExecution, 'id')

Execution.implement({
  description:
    'A financing by a signed route of up to 8 legs, or by a direct call with one leg. Lists and relations hold `EXECUTED` executions only. `execution(executionId)` also finds prepared and mined ones; the fields of the chain are null until they are `MINED`.',
  fields: (t) => ({
    executionId: t.expose('id', {
      type: 'Hash',
      description:
        'Identifier: the EIP-712 digest of a route, or the id that the router gives a direct call.',
    }),
    status: t.field({
      type: ExecutionStatus,
      description: 'Status of the execution.',
      ...notInLists(computed(statusOfExecution, () => sql.lit(LISTED_STATUS))),
    }),
    preparedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the gateway prepared it; null once it is on chain.',
      ...notInLists(
        computed(
          notOnChain(({ preparedAt }) => preparedAt),
          NOT_LISTED,
        ),
      ),
    }),
    deadline: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Deadline, inclusive: the last second in which the router accepts it; null once it is on chain.',
      ...notInLists(
        computed(
          notOnChain(({ deadline }) => deadline),
          NOT_LISTED,
        ),
      ),
    }),
    kind: t.expose('kind', { type: ExecutionKind, description: 'Kind of execution.' }),
    user: t.field({
      type: Account,
      description: 'Owner of the financed claims.',
      ...accountAt('user'),
    }),
    submitter: t.field({
      type: 'Address',
      nullable: true,
      description: 'Sender of the transaction: the user, or a relayer of a signed route.',
      ...onChainColumn('submitter'),
    }),
    tokenInfo: t.field({
      type: Token,
      nullable: true,
      description: 'The token of claims and advances.',
      ...TOKEN_READ,
      resolve: onChain(({ token }) => token),
    }),
    legCount: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Number of legs.',
      ...onChainColumn('legCount'),
    }),
    legs: t.field({
      type: [ExecutionLeg],
      description: 'Legs in the order of the route, at most 8; empty until it is on chain.',
      ...listedLegs,
      resolve: async (execution, args, context) =>
        (await legsElsewhere(execution, context.operation)) ?? listedLegs.resolve(execution, args, context),
    }),
    activity: t.field({
      type: [Activity],
      description: 'The event of the user: one entry, once it is `EXECUTED`.',
      ...rowsOf(activityOfExecution, 'id'),
    }),
    totalFace: t.field({
      type: 'Amount',
      nullable: true,
      description: 'Sum of the face of all legs, base units.',
      ...onChainColumn('totalFace'),
    }),
    totalAdvance: t.field({
      type: 'Amount',
      nullable: true,
      description: 'Sum of the advances of all legs, base units.',
      ...onChainColumn('totalAdvance'),
    }),
    totalCost: t.field({
      type: 'Amount',
      nullable: true,
      description: 'totalFace less totalAdvance, base units.',
      ...onChainRead(difference('totalFace', 'totalAdvance')),
    }),
    effectiveDiscountBps: t.int({
      nullable: true,
      description: 'totalCost over totalFace, basis points, rounded up.',
      ...onChainRead(discountOf('totalFace', 'totalAdvance')),
    }),
    executedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Block time of the event.',
      ...onChainColumn('at'),
    }),
    blockNumber: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Block number of the event.',
      ...onChainColumn('block'),
    }),
    transactionHash: t.field({
      type: 'Hash',
      nullable: true,
      description: 'Transaction of the event.',
      ...onChainColumn('tx'),
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

export const executionList = defineListArguments<typeof executions>('Execution', {
  noun: 'executions',
  filter: ExecutionFilter,
  orders: {
    executedAt: { by: 'at', words: 'Time of execution.' },
    totalFace: byAmount('totalFace', 'Face financed by all legs'),
  },
  defaults: { orderBy: 'at', direction: 'desc' },
})

export const ExecutionConnection = builder.connectionObject(
  { type: Execution, name: 'ExecutionConnection', description: 'A page of executions.' },
  { name: 'ExecutionEdge', description: 'An execution and its cursor.' },
)

export const executionsOfUser = listOfEach(executions, 'user', executionList)

builder.queryFields((t) => ({
  execution: t.field({
    type: Execution,
    nullable: true,
    description:
      'The execution with this id in any status; null where it was neither prepared here nor executed. An execution that is not projected is read at the latest block: null with the error `CHAIN_UNAVAILABLE` while the chain does not answer. Use `executions` or `nodes` to read several executed ones.',
    args: { executionId: t.arg({ type: 'Hash', required: true, description: 'Id of the execution.' }) },
    complexity: CHAIN_COST,
    resolve: (_, { executionId }, context) => resolveExecution(executionId, context),
  }),
  executions: t.connection(
    {
      type: Execution,
      description: 'Executions. Default: newest first.',
      args: executionList.args,
      complexity: pageCost,
      ...listOf(executions, executionList),
    },
    ExecutionConnection,
  ),
}))
