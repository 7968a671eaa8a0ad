import { sql } from 'kysely'
import type { ListedSource } from '../../../projection/sql/page.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { activities } from '../../../projection/tables/activity.ts'
import { claims } from '../../../projection/tables/claim.ts'
import { executions, sharedByLegs } from '../../../projection/tables/execution.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { reading } from '../../kit/declared-read.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { accountAt, refersTo } from '../../kit/reads.ts'
import { ActivityKind } from '../shared/enums.ts'
import { Account, Activity, Claim, Execution, Vault } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'

/** The claim or the vault of an entry; of an execution, the one that all of its legs share. */
function subjectOf(column: 'claimId' | 'vault', source: ListedSource) {
  const [by = ''] = source.key
  const key = (row: Scope) => {
    const execution = row.column('executionId')
    return sql`case when ${execution} is null then ${row.column(column)} else ${sharedByLegs(execution, column)} end`
  }
  return reading({ kind: 'row', source, by, key })
}

Activity.implement({
  description: 'An event of a wallet; one entry per event and role.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ActivityKind, description: 'Kind of event.' }),
    wallet: t.field({
      type: Account,
      description: 'The wallet of the event.',
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
      description:
        'The claim of the event; null if the event has none or several. `execution` has all of them.',
      ...subjectOf('claimId', claims),
    }),
    execution: t.field({
      type: Execution,
      nullable: true,
      description: 'The execution of the event; null if there is none.',
      ...refersTo('executionId', executions),
    }),
    vault: t.field({
      type: Vault,
      nullable: true,
      description:
        'The vault of the event; null if the event has none or several. `execution` has all of them.',
      ...subjectOf('vault', vaults),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Block time of the event.' }),
    blockNumber: t.expose('block', { type: 'SafeInt', description: 'Block number of the event.' }),
    transactionHash: t.expose('tx', { type: 'Hash', description: 'Transaction of the event.' }),
  }),
})

const ActivityFilter = defineFilter(activities, 'ActivityFilter', 'activity', {
  wallet: { column: 'wallet', type: 'Address', compare: 'key', words: 'The wallet' },
  kind: { column: 'kind', type: ActivityKind, compare: 'key', words: 'The kind' },
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  amount: { column: 'amount', type: 'Amount', compare: 'number', words: 'The amount' },
  at: { column: 'at', type: 'DateTime', compare: 'number', words: 'The block time' },
})

export const activityList = defineListArguments(activities, 'Activity', {
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
      args: { ...activityList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(activities, activityList),
    },
    ActivityConnection,
  ),
)
