import { divide } from '../../api/domain/paid-shares.ts'
import type { ProjectionDb } from '../../api/projection/session/database.ts'
import type { ProjectionTables } from '../../api/projection/sql/source.ts'
import { stored } from '../chain/evidence.ts'
import { event } from '../chain/logs.ts'
import { auditTable, BETWEEN } from '../entity.ts'
import { idOf } from './event-id.ts'

type Allocation = ProjectionTables['allocation']

/**
 * Vault and amounts are in the registry's state, as are the columns of the claim. Execution and position are in the
 * event. The paid face of a slice follows from that of its claim; the vault has received all of it that the router does
 * not hold. The last repayment is in a block with such an event.
 */
export const allocation = auditTable('allocation', {
  key: ['claimId', 'sliceIndex'],
  order: { column: 'fundedAt', of: 'time', within: ['ordinal'] },
  implied: (log) =>
    log.eventName === 'AllocationRegistered' ? [[log.args.claimId, log.args.sliceIndex].join(BETWEEN)] : [],
  touched: (log) => {
    if (log.eventName === 'ClaimPaid' || log.eventName === 'ClaimStateChanged') return [log.args.claimId]
    return log.eventName === 'Repaid' || log.eventName === 'RepaymentHeld'
      ? [[log.args.claimId, log.args.sliceIndex].join(BETWEEN)]
      : []
  },
  related: readRelated,
  prove: async (row, { executionTx }, { state, find, timestamp }) => {
    const [claim, slices] = await Promise.all([state.claim(row.claimId), state.allocations(row.claimId)])
    const held = slices?.[row.sliceIndex]
    if (!claim || !held) return undefined
    const paidFace = divide(slices, claim).shares[row.sliceIndex]
    const heldFace = await state.heldFace(row)
    const repaidFace = paidFace === undefined || heldFace === undefined ? undefined : paidFace - heldFace
    const isRepaid = repaidFace === held.faceAmount
    const ofSlice = ({ args }: { args: { claimId: string; sliceIndex: number } }) =>
      args.claimId === row.claimId && args.sliceIndex === row.sliceIndex
    const repaid = isRepaid ? await find(event('Repaid', ofSlice), row.repaidBlock ?? -1n) : undefined
    const registered = await find(event('AllocationRegistered', ofSlice), row.fundedBlock, executionTx)
    const block = registered?.blockNumber
    return {
      claimId: row.claimId,
      sliceIndex: row.sliceIndex,
      vault: stored(held.vault),
      executionId: registered?.args.executionId,
      token: stored(claim.token),
      issuer: stored(claim.issuer),
      claimType: claim.claimType,
      dueAt: claim.dueDate,
      settled: paidFace === held.faceAmount,
      faceAmount: held.faceAmount,
      advanceAmount: held.advanceAmount,
      paidFace,
      repaidFace,
      fundedBlock: block,
      fundedAt: block && (await timestamp(block)),
      ordinal: registered && idOf(registered),
      repaidBlock: isRepaid ? repaid?.blockNumber : null,
      repaidAt: isRepaid ? repaid && (await timestamp(repaid.blockNumber)) : null,
    }
  },
  count: async (_, { legs }) => [{ field: 'count(executionLeg)', projected: legs, onChain: 1 }],
})

async function readRelated(db: ProjectionDb, rows: readonly Allocation[]) {
  const claimIds = ['0x' as const, ...rows.map(({ claimId }) => claimId)]
  const executionIds = ['0x' as const, ...rows.map(({ executionId }) => executionId)]
  const executions = await db
    .selectFrom('execution')
    .select(['id', 'tx'])
    .where('id', 'in', executionIds)
    .execute()
  const legs = await db
    .selectFrom('executionLeg')
    .select(['claimId', 'sliceIndex'])
    .where('claimId', 'in', claimIds)
    .execute()
  const txOf = new Map(executions.map(({ id, tx }) => [id, tx]))
  const legsOf = Map.groupBy(legs, ({ claimId, sliceIndex }) => claimId + sliceIndex)
  return ({ claimId, sliceIndex, executionId }: Allocation) => ({
    executionTx: txOf.get(executionId),
    legs: legsOf.get(claimId + sliceIndex)?.length ?? 0,
  })
}
