/** The tables as of earlier blocks of the history, against the logs up to these blocks. */
import { sql } from 'kysely'
import type pg from 'pg'
import { expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { relationAsOf } from '../../api/projection/past/as-of.ts'
import { valuesAt } from '../../api/projection/past/at.ts'
import { pastTables } from '../../api/projection/past/tables.ts'
import { sqlName, type Table, view } from '../../api/projection/sql/source.ts'
import { toStatement } from '../../api/projection/sql/statement.ts'
import { diceOf } from '../support/dice.ts'
import type { Indexed } from './indexed.ts'
import { dayOf, type History, type Located, until } from './truth/history.ts'
import { asCells, truthOf } from './truth/tables.ts'

/** Blocks whose tables are compared. */
const BLOCKS = Number(process.env.HISTORY_BLOCKS ?? 8)

const isTable = (name: string): name is Table => name in pastTables
const TABLES = Object.keys(pastTables).filter(isTable)
const asText = { getTypeParser: () => (text: string) => text }

const LINES = ['gain_per_second', 'gain_offset', 'loss_per_second', 'loss_offset']

type Row = object

/** @param indexed what is there once the tests run @param pool connections to the projection */
export function describePast(seed: number, indexed: () => Indexed, pool: () => pg.Pool): void {
  it(`has its tables as of ${BLOCKS} earlier blocks as the logs until then have them`, async () => {
    const { history } = indexed()
    const dice = diceOf(seededRandom(seed))
    const [first, ...others] = blocksOf(history)
    if (!first) throw new Error('the history has no blocks')
    const compared = new Map<string, number>()
    for (let i = 0; i < BLOCKS; i += 1) {
      const moment = dice.pick([first, ...others])
      const [blockNumber, timestamp] = i % 2 ? moment : justBefore(moment)
      const truth: { readonly [table: string]: readonly Row[] } = truthOf(until(history, blockNumber))
      for (const table of TABLES) {
        const past = sql`select * from ${relationAsOf(view(table), valuesAt({ blockNumber, timestamp }))}`
        const { text, values } = toStatement(past)
        const { rows } = await pool().query<Row>({ text, values: [...values], types: asText })
        const name = sqlName(table)
        const known = (of: readonly Row[]) => asCells(knownRows(name, of, timestamp))
        const expected = known(truth[name] ?? [])
        expect(known(rows), `${name} at block ${blockNumber}`).toEqual(expected)
        compared.set(name, (compared.get(name) ?? 0) + expected.length)
      }
    }
    expect([...compared].filter(([, count]) => count === 0)).toEqual([])
  })
}

/** The rows that have a past: no days after that of the block, which follow from what is due then. */
function knownRows(table: string, rows: readonly Row[], at: bigint): readonly Row[] {
  if (table !== 'value_day' && table !== 'due_day') return rows
  const value = (row: Row, column: string) => BigInt(String(Reflect.get(row, column)))
  // A row without lines is one of a later event of its day.
  const isEmpty = (row: Row) => table === 'value_day' && LINES.every((line) => value(row, line) === 0n)
  return rows.filter((row) => value(row, 'day') <= dayOf(at) && !isEmpty(row))
}

/**
 * A block without events, before one with events and at its time: its day can have begun without an event, while the
 * row of the day has what fell due when it began.
 */
function justBefore([blockNumber, timestamp]: [bigint, bigint]): [bigint, bigint] {
  return [blockNumber - 1n, timestamp]
}

/** The blocks with events, and their times. */
function blocksOf({ start, ...history }: History): [bigint, bigint][] {
  const logs: readonly (readonly Located[] | string)[] = Object.values(history)
  const times = logs.flatMap((of) =>
    typeof of === 'string' ? [] : of.map(({ blockNumber, at }): [bigint, bigint] => [blockNumber, at]),
  )
  return [...new Map([[start.block, start.at], ...times])]
}
