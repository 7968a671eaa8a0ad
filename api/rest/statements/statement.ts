/** A statement and its formats. */
import { formatUnits } from 'viem'
import { dayAt, dayStart } from '../../domain/days.ts'
import { formatTime, type UnixSeconds } from '../../domain/time.ts'
import type { FinalizedThrough } from '../../projection/session/state.ts'
import type {
  StatementBalance,
  StatementEntry,
  StatementOf,
  StatementOrder,
  StatementTotal,
} from '../../projection/statements/statement.ts'

/** The part of a statement that is known before its entries are read. */
export type Statement = StatementOf & {
  readonly chainId: number
  readonly zone: string
  readonly through: FinalizedThrough
  /** Whether the finalized block is at the end of the period or later, so that no entry can follow. */
  readonly isComplete: boolean
  readonly balances: readonly StatementBalance[]
  readonly totals: readonly StatementTotal[]
}

export type EntryPages = AsyncIterable<readonly StatementEntry[]>

export type StatementFormat = {
  readonly mediaType: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default: `chain`. */
  readonly order?: StatementOrder
  /** Writes the statement in parts. */
  readonly write: (statement: Statement, pages: EntryPages) => AsyncGenerator<string, void, undefined>
}

/** Finds the balance that an entry changes. */
export function balanceFinder({ balances }: Statement) {
  const byKey = new Map(balances.map((balance) => [keyOf(balance), balance]))
  return (entry: Pick<StatementEntry, 'account' | 'unit'>): StatementBalance => {
    const balance = byKey.get(keyOf(entry))
    if (!balance) throw new Error(`a statement has no balance ${keyOf(entry)}`)
    return balance
  }
}

export function keyOf({ account, unit }: Pick<StatementEntry, 'account' | 'unit'>): string {
  return `${account} ${unit}`
}

/** The amount in whole units, exact. */
export function unitsOf(amount: bigint, { decimals }: Pick<StatementBalance, 'decimals'>): string {
  return formatUnits(amount, decimals)
}

/** The day of a time in the zone of the statement. */
export function dayIn({ zone }: Statement, at: UnixSeconds): string {
  return dayAt(at, zone)
}

/** Sentence that heads a statement. */
export function titleOf(statement: Statement): string {
  const { chainId, subject, address, from, to, zone } = statement
  const areDays = from === dayStart(dayAt(from, zone), zone) && to === dayStart(dayAt(to, zone), zone)
  const period = areDays
    ? `${dayAt(from, zone)} to ${dayAt(to - 1n, zone)} (${zone})`
    : `from ${formatTime(from)} until ${formatTime(to)}`
  return `Statement of ${subject} ${address} on chain ${chainId}, ${period}`
}
