import { sql } from 'kysely'
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
  const paid = await db
    .selectFrom('settlement')
    .select(({ fn }) => [
      'claimId',
      fn.countAll<bigint>().as('count'),
      fn.sum<bigint>('faceAmount').as('faceAmount'),
      fn.max('block').as('block'),
    ])
    .where('claimId', 'in', ids)
    .groupBy('claimId')
    .execute()
  const activities = await db
    .selectFrom('activity')
    .select(({ fn }) => ['claimId', fn.countAll<bigint>().as('count'), fn.max('block').as('block')])
    .select(sql<boolean>`kind = 'CLAIM_REVOKED'`.as('isRevocation'))
    .where('claimId', 'in', ids)
    // A payment has any number of credits.
    .where('kind', '!=', 'CREDITED')
    .groupBy(['claimId', 'isRevocation'])
    .execute()
  const preceded = await db
    .selectFrom('claim')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('claim as earlier')
          .select('earlier.issuerClaimNumber as number')
          .whereRef('earlier.issuer', '=', 'claim.issuer')
          .whereRef('earlier.registeredAt', '<=', 'claim.registeredAt')
          .whereRef('earlier.ordinal', '<', 'claim.ordinal')
          .orderBy('earlier.registeredAt', 'desc')
          .orderBy('earlier.ordinal', 'desc')
          .limit(1)
          .as('before'),
      (join) => join.onTrue(),
    )
    .select(['claim.id', 'before.number'])
    .where('claim.id', 'in', ids)
    .execute()
  const earlierClaimsOf = new Map(preceded.map(({ id, number }) => [id, number]))
  const allocationOf = new Map(allocated.map((row) => [row.claimId, row]))
  const settlementOf = new Map(paid.map((row) => [row.claimId, row]))
  const activitiesOf = Map.groupBy(activities, ({ claimId }) => claimId)
  return ({ id }: Claim): PartsOfClaim => {
    const [part, settlement] = [allocationOf.get(id), settlementOf.get(id)]
    const own = activitiesOf.get(id) ?? []
    const revoked = own.find(({ isRevocation }) => isRevocation)
    return {
      allocations: part?.count ?? 0n,
      faceAmount: part?.faceAmount ?? 0n,
      settlements: settlement?.count ?? 0n,
      paidFace: settlement?.faceAmount ?? 0n,
      // The state of a settled claim does not show whether it was closed before.
      activities: own.find(({ isRevocation }) => !isRevocation)?.count ?? 0n,
      earlierClaims: earlierClaimsOf.get(id) ?? 0,
      changes: [part?.block, settlement?.block, revoked?.block],
    }
  }
}

type PartsOfClaim = {
  allocations: bigint
  faceAmount: bigint
  settlements: bigint
  paidFace: bigint
  activities: bigint
  /** Claims that the issuer registered before. */
  earlierClaims: number
  changes: readonly (bigint | undefined)[]
}

const NO_PARTS: PartsOfClaim = {
  allocations: 0n,
  faceAmount: 0n,
  settlements: 0n,
  paidFace: 0n,
  activities: 0n,
  earlierClaims: 0,
  changes: [],
}
