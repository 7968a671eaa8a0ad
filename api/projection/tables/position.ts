/** Positions: the shares of a vault that a wallet holds. */
import { type SqlBool, sql } from 'kysely'
import type { Sql } from '../sql/json.ts'
import { type Days, figuresAt } from '../sql/series.ts'
import { type Source, view } from '../sql/source.ts'

export const positions = {
  table: 'vaultPosition',
  key: ['vault', 'owner'],
  columns: { vault: 'hex', owner: 'hex', shares: 'integer' },
  orders: { vault: ['vault', 'owner'], owner: ['owner', 'vault'], shares: ['shares', 'vault', 'owner'] },
  parents: ['vault', 'owner'],
} as const satisfies Source<'vaultPosition'>

/** The key of a position. */
type Key = { readonly vault: Sql; readonly owner: Sql }

/** Columns of `positionFiguresAt`. */
export const POSITION_FIGURES: readonly string[] = ['shares', 'costBasis']

/**
 * Selects the daily figures of a position. `proceedsToDate`: assets and cost that left it less those that came, until
 * the end of a period.
 */
export function daysOfPosition(position: Key): Days {
  return {
    from: sql`${view('positionDay')} as own`,
    where: isOf(position),
    flows: ['deposited', 'withdrawn', 'received', 'sent'],
    stocks: { proceedsToDate: { in: ['withdrawn', 'sent'], out: ['deposited', 'received'] } },
  }
}

/** Writes a relation of one row: shares of a position and their cost after all events before `end`, Unix seconds. */
export function positionFiguresAt(position: Key, end: Sql): Sql {
  return figuresAt('positionDay', isOf(position), ['shares', 'costBasis'], end)
}

function isOf({ vault, owner }: Key) {
  return sql<SqlBool>`own.vault = ${vault} and own.owner = ${owner}`
}
