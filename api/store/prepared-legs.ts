import type { Address, Hex } from 'viem'
import type { BaseUnits } from '../domain/money.ts'
import type { Store } from './database.ts'

export type PreparedLeg = { claimId: Hex; faceAmount: BaseUnits }

/** Routes that are read. Rows live for minutes, so only an attack makes more. */
const ROUTES_READ = 1_000

/** Reads the legs of a vault in the routes that are prepared and whose deadline has not passed, by route. */
export async function readPreparedLegs(
  store: Store,
  vault: Address,
  now: Date,
): Promise<readonly (readonly PreparedLeg[])[]> {
  const rows = await store
    .selectFrom('preparedExecution')
    .innerJoin('routeIntent', 'routeIntent.routeId', 'preparedExecution.routeId')
    .select('routeIntent.legs')
    .where('preparedExecution.deadline', '>', now)
    .orderBy('preparedExecution.deadline', 'desc')
    .limit(ROUTES_READ)
    .execute()
  return rows
    .map(({ legs }) => legs.filter((leg) => leg.vault === vault))
    .filter((legs) => legs.length > 0)
    .map((legs) => legs.map(({ claimId, faceAmount }) => ({ claimId, faceAmount: BigInt(faceAmount) })))
}
