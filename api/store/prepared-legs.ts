import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { type BaseUnits, formatMoney } from '../domain/money.ts'
import type { PreparedLegRow, Store } from './database.ts'

export type PreparedLeg = {
  claimId: Hex
  vault: Address
  faceAmount: BaseUnits
  /** The least that the user signs to be paid, without which the route reverts. */
  minimumAdvanceAmount: BaseUnits
}

export function writePreparedLegs(legs: readonly PreparedLeg[]): string {
  const rows = legs.map(({ claimId, vault, faceAmount, minimumAdvanceAmount }): PreparedLegRow => {
    const amounts = {
      faceAmount: formatMoney(faceAmount),
      minimumAdvanceAmount: formatMoney(minimumAdvanceAmount),
    }
    return { claimId, vault, ...amounts }
  })
  return JSON.stringify(rows)
}

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
    .select('legs')
    .where('deadline', '>', now)
    .where(sql<boolean>`legs @> ${JSON.stringify([{ vault }])}::jsonb`)
    .orderBy('deadline', 'desc')
    .orderBy('executionId')
    .limit(ROUTES_READ)
    .execute()
  return rows.map(({ legs }) =>
    (legs ?? [])
      .filter((leg) => leg.vault === vault)
      .map(({ faceAmount, minimumAdvanceAmount, ...rest }) => ({
        ...rest,
        faceAmount: BigInt(faceAmount),
        minimumAdvanceAmount: BigInt(minimumAdvanceAmount),
      })),
  )
}
