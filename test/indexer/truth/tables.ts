/**
 * Every table of the projection as the chain's logs have it, and as Postgres has it. Nothing here comes from the
 * indexer: neither its handlers nor its schema. The columns are those that the database has, so one that is not
 * compared is a difference.
 */
import pg from 'pg'
import { allocationsOf, claimsOf, claimTotalsOf, issuersOf, tokensOf } from './claims.ts'
import { dueDaysOf, issuerDaysOf, tokenDaysOf, vaultDaysOf } from './days.ts'
import {
  activityOf,
  cancellationsOf,
  creditsOf,
  executionsOf,
  legsOf,
  routersOf,
  settlementsOf,
} from './executions.ts'
import type { History } from './history.ts'
import { positionDaysOf, positionsOf } from './positions.ts'
import { paymentRecordsOf } from './records.ts'
import { linesAfter, linesOf, valueDaysOf } from './values.ts'
import { capitalChangesOf, movementsOf, pendingTermsOf, vaultsOf, vaultTermsOf } from './vaults.ts'
import { statusVersionsOf, vaultVersionsOf } from './versions.ts'

export type Truth = ReturnType<typeof truthOf>

export function truthOf(history: History) {
  const claim = claimsOf(history)
  const vault = vaultsOf(history)
  const movements = movementsOf(history)
  const value_day = valueDaysOf(history, claim)
  const { positions, changes } = positionsOf(history)
  return {
    activity: activityOf(history, claim, vault),
    allocation: allocationsOf(history, claim),
    capital_change: capitalChangesOf(movements, (movement) => linesAfter(movement, history, claim)),
    claim,
    claim_total: claimTotalsOf(history, claim),
    credit: creditsOf(history),
    due_day: dueDaysOf(history, claim),
    execution: executionsOf(history),
    execution_leg: legsOf(history),
    issuer: issuersOf(history),
    issuer_day: issuerDaysOf(history, claim, movements),
    payment_record: paymentRecordsOf(history, claim),
    pending_terms: pendingTermsOf(history),
    position_change: changes,
    position_day: positionDaysOf(changes),
    route_cancellation: cancellationsOf(history),
    router: routersOf(history),
    settlement: settlementsOf(history, claim),
    status_version: statusVersionsOf(history),
    token: tokensOf(history),
    token_day: tokenDaysOf(history, movements, vault),
    value_day,
    vault: vault.map((row) => ({ ...row, ...linesOf(row, movements, value_day) })),
    vault_day: vaultDaysOf(movements, vault, value_day),
    vault_position: positions,
    vault_terms: vaultTermsOf(vault),
    vault_version: vaultVersionsOf(history),
  }
}

type Cell = string | null
type Row = Readonly<Record<string, Cell>>

/** A value as Postgres writes it; hexadecimal in lowercase. */
function cell(value: unknown): Cell {
  if (value === null) return null
  if (Array.isArray(value)) return `{${value.join()}}`
  if (typeof value === 'boolean') return value ? 't' : 'f'
  const text = String(value)
  return /^0x[0-9a-f]*$/i.test(text) ? text.toLowerCase() : text
}

/** Rows in a total order, with their columns in one order. */
export function asCells(rows: readonly object[]): Row[] {
  const cells = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .map(([column, value]) => [column, cell(value)] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )
  return cells.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

const asText = { getTypeParser: () => (text: string) => text }

/** Each table of the projection with all of its rows and columns, as Postgres writes them. */
export async function readTables(pool: pg.Pool): Promise<Record<string, Row[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'projection' AND table_name NOT LIKE '\\_%' ORDER BY table_name`,
  )
  const read = tables.map(async ({ name }) => {
    const text = `SELECT * FROM projection.${pg.escapeIdentifier(name)}`
    const { rows } = await pool.query<Row>({ text, types: asText })
    return [name, asCells(rows)] as const
  })
  return Object.fromEntries(await Promise.all(read))
}
