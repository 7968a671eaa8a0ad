/** The lists of a gateway in DuckDB, read from their Parquet files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { TABLES } from '../../explorer/src/desk/names.ts'
import type { ReadGateway } from '../rest/gateway.ts'

export type Lists = {
  /** The rows of a query, each value as text. */
  rowsOf: (sql: string) => Promise<(string | null)[][]>
  stop: () => void
}

export async function loadLists(gateway: ReadGateway): Promise<Lists> {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'))
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run("SET TimeZone = 'UTC'")
  for (const name of TABLES) {
    const response = await gateway.get(`/exports/${name}.parquet`)
    const file = join(folder, `${name}.parquet`)
    writeFileSync(file, new Uint8Array(await response.arrayBuffer()))
    await connection.run(`CREATE TABLE "${name}" AS SELECT * FROM '${file}'`)
  }
  return {
    rowsOf: async (sql) => {
      const answer = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)
      return answer.getRows().map((row) => row.map((value) => (value === null ? null : String(value))))
    },
    stop: () => {
      connection.closeSync()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
