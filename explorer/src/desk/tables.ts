/** Reads the lists of the gateway into the tables of the desk. */
import type { Gateway } from 'claim-financing-client'
import type { Engine } from './engine.ts'
import type { TableName } from './names.ts'
import { openParquet } from './parquet.ts'

export type Loaded = { name: TableName; rows: number; block: number; columns: readonly string[] }

/** Reads a list as it stands now. @throws Error in the words of the gateway */
export async function loadTable(gateway: Gateway, engine: Engine, name: TableName): Promise<Loaded> {
  const response = await gateway.fetch(`${gateway.origin}/api/v1/exports/${name}.parquet`)
  if (!response.ok) throw new Error(await reasonOf(response, name))
  const block = Number(response.headers.get('X-Finalized-Through'))
  const table = openParquet(await response.arrayBuffer())
  await engine.put(name, table)
  return { name, rows: table.length, block, columns: table.columns.map((column) => column.name) }
}

async function reasonOf(response: Response, name: string): Promise<string> {
  const problem: unknown = await response.json().catch(() => undefined)
  const { detail }: { detail?: unknown } = Object(problem)
  return typeof detail === 'string' ? detail : `The gateway answered ${response.status} for ${name}.`
}
