/** A statement as one table: the opening balances, the entries, the totals, the closing balances. */
import { formatTime } from '../../../domain/time.ts'
import type {
  StatementBalance,
  StatementEntry,
  StatementTotal,
} from '../../../projection/statements/statement.ts'
import { toCsv } from '../../shared/csv.ts'
import {
  balanceFinder,
  dayIn,
  type EntryPages,
  type Statement,
  type StatementFormat,
  unitsOf,
} from '../statement.ts'

export const csv: StatementFormat = { mediaType: 'text/csv; charset=utf-8; header=present', write }

/** Columns, with the values of each kind of row. */
type Row = {
  /** An `INTERIM` balance is that of the finalized block, within the period. */
  readonly row: 'OPENING' | 'ENTRY' | 'TOTAL' | 'CLOSING' | 'INTERIM'
  readonly balance: StatementBalance
  readonly amount?: bigint
  readonly after?: bigint
  readonly entry?: StatementEntry
  readonly total?: StatementTotal
  readonly hash?: string
  readonly count?: number
}

const COLUMNS: readonly (readonly [name: string, value: (row: Row, statement: Statement) => unknown])[] = [
  ['row', ({ row }) => row],
  ['day', ({ entry }, statement) => entry && dayIn(statement, entry.at)],
  ['at', ({ entry }) => entry && formatTime(entry.at)],
  ['blockNumber', ({ entry }) => entry?.block],
  ['account', ({ balance }) => balance.account],
  ['unit', ({ balance }) => balance.unit],
  ['unit_symbol', ({ balance }) => balance.symbol],
  ['unit_decimals', ({ balance }) => balance.decimals],
  ['kind', ({ entry, total }) => (entry ?? total)?.kind],
  ['amount', ({ amount }) => amount],
  ['amount_units', ({ amount, balance }) => (amount === undefined ? undefined : unitsOf(amount, balance))],
  ['balance', ({ after }) => after],
  ['balance_units', ({ after, balance }) => (after === undefined ? undefined : unitsOf(after, balance))],
  ['counterparty', ({ entry }) => entry?.counterparty],
  ['claimId', ({ entry }) => entry?.claimId],
  ['executionId', ({ entry }) => entry?.executionId],
  ['transactionHash', ({ entry }) => entry?.tx],
  ['id', ({ entry }) => entry?.id],
  ['part', ({ entry }) => entry?.part],
  ['entryCount', ({ count }) => count],
  ['hash', ({ hash }) => hash],
]

async function* write(statement: Statement, pages: EntryPages) {
  const { balances, totals } = statement
  const balanceOf = balanceFinder(statement)
  const lines = (rows: readonly Row[]) =>
    toCsv(rows.map((row) => COLUMNS.map(([, value]) => textOf(value(row, statement)))))
  yield toCsv([COLUMNS.map(([name]) => name)])
  yield lines(balances.map((balance) => ({ row: 'OPENING', balance, after: balance.opening })))
  for await (const entries of pages) {
    yield lines(
      entries.map((entry) => ({
        row: 'ENTRY',
        balance: balanceOf(entry),
        amount: entry.amount,
        after: entry.balanceAfter,
        entry,
      })),
    )
  }
  yield lines(
    totals.map((total) => ({
      row: 'TOTAL',
      balance: balanceOf(total),
      amount: total.amount,
      count: total.entryCount,
      total,
    })),
  )
  yield lines(
    balances.map((balance) => {
      const { closing: after, entryCount: count, hash } = balance
      return { row: statement.isComplete ? 'CLOSING' : 'INTERIM', balance, after, count, hash }
    }),
  )
}

function textOf(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
