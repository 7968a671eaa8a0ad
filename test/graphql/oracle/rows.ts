/** All rows of the projection in memory, and the columns of fields. */
import { sql } from 'kysely'
import type { ProjectionDb } from '../../../api/projection/session/database.ts'
import { PROJECTION_SCHEMA, sqlName } from '../../../api/projection/sql/source.ts'
import type { Labels } from '../../../deployments/labels.ts'

export type Value = string | number | bigint | boolean
export type Row = { readonly [column: string]: Value | null | readonly (number | bigint)[] }

/** The primary key of each type of rows. The name of a type is that of its table. */
export const keys: { readonly [type: string]: readonly string[] | undefined } = {
  Activity: ['id'],
  Allocation: ['claimId', 'sliceIndex'],
  CapitalChange: ['id'],
  Claim: ['id'],
  Credit: ['account', 'token'],
  Execution: ['id'],
  ExecutionLeg: ['executionId', 'legIndex'],
  Issuer: ['address'],
  IssuerDay: ['issuer', 'token', 'day'],
  PaymentRecord: ['issuer', 'token'],
  PendingTerms: ['vault'],
  PositionChange: ['id'],
  PositionDay: ['vault', 'owner', 'day'],
  ValueDay: ['vault', 'day'],
  Router: ['id'],
  Settlement: ['id'],
  Token: ['address'],
  TokenDay: ['token', 'day'],
  Vault: ['address'],
  VaultDay: ['vault', 'day'],
  VaultPosition: ['vault', 'owner'],
  VaultTerms: ['vault', 'claimType'],
}

/** The columns that order rows of equal values, where they are not the key. */
export const ties: typeof keys = {
  Allocation: ['ordinal'],
  Claim: ['ordinal'],
  Execution: ['ordinal'],
  ExecutionLeg: ['ordinal'],
}

/** Values of the gateway. */
export type Gateway = { readonly labels: Labels; readonly router: string }

export type World = Gateway & {
  readonly rows: ReadonlyMap<string, readonly Row[]>
  /** The finalized block. */
  readonly block: { readonly blockNumber: bigint; readonly timestamp: bigint }
}

export async function readWorld(db: ProjectionDb, gateway: Gateway): Promise<World> {
  const rows = new Map<string, readonly Row[]>()
  for (const type of Object.keys(keys)) {
    const view = sql.raw(`"${PROJECTION_SCHEMA}"."${sqlName(type).slice(1)}"`)
    rows.set(type, (await sql<Row>`select * from ${view}`.execute(db)).rows)
  }
  const checkpoint = await sql<{ latestCheckpoint: string }>`
    select latest_checkpoint from ${sql.raw(`"${PROJECTION_SCHEMA}"`)}._ponder_checkpoint`.execute(db)
  const text = checkpoint.rows[0]?.latestCheckpoint ?? ''
  const block = { timestamp: BigInt(text.slice(0, 10)), blockNumber: BigInt(text.slice(26, 42)) }
  return { ...gateway, rows, block }
}

export function rowsOf({ rows }: World, type: string): readonly Row[] {
  const found = rows.get(type)
  if (!found) throw new Error(`there are no rows of the type ${type}`)
  return found
}

/** The row with this value in the first column of its key; null where there is none. */
export function find(world: World, type: string, key: Row[string]): Row | null {
  const [column = ''] = keys[type] ?? []
  return rowsOf(world, type).find((row) => row[column] === key) ?? null
}

/** Columns of fields that have another name. */
const columns: { readonly [field: string]: string | undefined } = {
  account: 'address',
  address: 'id',
  averageDaysLate: 'averageDelay',
  blockNumber: 'block',
  claim: 'claimId',
  claimId: 'id',
  dueDate: 'dueAt',
  dueDateUnix: 'dueAt',
  executedAt: 'at',
  execution: 'executionId',
  executionId: 'id',
  fundableLiquidity: 'idleAssets',
  issuer: 'address',
  pendingTerms: 'address',
  registrationTransaction: 'registeredTx',
  settledAt: 'at',
  tokenInfo: 'token',
  transactionHash: 'tx',
}

/** The column of a field: that of its name where the row has it. */
export function columnOf(row: Row, field: string): string {
  return field in row ? field : (columns[field] ?? field)
}

export function valueAt(row: Row, field: string): Row[string] {
  return row[columnOf(row, field)] ?? null
}

/** The value of a column of whole numbers. */
export function integer(row: Row, column: string): bigint {
  const value = row[column]
  if (typeof value !== 'bigint' && typeof value !== 'number') throw new Error(`${column} is no integer`)
  return BigInt(value)
}

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`${column} is no text`)
  return value
}

/** An order of values of one type. */
export function compare(a: Row[string], b: Row[string]): number {
  if (a === null || b === null) throw new Error('null has no order')
  return a < b ? -1 : a > b ? 1 : 0
}
