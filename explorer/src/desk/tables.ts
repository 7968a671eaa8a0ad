/** The tables of the desk: lists of the gateway, and the block that they show. */
import type { Gateway } from 'claim-financing-client'
import { GatewayError } from 'claim-financing-client'
import type { Engine } from './engine.ts'
import { readParquet } from './parquet.ts'

export const TABLES = [
  'claims',
  'allocations',
  'vaults',
  'vaultDays',
  'vaultPositions',
  'positionChanges',
  'capitalChanges',
  'issuers',
  'issuerDays',
  'paymentRecords',
  'settlements',
  'executions',
  'executionLegs',
  'activity',
  'tokens',
  'tokenDays',
] as const

export type TableName = (typeof TABLES)[number]

export type Loaded = { name: TableName; rows: number; block: number; columns: readonly string[] }

/** The tables that a query names. */
export function tablesIn(sql: string): TableName[] {
  const words = new Set(sql.toLowerCase().match(/\w+/g))
  return TABLES.filter((name) => words.has(name.toLowerCase()))
}

/** Reads a list as it stands now. @throws GatewayError */
export async function loadTable(gateway: Gateway, engine: Engine, name: TableName): Promise<Loaded> {
  const response = await gateway.fetch(`${gateway.origin}/api/v1/exports/${name}.parquet`)
  if (!response.ok) throw await errorOf(response, name)
  const block = Number(response.headers.get('X-Finalized-Through'))
  const table = await readParquet(await response.arrayBuffer())
  await engine.put(name, table)
  return { name, rows: table.length, block, columns: table.columns.map((column) => column.name) }
}

async function errorOf(response: Response, name: string): Promise<GatewayError> {
  const { code, detail } = Object(await response.json().catch(() => undefined))
  const message = typeof detail === 'string' ? detail : `The gateway answered ${response.status} for ${name}.`
  return new GatewayError({ code: code ?? 'UNREACHABLE', message, status: response.status })
}
