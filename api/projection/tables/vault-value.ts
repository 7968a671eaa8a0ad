/** Value of what a vault has financed at a time, from which the value of its shares follows. */
import { type SqlBool, sql } from 'kysely'
import { columnOf, type Sql } from '../sql/json.ts'
import type { Scope } from '../sql/scope.ts'
import { type Days, figuresAt } from '../sql/series.ts'
import { type Column, ref, view } from '../sql/source.ts'

/** Columns of `valueNow`, base units times `VALUE_SCALE`: discounts that are earned, and losses of overdue face. */
export const VALUE_FIGURES: readonly string[] = ['gains', 'losses']

const LINES = ['gainPerSecond', 'gainOffset', 'lossPerSecond', 'lossOffset'] as const

/** The part of the lines of a day that events of earlier days have added. */
const SCHEDULED = {
  gainPerSecond: 'scheduledGainPerSecond',
  gainOffset: 'scheduledGainOffset',
  lossPerSecond: 'scheduledLossPerSecond',
  lossOffset: 'scheduledLossOffset',
} as const satisfies Record<(typeof LINES)[number], Column<'valueDay'>>

/** Columns of a series of lines: value at a time after the end of the period is `perSecond * time + offset`. */
export const LINE_FIGURES: readonly string[] = LINES.map(atEnd)

function atEnd<const Line extends string>(line: Line) {
  return `${line}AtEnd` as const
}

/** Adds the columns of `valueNow`, or of a relation that has them, to a vault. @param row the name of its row */
export function valuedBy(vault: Scope, row: string): Scope {
  return {
    ...vault,
    column: (name) => (VALUE_FIGURES.includes(name) ? columnOf(row, name) : vault.column(name)),
  }
}

/**
 * Writes a relation of one row: the value at the time of the block, by the lines of the vault and of later days. No
 * event of these days is one of the vault, so their lines are those that were scheduled.
 */
export function valueNow(vault: Scope): Sql {
  const [gainPerSecond, gainOffset, lossPerSecond, lossOffset] = LINES.map(
    (line) => sql`(${vault.column(line)} + coalesce(sum(own.${ref(SCHEDULED[line])}), 0))`,
  )
  return sql`(
    select ${gainPerSecond} * ${vault.now} + ${gainOffset} as gains, ${lossPerSecond} * ${vault.now} + ${lossOffset} as losses
    from ${view('valueDay')} as own where own.vault = ${vault.column('address')}
      and own.day > ${vault.column('throughDay')} and own.day <= ${vault.now}
  )`
}

/** Selects the lines of a vault until `now`, Unix seconds, as stocks of a series. */
export function linesOf(vault: Sql, now: Sql): Days {
  const stocks = Object.fromEntries(LINES.map((line) => [atEnd(line), { in: [line], out: [] }]))
  return {
    from: view('valueDay'),
    where: sql<SqlBool>`vault = ${vault} and day <= ${now}`,
    flows: LINES,
    stocks,
  }
}

/** Writes a relation of one row: figures and value of a vault in the last second before `end`, a midnight. */
export function vaultBefore(vault: Sql, end: Sql): Sql {
  const figures = ['idleAssets', 'outstandingAdvance', 'totalShares'] as const
  const valueBy = (line: 'gain' | 'loss') =>
    sql`coalesce(sum(own.${ref(`${line}PerSecond`)}) * (${end} - 1) + sum(own.${ref(`${line}Offset`)}), 0)`
  return sql`(
    select * from ${vaultFiguresAt(vault, figures, end)} as figures cross join (
      select ${valueBy('gain')} as gains, ${valueBy('loss')} as losses
      from ${view('valueDay')} as own where own.vault = ${vault} and own.day < ${end}
    ) as value
  )`
}

/** Writes a relation of the time of the first deposit, the first change of the capital of a vault. */
export function firstDepositAt(vault: Sql): Sql {
  return sql`(select at from ${view('capitalChange')} as own where own.vault = ${vault} order by own.id limit 1)`
}

/** Writes a relation of one row: figures of a vault after all events before `end`, Unix seconds. */
export function vaultFiguresAt(vault: Sql, columns: readonly Column<'vaultDay'>[], end: Sql): Sql {
  return figuresAt('vaultDay', sql<SqlBool>`own.vault = ${vault}`, columns, end)
}
