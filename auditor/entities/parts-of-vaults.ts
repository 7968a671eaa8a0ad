import { sql } from 'kysely'
import type { ProjectionDb } from '../../api/projection/session/database.ts'
import type { ProjectionTables } from '../../api/projection/sql/source.ts'

type Vault = ProjectionTables['vault']

/** Advance of the face that is repaid, rounded down. */
const REPAID_ADVANCE = sql`div(advance_amount * repaid_face, greatest(face_amount, 1))`

/**
 * Rows of the projection that belong to some vaults: their terms, pending terms, holders, allocations, the lines of
 * value of later days, and the last change of their capital.
 */
export async function readPartsOfVaults(db: ProjectionDb, vaults: readonly Vault[]) {
  const addresses = ['0x' as const, ...vaults.map(({ address }) => address)]
  const terms = await db
    .selectFrom('vaultTerms')
    .select(({ fn }) => ['vault', fn.countAll<bigint>().as('count')])
    .where('vault', 'in', addresses)
    .groupBy('vault')
    .execute()
  const pending = await db
    .selectFrom('pendingTerms')
    .select('vault')
    .where('vault', 'in', addresses)
    .execute()
  const positions = await db
    .selectFrom('vaultPosition')
    .select(({ fn }) => ['vault', fn.sum<bigint>('shares').as('shares')])
    .where('vault', 'in', addresses)
    .groupBy('vault')
    .execute()
  const allocations = await db
    .selectFrom('allocation')
    .select([
      'vault',
      sql<bigint | null>`sum(face_amount - repaid_face)`.as('outstandingFace'),
      sql<bigint | null>`sum(advance_amount - ${REPAID_ADVANCE})`.as('outstandingAdvance'),
      sql<bigint | null>`sum(repaid_face - ${REPAID_ADVANCE})`.as('discountEarned'),
    ])
    .where('vault', 'in', addresses)
    .groupBy('vault')
    .execute()
  const changes = await db
    .selectFrom('vault')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('capitalChange')
          .select(['idleAssets as lastIdleAssets', 'at as lastChangeAt'])
          .whereRef('capitalChange.vault', '=', 'vault.address')
          .orderBy('id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['vault.address', 'last.lastIdleAssets', 'last.lastChangeAt'])
    .where('vault.address', 'in', addresses)
    .execute()
  const values = await db
    .selectFrom('valueDay')
    .innerJoin('vault', 'vault.address', 'valueDay.vault')
    .selectAll('valueDay')
    .where('vault.address', 'in', addresses)
    .whereRef('valueDay.day', '>', 'vault.throughDay')
    .execute()
  const termsOf = new Map(terms.map((row) => [row.vault, row.count]))
  const vaultsWithPending = new Set(pending.map((row) => row.vault))
  const sharesOf = new Map(positions.map((row) => [row.vault, row.shares]))
  const allocationsOf = new Map(allocations.map((row) => [row.vault, row]))
  const valuesOf = Map.groupBy(values, (row) => row.vault)
  const changeOf = new Map(changes.map((row) => [row.address, row]))
  return ({ address }: Vault) => {
    const own = allocationsOf.get(address)
    return {
      terms: termsOf.get(address) ?? 0n,
      pendingTerms: vaultsWithPending.has(address) ? 1n : 0n,
      shares: sharesOf.get(address) ?? 0n,
      outstandingFace: own?.outstandingFace ?? 0n,
      outstandingAdvance: own?.outstandingAdvance ?? 0n,
      discountEarned: own?.discountEarned ?? 0n,
      values: valuesOf.get(address) ?? [],
      lastIdleAssets: changeOf.get(address)?.lastIdleAssets ?? 0n,
      lastChangeAt: changeOf.get(address)?.lastChangeAt,
    }
  }
}
