import { activityOfExecution } from '../../../projection/tables/activity.ts'
import { executions, legsOfExecution } from '../../../projection/tables/execution.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { accountAt, difference, discountOf, readsColumn, rowsOf } from '../../kit/reads.ts'
import { ExecutionKind, ExecutionStatus } from '../shared/enums.ts'
import { Account, Activity, Execution, ExecutionLeg, Token } from '../shared/refs.ts'
import { TOKEN_READ } from '../shared/token-info.ts'
import { CHAIN_COST } from './chain-cost.ts'
import { deadline, executionAt, preparedAt, statusOfExecution } from './execution-state.ts'

/** No column of an export, since it is the same in all rows of a list. */
function notInLists<X extends object>({ resolve, extensions }: { resolve: () => never; extensions: X }) {
  return { resolve, extensions: { ...extensions, isColumn: false } }
}

Execution.implement({
  description:
    'A financing by a signed route of up to 8 legs, or by a direct call with one leg. Lists and relations hold `EXECUTED` executions only. `execution(executionId)` also finds a mined execution, and one that the signed-in wallet prepared; the fields of the chain are null until the status is `MINED`.',
  fields: (t) => ({
    executionId: t.expose('id', {
      type: 'Hash',
      description:
        'Identifier: the EIP-712 digest of a route, or the id that the router gives a direct call.',
    }),
    status: t.field({
      type: ExecutionStatus,
      description: 'Status of the execution.',
      ...notInLists(statusOfExecution),
    }),
    preparedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the preparation; null once the execution is on chain.',
      ...notInLists(preparedAt),
    }),
    deadline: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Deadline, inclusive: the last second in which the router accepts the execution; null once it is on chain.',
      ...notInLists(deadline),
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
      ...readsColumn('submitter'),
    }),
    tokenInfo: t.field({
      type: Token,
      nullable: true,
      description: 'The token of claims and advances.',
      ...TOKEN_READ,
    }),
    legCount: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Number of legs.',
      ...readsColumn('legCount'),
    }),
    legs: t.field({
      type: [ExecutionLeg],
      description: 'Legs in the order of the route, at most 8; empty until the execution is on chain.',
      ...rowsOf(legsOfExecution, 'id'),
    }),
    activity: t.field({
      type: [Activity],
      description: 'The event of the user: one entry, once the execution is `EXECUTED`.',
      ...rowsOf(activityOfExecution, 'id'),
    }),
    totalFace: t.field({
      type: 'Amount',
      nullable: true,
      description: 'Sum of the face of all legs, base units.',
      ...readsColumn('totalFace'),
    }),
    totalAdvance: t.field({
      type: 'Amount',
      nullable: true,
      description: 'Sum of the advances of all legs, base units.',
      ...readsColumn('totalAdvance'),
    }),
    totalCost: t.field({
      type: 'Amount',
      nullable: true,
      description: '`totalFace` less `totalAdvance`, base units.',
      ...difference('totalFace', 'totalAdvance'),
    }),
    effectiveDiscountBps: t.int({
      nullable: true,
      description: '`totalCost` over `totalFace`, basis points, rounded up.',
      ...discountOf('totalFace', 'totalAdvance'),
    }),
    executedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Block time of the event.',
      ...readsColumn('at'),
    }),
    blockNumber: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Block number of the event.',
      ...readsColumn('block'),
    }),
    transactionHash: t.field({
      type: 'Hash',
      nullable: true,
      description: 'Transaction of the event.',
      ...readsColumn('tx'),
    }),
  }),
})

export const ExecutionFilter = defineFilter(executions, 'ExecutionFilter', 'executions', {
  executionId: { column: 'id', type: 'Hash', compare: 'key', words: 'The execution id' },
  user: { column: 'user', type: 'Address', compare: 'key', words: 'The user' },
  submitter: { column: 'submitter', type: 'Address', compare: 'key', words: 'The submitter' },
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  kind: { column: 'kind', type: ExecutionKind, compare: 'key', words: 'The kind' },
  legCount: { column: 'legCount', type: 'SafeInt', compare: 'number', words: 'The number of legs' },
  totalFace: { column: 'totalFace', type: 'Amount', compare: 'number', words: 'The total face' },
  totalAdvance: { column: 'totalAdvance', type: 'Amount', compare: 'number', words: 'The total advance' },
  executedAt: { column: 'at', type: 'DateTime', compare: 'number', words: 'The block time' },
  blockNumber: { column: 'block', type: 'SafeInt', compare: 'number', words: 'The block number' },
  transactionHash: { column: 'tx', type: 'Hash', compare: 'key', words: 'The transaction hash' },
})

export const executionList = defineListArguments(executions, 'Execution', {
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
      'The execution with this id: in any status if the signed-in wallet prepared it, otherwise once it is on the chain; null if there is none. An execution that is not projected is read at the latest block: the operation fails with `CHAIN_UNAVAILABLE` while the chain does not answer. Use `executions` or `nodes` to read several executions in status `EXECUTED`.',
    args: { executionId: t.arg({ type: 'Hash', required: true, description: 'Id of the execution.' }) },
    complexity: CHAIN_COST,
    ...executionAt,
  }),
  executions: t.connection(
    {
      type: Execution,
      description: 'Executions. Default: newest first.',
      args: { ...executionList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(executions, executionList),
    },
    ExecutionConnection,
  ),
}))
