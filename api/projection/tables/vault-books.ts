/** The books of a vault at a time, from which the value of its shares follows. */
import { sql } from 'kysely'
import type { Sql } from '../sql/json.ts'
import { view } from '../sql/source.ts'

/** Columns of `booksAt` that its series does not have. */
export const BOOK_FIGURES: readonly string[] = [
  'at',
  'bookIdleAssets',
  'bookOutstandingAdvance',
  'bookOutstandingImpairment',
  'totalShares',
  'unlockingAmount',
  'unlockingSince',
  'unlockingUntil',
]

/**
 * Writes a relation of one row: the books after all events before `at`, the end of a period, or the time of the block
 * if that is earlier. Unix seconds.
 */
export function booksAt(vault: Sql, end: Sql, now: Sql): Sql {
  return sql`(
    select least(${end}, ${now}) as at,
      coalesce(capital.idle_assets, 0) as book_idle_assets,
      coalesce(capital.outstanding_advance, 0) as book_outstanding_advance,
      coalesce(capital.outstanding_impairment, 0) as book_outstanding_impairment,
      coalesce(capital.total_shares, 0) as total_shares, coalesce(lock.amount, 0) as unlocking_amount,
      coalesce(lock.at, 0) as unlocking_since, coalesce(lock.until, 0) as unlocking_until
    from (select) as one
    left join lateral (
      select idle_assets, outstanding_advance, outstanding_impairment, total_shares from ${view('vaultDay')} as own
      where own.vault = ${vault} and own.day < ${end} order by own.day desc limit 1
    ) as capital on true
    left join lateral (
      select own.amount, own.at, own.until from ${view('profitLock')} as own
      where own.vault = ${vault} and own.at < ${end} order by own.at desc, own.id desc limit 1
    ) as lock on true
  )`
}
