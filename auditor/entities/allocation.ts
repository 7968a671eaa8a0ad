import type { ProjectionDb, ProjectionTables } from '../../api/projection/database.ts'
import { claimStates } from '../../indexer/codes.ts'
import { stored } from '../chain/evidence.ts'
import { event } from '../chain/logs.ts'
import { auditTable, BETWEEN } from '../entity.ts'

type Allocation = ProjectionTables['allocation']

/**
 * Vault and amounts are in the registry's state, as are the columns of the claim. Execution and position are in the event.
 * A slice is repaid when its claim is settled or revoked, which the claim's state shows, at the time of the settlement or of the
 * activity, which is proven as a row.
 */
export const allocation = auditTable('allocation', {
  key: ['claimId', 'sliceIndex'],
  order: { column: 'fundedAt', of: 'time' },
  implied: (log) =>
    log.eventName === 'AllocationRegistered' ? [[log.args.claimId, log.args.sliceIndex].join(BETWEEN)] : [],
  touched: (log) =>
    log.eventName === 'ClaimSettled' || log.eventName === 'ClaimStateChanged' ? [log.args.claimId] : [],
  related: readRelated,
  prove: async (row, { executionTx, repaidAt }, { state, find, timestamp }) => {
    const [claim, slices] = await Promise.all([state.claim(row.claimId), state.allocations(row.claimId)])
    const held = slices?.[row.sliceIndex]
    if (!claim || !held) return undefined
    const registered = await find(
      event(
        'AllocationRegistered',
        ({ args }) => args.claimId === row.claimId && args.sliceIndex === row.sliceIndex,
      ),
      row.fundedBlock,
      executionTx,
    )
    const block = registered?.blockNumber
    return {
      claimId: row.claimId,
      sliceIndex: row.sliceIndex,
      vault: stored(held.vault),
      executionId: registered?.args.executionId,
      token: stored(claim.token),
      issuer: stored(claim.issuer),
      claimType: claim.claimType,
      faceAmount: held.faceAmount,
      advanceAmount: held.advanceAmount,
      fundedBlock: block,
      fundedAt: block && (await timestamp(block)),
      repaidAt: isOver(claimStates[claim.state]) ? repaidAt : null,
    }
  },
  count: async (_, { legs }) => [{ field: 'count(executionLeg)', projected: legs, onChain: 1 }],
})

const isOver = (state: string | undefined) => state === 'SETTLED' || state === 'REVOKED'

async function readRelated(db: ProjectionDb, rows: readonly Allocation[]) {
  const claimIds = ['0x' as const, ...rows.map(({ claimId }) => claimId)]
  const executionIds = ['0x' as const, ...rows.map(({ executionId }) => executionId)]
  const executions = await db
    .selectFrom('execution')
    .select(['id', 'tx'])
    .where('id', 'in', executionIds)
    .execute()
  const settlements = await db
    .selectFrom('settlement')
    .select(['claimId', 'at'])
    .where('claimId', 'in', claimIds)
    .execute()
  const revocations = await db
    .selectFrom('activity')
    .select(['claimId', 'at'])
    .where('claimId', 'in', claimIds)
    .where('kind', '=', 'CLAIM_REVOKED')
    .execute()
  const legs = await db
    .selectFrom('executionLeg')
    .select(['claimId', 'sliceIndex'])
    .where('claimId', 'in', claimIds)
    .execute()
  const txOf = new Map(executions.map(({ id, tx }) => [id, tx]))
  const repaidAtOf = new Map([...settlements, ...revocations].map(({ claimId, at }) => [claimId, at]))
  const legsOf = Map.groupBy(legs, ({ claimId, sliceIndex }) => claimId + sliceIndex)
  return ({ claimId, sliceIndex, executionId }: Allocation) => ({
    executionTx: txOf.get(executionId),
    repaidAt: repaidAtOf.get(claimId),
    legs: legsOf.get(claimId + sliceIndex)?.length ?? 0,
  })
}
