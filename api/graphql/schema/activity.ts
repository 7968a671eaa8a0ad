import { type ActivityRow, activities } from '../../projection/activity.ts'
import { executions, type LegSubject, readSubjectsOfExecutions } from '../../projection/execution.ts'
import { builder } from '../builder.ts'
import { batched, type Operation } from '../context.ts'
import { defineListArguments } from '../define-list-arguments.ts'
import { defineFilter } from '../filter.ts'
import { listOf, listOfEach } from '../list-reads.ts'
import { byAmount } from '../orders.ts'
import { pageCost } from '../pagination.ts'
import { accountAt, refersTo } from '../reads.ts'
import { ActivityKind } from './enums.ts'
import { Account, Activity, Claim, Execution, Vault } from './refs.ts'
import { tokenInfo } from './token-info.ts'

const subjectOfExecution = batched((snapshot, ids) => readSubjectsOfExecutions(snapshot, ids))

const NO_EXECUTION = ''

/**
 * Of an execution, the claim and the vault that all of its legs share. The other entries of a page wait for the same batch, so that
 * the claims and vaults of all of them are one statement.
 */
async function subjectOf(row: ActivityRow, operation: Operation): Promise<LegSubject> {
  const subject = await subjectOfExecution(operation, row.executionId ?? NO_EXECUTION, null)
  return row.executionId ? subject : row
}

Activity.implement({
  description: 'An event of a wallet; one entry per event and role.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ActivityKind, description: 'Kind of event.' }),
    wallet: t.field({
      type: Account,
      description: 'The wallet concerned.',
      ...accountAt('wallet'),
    }),
    tokenInfo: t.field(tokenInfo('The token of the amount.')),
    amount: t.expose('amount', {
      type: 'Amount',
      description: 'Amount in base units of `token`; `kind` defines its meaning.',
    }),
    claim: t.field({
      type: Claim,
      nullable: true,
      description: 'The claim concerned; null where there is none or several, which `execution` has.',
      resolve: async (row, _, { operation }) => (await subjectOf(row, operation)).claimId,
    }),
    execution: t.field({
      type: Execution,
      nullable: true,
      description: 'The execution concerned; null where there is none.',
      ...refersTo('executionId', executions),
    }),
    vault: t.field({
      type: Vault,
      nullable: true,
      description: 'The vault concerned; null where there is none or several, which `execution` has.',
      resolve: async (row, _, { operation }) => (await subjectOf(row, operation)).vault,
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Block time of the event.' }),
    blockNumber: t.expose('block', { type: 'SafeInt', description: 'Block number of the event.' }),
    transactionHash: t.expose('tx', { type: 'Hash', description: 'Transaction of the event.' }),
  }),
})

const ActivityFilter = defineFilter<keyof typeof activities.columns>('ActivityFilter', 'activity', {
  wallet: { column: 'wallet', type: 'Address', compare: 'key', words: 'The wallet' },
  kind: { column: 'kind', type: ActivityKind, compare: 'key', words: 'The kind' },
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  amount: { column: 'amount', type: 'Amount', compare: 'number', words: 'The amount' },
  at: { column: 'at', type: 'DateTime', compare: 'number', words: 'The time' },
})

export const activityList = defineListArguments<typeof activities>('Activity', {
  noun: 'entries',
  filter: ActivityFilter,
  orders: {
    at: { by: 'id', words: 'Order of the chain: block time, then position in the block.' },
    amount: byAmount('amount', 'Amount in base units'),
  },
  defaults: { orderBy: 'id', direction: 'desc' },
})

export const ActivityConnection = builder.connectionObject(
  { type: Activity, name: 'ActivityConnection', description: 'A page of activity.' },
  { name: 'ActivityEdge', description: 'An entry and its cursor.' },
)

export const activityOfWallet = listOfEach(activities, 'wallet', activityList)
export const activityInVault = listOfEach(activities, 'vault', activityList)

builder.queryField('activity', (t) =>
  t.connection(
    {
      type: Activity,
      description: 'Events of all wallets. Default: newest first.',
      args: activityList.args,
      complexity: pageCost,
      ...listOf(activities, activityList),
    },
    ActivityConnection,
  ),
)
