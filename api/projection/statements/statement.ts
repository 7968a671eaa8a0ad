/** Balances and entries of a statement. */
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { SHARE_DIGITS } from '../../domain/limits.ts'
import type {
  StatementAccount,
  StatementKind,
  StatementPeriod,
  StatementSubject,
} from '../../domain/statement.ts'
import type { UnixSeconds } from '../../domain/time.ts'
import type { Snapshot } from '../session/snapshot.ts'
import type { Sql } from '../sql/json.ts'
import { view } from '../sql/source.ts'
import { entriesOf } from './entries.ts'

/** Subject and period of a statement. */
export type StatementOf = StatementPeriod & { readonly subject: StatementSubject; readonly address: Address }

export type StatementBalance = {
  readonly account: StatementAccount
  /** Address of the token, or of the vault whose shares the amounts count. */
  readonly unit: Address
  readonly symbol: string
  /** 10^decimals base units are one whole unit. */
  readonly decimals: number
  /** Base units at the start of the period. */
  readonly opening: bigint
  /** Sum of the positive amounts of the period. */
  readonly increases: bigint
  /** Sum of the negative amounts of the period, without their sign. */
  readonly decreases: bigint
  /** `opening + increases - decreases`. */
  readonly closing: bigint
  readonly entryCount: number
  /** SHA-256 of one line for each entry: `id:part:amount`, each with a line feed. Hexadecimal. */
  readonly hash: string
}

export type StatementEntry = {
  readonly id: bigint
  readonly part: bigint
  readonly account: StatementAccount
  readonly unit: Address
  readonly kind: StatementKind
  /** Base units; negative for a decrease. */
  readonly amount: bigint
  readonly balanceAfter: bigint
  readonly counterparty: Address | null
  readonly claimId: Hex | null
  readonly executionId: Hex | null
  readonly block: bigint
  readonly at: UnixSeconds
  readonly tx: Hex
}

/** The entries of one kind on one balance. */
export type StatementTotal = {
  readonly account: StatementAccount
  readonly unit: Address
  readonly kind: StatementKind
  /** Sum of the amounts, base units. */
  readonly amount: bigint
  readonly entryCount: number
}

/** The period of a statement in SQL, Unix seconds. */
export type PeriodSql = { readonly from: Sql; readonly to: Sql }

/**
 * Writes a relation of the balances that are or were not zero at a time of the period, or that have an entry in it.
 *
 * @param entries of `entriesOf`
 */
export function balancesOf(entries: Sql, { from, to }: PeriodSql): Sql {
  const within = sql`entry.at >= ${from}`
  return sql`(
    select balance.*, coalesce(token.symbol, vault.symbol) as symbol,
      coalesce(token.decimals, of_vault.decimals + ${sql.lit(SHARE_DIGITS)}) as decimals
    from (
      select account, unit,
        coalesce(sum(amount) filter (where not ${within}), 0) as opening,
        coalesce(sum(amount) filter (where ${within} and amount > 0), 0) as increases,
        coalesce(-sum(amount) filter (where ${within} and amount < 0), 0) as decreases,
        sum(amount) as closing,
        (count(*) filter (where ${within}))::int as entry_count,
        encode(sha256(convert_to(coalesce(
          string_agg(concat(id, ':', part, ':', amount, E'\n'), '' order by id, part) filter (where ${within}), ''
        ), 'UTF8')), 'hex') as hash
      from ${entries} as entry where entry.at < ${to}
      group by account, unit
    ) as balance
      left join ${view('token')} as token on token.address = balance.unit
      left join ${view('vault')} as vault on vault.address = balance.unit
      left join ${view('token')} as of_vault on of_vault.address = vault.token
    where balance.opening <> 0 or balance.entry_count > 0
  )`
}

/** Writes a relation of the entries of the period, each with the balance after it, `balance_after`. */
export function entriesWithin(entries: Sql, { from, to }: PeriodSql): Sql {
  return sql`(
    select * from (
      select entry.*, sum(amount) over (partition by account, unit order by id, part) as balance_after
      from ${entries} as entry where entry.at < ${to}
    ) as entry where entry.at >= ${from}
  )`
}

/** Writes a relation of the sums of the entries of the period by balance and kind. */
export function totalsOf(entries: Sql, { from, to }: PeriodSql): Sql {
  return sql`(
    select account, unit, kind, sum(amount) as amount, count(*)::int as entry_count from ${entries} as entry
    where entry.at >= ${from} and entry.at < ${to} group by account, unit, kind
  )`
}

function inSql({ subject, address, from, to }: StatementOf) {
  return {
    entries: entriesOf(subject, sql`${address}::text`),
    period: { from: sql`${from}::numeric`, to: sql`${to}::numeric` },
  }
}

/** Reads the balances, in the order of account and unit. */
export async function readBalances({ db }: Snapshot, of: StatementOf) {
  const { entries, period } = inSql(of)
  const { rows } = await sql<StatementBalance>`
    select * from ${balancesOf(entries, period)} as balance order by account, unit`.execute(db)
  return rows
}

/** Reads the totals, in the order of account, unit and kind. */
export async function readTotals({ db }: Snapshot, of: StatementOf) {
  const { entries, period } = inSql(of)
  const { rows } = await sql<StatementTotal>`
    select * from ${totalsOf(entries, period)} as total order by account, unit, kind`.execute(db)
  return rows
}

/** Entries that are read at once, and written in one turn of the event loop. */
const PAGE = 500

/** Orders of entries: as the chain has them, or by balance first. */
const ORDERS = { chain: sql`id, part`, balance: sql`account, unit, id, part` }
export type StatementOrder = keyof typeof ORDERS

/** Reads the entries page by page, on demand. A snapshot can have one such read. */
export async function* readEntries(
  { db }: Snapshot,
  of: StatementOf,
  order: StatementOrder,
): AsyncGenerator<readonly StatementEntry[], void, undefined> {
  const { entries, period } = inSql(of)
  await sql`declare statement no scroll cursor for
    select * from ${entriesWithin(entries, period)} as entry order by ${ORDERS[order]}`.execute(db)
  while (true) {
    const { rows } = await sql<StatementEntry>`fetch ${sql.lit(PAGE)} from statement`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
  }
}

export async function isKnown(
  { db }: Snapshot,
  table: 'vault' | 'issuer',
  address: Address,
): Promise<boolean> {
  const { rows } = await sql`select 1 from ${view(table)} as known where address = ${address}`.execute(db)
  return rows.length > 0
}
