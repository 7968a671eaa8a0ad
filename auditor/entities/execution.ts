import { executionKinds } from '../../indexer/codes.ts'
import { stored } from '../chain/evidence.ts'
import { event } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'
import { idOf } from './event-id.ts'

/** All columns are in the event. The router counts the routes of a wallet, the registry the slices of a claim. */
export const execution = auditTable('execution', {
  key: ['id'],
  order: { column: 'at', of: 'time', within: ['ordinal'] },
  implied: (log) => ('executionId' in log.args ? [log.args.executionId] : []),
  related: async (db, rows) => {
    const ids = ['0x' as const, ...rows.map(({ id }) => id)]
    const legs = await db
      .selectFrom('executionLeg')
      .select('executionId')
      .where('executionId', 'in', ids)
      .execute()
    const activities = await db
      .selectFrom('activity')
      .select('executionId')
      .where('executionId', 'in', ids)
      .execute()
    const legsOf = Map.groupBy(legs, ({ executionId }) => executionId)
    const activitiesOf = Map.groupBy(activities, ({ executionId }) => executionId)
    return ({ id }) => ({
      legs: legsOf.get(id)?.length ?? 0,
      activities: activitiesOf.get(id)?.length ?? 0,
    })
  },
  prove: async ({ id, block, tx }, _, { find, timestamp }) => {
    const executed = await find(
      event('Executed', ({ args }) => args.executionId === id),
      block,
      tx,
    )
    if (!executed) return undefined
    const { args, blockNumber, transactionHash } = executed
    return {
      id,
      user: stored(args.user),
      token: stored(args.token),
      kind: executionKinds[args.kind],
      submitter: stored(args.submitter),
      legCount: args.legCount,
      totalFace: args.totalFace,
      totalAdvance: args.totalAdvance,
      block: blockNumber,
      at: await timestamp(blockNumber),
      tx: transactionHash,
      ordinal: idOf(executed),
    }
  },
  count: async ({ legCount }, { legs, activities }) => [
    { field: 'count(executionLeg)', projected: legs, onChain: legCount },
    { field: 'count(activity)', projected: activities, onChain: 1 },
  ],
})
