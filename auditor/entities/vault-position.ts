import { type SqlBool, sql } from 'kysely'
import { zeroAddress } from 'viem'
import { lowercaseAddress } from '../../api/domain/address.ts'
import type { ProjectionDb } from '../../api/projection/session/database.ts'
import type { ProjectionTables } from '../../api/projection/sql/source.ts'
import type { PositionChangeKind } from '../../ponder.schema.ts'
import { auditTable, BETWEEN } from '../entity.ts'

type Position = ProjectionTables['vaultPosition']

/**
 * The shares are in the vault's state. The other columns are sums over the changes of the position, each of which is
 * proven as a row. A row without shares is equivalent to no row; the vault's supply shows that any other row is
 * missing.
 */
export const vaultPosition = auditTable('vaultPosition', {
  key: ['vault', 'owner'],
  order: { column: 'vault', of: 'address' },
  implied: (log) =>
    log.eventName === 'Transfer' && log.args.value > 0n
      ? [log.args.from, log.args.to]
          .filter((owner) => owner !== zeroAddress)
          .map((owner) => [log.address, owner].map(lowercaseAddress).join(BETWEEN))
      : [],
  related: readChanges,
  prove: async ({ vault, owner }, { since, ...changes }, { state }) => {
    const shares = await state.shares({ vault, owner })
    if (shares === undefined) return undefined
    return { vault, owner, shares, ...changes, since: shares === 0n ? null : since }
  },
})

const NO_CHANGES = { costBasis: 0n, deposited: 0n, withdrawn: 0n, received: 0n, sent: 0n, since: null }

/** A wallet holds shares since the last change that found it without any: only that one gave it all that it has. */
const SINCE = sql<
  bigint | null
>`max(at) filter (where kind in ('DEPOSIT', 'RECEIVED') and shares_after = shares)`

const sumOf = (kind: PositionChangeKind) =>
  sql<bigint>`coalesce(sum(assets) filter (where kind = ${sql.lit(kind)}), 0)`

/** The sums of the changes of each position, and its cost after the last. */
async function readChanges(db: ProjectionDb, rows: readonly Position[]) {
  const keys = rows.map(({ vault, owner }) => sql`(${vault}, ${owner})`)
  const found = await db
    .selectFrom('positionChange')
    .where(sql<SqlBool>`(vault, owner) in (${sql.join([sql`('', '')`, ...keys])})`)
    .select([
      'vault',
      'owner',
      sql<bigint>`(array_agg(cost_basis_after order by id desc))[1]`.as('costBasis'),
      sumOf('DEPOSIT').as('deposited'),
      sumOf('WITHDRAWAL').as('withdrawn'),
      sumOf('RECEIVED').as('received'),
      sumOf('SENT').as('sent'),
      SINCE.as('since'),
    ])
    .groupBy(['vault', 'owner'])
    .execute()
  const known = new Map(found.map(({ vault, owner, ...sums }) => [vault + owner, sums]))
  return ({ vault, owner }: Position) => known.get(vault + owner) ?? NO_CHANGES
}
