/** Reads the lists of the gateway into the tables of the desk. */
import { type Gateway, GatewayError } from 'claim-financing-client'
import type { Engine } from './engine.ts'
import type { TableName } from './names.ts'
import { readParquet } from './parquet.ts'

export type Loaded = { name: TableName; rows: number; block: number; columns: readonly string[] }

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
