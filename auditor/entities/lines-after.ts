/** The lines of the value of vaults right after changes of their capital. */
import { sql } from 'kysely'
import { SECONDS_PER_DAY } from '../../api/domain/limits.ts'
import { LOSS_PER_SECOND, VALUE_SCALE, WRITE_DOWN_SECONDS } from '../../api/domain/value.ts'
import type { ProjectionDb } from '../../api/projection/session/database.ts'
import type { ProjectionTables } from '../../api/projection/sql/source.ts'

type CapitalChange = ProjectionTables['capitalChange']
export type Lines = Pick<CapitalChange, (typeof LINES)[number]>
type Slice = Pick<CapitalChange, 'kind' | 'amount' | 'at'> & { discount: bigint; dueAt: bigint }

export const LINES = ['gainPerSecond', 'gainOffset', 'lossPerSecond', 'lossOffset'] as const
const NO_LINES: Lines = { gainPerSecond: 0n, gainOffset: 0n, lossPerSecond: 0n, lossOffset: 0n }

/**
 * Reads the lines after each change: those of its day (`vaultDay`) after the last change of the day, and those of the
 * next change, less what that one adds, after any other.
 */
export async function readLinesAfter(db: ProjectionDb, rows: readonly CapitalChange[]) {
  const found = await db
    .selectFrom('capitalChange as own')
    .innerJoin('vaultDay as today', (join) =>
      join
        .onRef('today.vault', '=', 'own.vault')
        .on(
          'today.day',
          '=',
          sql<bigint>`own.at - mod(own.at, ${sql.lit(String(SECONDS_PER_DAY))}::numeric)`,
        ),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('capitalChange as later')
          .selectAll()
          .whereRef('later.vault', '=', 'own.vault')
          .whereRef('later.id', '>', 'own.id')
          .orderBy('later.id')
          .limit(1)
          .as('next'),
      (join) =>
        join.on('next.at', '<', sql<bigint>`today.day + ${sql.lit(String(SECONDS_PER_DAY))}::numeric`),
    )
    .leftJoin('allocation as slice', (join) =>
      join.onRef('slice.claimId', '=', 'next.claimId').onRef('slice.sliceIndex', '=', 'next.sliceIndex'),
    )
    .select(['own.id', 'next.kind', 'next.amount', 'next.at', 'next.discount', 'slice.dueAt'])
    .select(
      LINES.map((line) => sql<bigint>`coalesce(next.${sql.ref(line)}, today.${sql.ref(line)})`.as(line)),
    )
    .where('own.id', 'in', [-1n, ...rows.map(({ id }) => id)])
    .execute()
  return new Map(
    found.map(({ id, kind, amount, at, discount, dueAt, ...lines }) => {
      const isOfSlice = kind !== null && amount !== null && at !== null && discount !== null && dueAt !== null
      return [id, isOfSlice ? less(lines, addedBy({ kind, amount, at, discount, dueAt })) : lines]
    }),
  )
}

/** The lines that a funding or a repayment adds to those of its day. */
function addedBy({ kind, amount, at, discount, dueAt }: Slice): Lines {
  const overdueFrom = dueAt - (dueAt % SECONDS_PER_DAY) + SECONDS_PER_DAY
  if (kind === 'FUNDING') {
    const gainPerSecond = (discount * VALUE_SCALE) / (overdueFrom - at)
    return { ...NO_LINES, gainPerSecond, gainOffset: -gainPerSecond * at }
  }
  const repaid = { ...NO_LINES, gainOffset: -discount * VALUE_SCALE }
  if (at < overdueFrom) return repaid
  if (at >= overdueFrom + WRITE_DOWN_SECONDS) return { ...repaid, lossOffset: -amount * VALUE_SCALE }
  const loss = amount * LOSS_PER_SECOND
  return { ...repaid, lossPerSecond: -loss, lossOffset: loss * overdueFrom }
}

function less(lines: Lines, added: Lines): Lines {
  return {
    gainPerSecond: lines.gainPerSecond - added.gainPerSecond,
    gainOffset: lines.gainOffset - added.gainOffset,
    lossPerSecond: lines.lossPerSecond - added.lossPerSecond,
    lossOffset: lines.lossOffset - added.lossOffset,
  }
}
