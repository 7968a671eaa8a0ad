import { stored } from '../chain/evidence.ts'
import { event } from '../chain/logs.ts'
import { auditTable, BETWEEN } from '../entity.ts'
import { idOf } from './event-id.ts'

/** All columns are in the event, which is in the transaction of the execution. */
export const executionLeg = auditTable('executionLeg', {
  key: ['executionId', 'legIndex'],
  order: { column: 'at', of: 'time', within: ['ordinal'] },
  implied: (log) =>
    log.eventName === 'LegExecuted' ? [[log.args.executionId, log.args.legIndex].join(BETWEEN)] : [],
  related: async (db, rows) => {
    const ids = ['0x' as const, ...rows.map(({ executionId }) => executionId)]
    const executions = await db
      .selectFrom('execution')
      .select(['id', 'block', 'tx'])
      .where('id', 'in', ids)
      .execute()
    const byId = new Map(executions.map((row) => [row.id, row]))
    return ({ executionId }) => byId.get(executionId)
  },
  prove: async ({ executionId, legIndex }, execution, { find, timestamp }) => {
    const executed = await find(
      event('LegExecuted', ({ args }) => args.executionId === executionId && args.legIndex === legIndex),
      execution?.block ?? -1n,
      execution?.tx,
    )
    if (!executed) return undefined
    const { args, blockNumber } = executed
    return {
      executionId,
      legIndex,
      claimId: args.claimId,
      vault: stored(args.vault),
      sliceIndex: args.sliceIndex,
      faceAmount: args.faceAmount,
      advanceAmount: args.advanceAmount,
      at: await timestamp(blockNumber),
      ordinal: idOf(executed),
    }
  },
})
