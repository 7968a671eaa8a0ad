import type { ProjectionDb } from '../../api/projection/session/database.ts'
import type { ProjectionTables } from '../../api/projection/sql/source.ts'

type Claim = ProjectionTables['claim']

/**
 * Rows of the projection that belong to some claims: what financed, settled and revoked each claim, and in which
 * blocks.
 */
export async function readPartsOfClaims(db: ProjectionDb, claims: readonly Claim[]) {
  const ids = claims.map(({ id }) => id)
  if (ids.length === 0) return () => NO_PARTS
  const allocated = await db
    .selectFrom('allocation')
    .select(({ fn }) => [
      'claimId',
      fn.countAll<bigint>().as('count'),
      fn.sum<bigint>('faceAmount').as('faceAmount'),
      fn.max('fundedBlock').as('block'),
    ])
    .where('claimId', 'in', ids)
    .groupBy('claimId')
    .execute()
  const settled = await db
    .selectFrom('settlement')
    .select(['claimId', 'block'])
    .where('claimId', 'in', ids)
    .execute()
  const activities = await db
    .selectFrom('activity')
    .select(['claimId', 'kind', 'block'])
    .where('claimId', 'in', ids)
    // Credits are of payments, of which a claim has any number.
    .where('kind', '!=', 'CREDITED')
    .execute()
  const allocationOf = new Map(allocated.map((row) => [row.claimId, row]))
  const settlementOf = new Map(settled.map((row) => [row.claimId, row]))
  const activitiesOf = Map.groupBy(activities, ({ claimId }) => claimId)
  return ({ id }: Claim): PartsOfClaim => {
    const [part, settlement] = [allocationOf.get(id), settlementOf.get(id)]
    const own = activitiesOf.get(id) ?? []
    const revoked = own.find(({ kind }) => kind === 'CLAIM_REVOKED')
    return {
      allocations: part?.count ?? 0n,
      faceAmount: part?.faceAmount ?? 0n,
      settlements: settlement ? 1 : 0,
      // The state of a settled claim does not show whether it was closed before.
      activities: own.filter(({ kind }) => kind !== 'CLAIM_REVOKED').length,
      changes: [part?.block, settlement?.block, revoked?.block],
    }
  }
}

type PartsOfClaim = {
  allocations: bigint
  faceAmount: bigint
  settlements: number
  activities: number
  changes: readonly (bigint | undefined)[]
}

const NO_PARTS: PartsOfClaim = { allocations: 0n, faceAmount: 0n, settlements: 0, activities: 0, changes: [] }
