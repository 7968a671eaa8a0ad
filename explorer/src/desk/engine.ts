/** DuckDB in a worker of this page. It reads no file and no host: tables are put in by the page. */
import { AsyncDuckDB, type AsyncDuckDBConnection, VoidLogger } from '@duckdb/duckdb-wasm'
import workerUrl from '@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js?url'
import wasmUrl from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url'
import { Table } from 'apache-arrow'
import { textVector } from './arrow.ts'
import type { ParquetTable } from './parquet.ts'

/** A query of a person can run without end; `stop` ends the worker, and the tables with it. */
export type Engine = {
  put: (name: string, table: ParquetTable) => Promise<void>
  /** @throws Error in the words of DuckDB */
  run: (sql: string) => Promise<Answer>
  stop: () => void
}

/** Values as text, exact. `isCut` is true if rows are missing. */
export type Answer = {
  columns: readonly { name: string; type: string }[]
  rows: readonly (readonly (string | null)[])[]
  isCut: boolean
}

const ROWS_MAX = 50_000

/** The database would load extensions from another host when a query names something that it does not know. */
const SETTINGS = `
  SET autoinstall_known_extensions = false;
  SET autoload_known_extensions = false;
  SET enable_external_access = false;
  SET lock_configuration = true;`

export async function startEngine(): Promise<Engine> {
  // The worker does not report a file that it cannot load. Afterwards, the browser has it.
  const file = new URL(wasmUrl, location.href).href
  const response = await fetch(file)
  if (!response.ok) throw new Error(`DuckDB cannot be loaded: ${file} answered ${response.status}.`)
  await response.arrayBuffer()
  const worker = new Worker(new URL(workerUrl, location.href))
  const database = new AsyncDuckDB(new VoidLogger(), worker)
  await database.instantiate(file)
  await database.open({})
  const connection = await database.connect()
  await connection.query(SETTINGS)
  return {
    put: (name, table) => put(connection, name, table),
    run: (sql) => run(connection, sql),
    stop: () => worker.terminate(),
  }
}

/** Arrow carries text, which DuckDB casts to the types of the file: its decimals have more digits than numbers. */
async function put(connection: AsyncDuckDBConnection, name: string, table: ParquetTable): Promise<void> {
  const [target, raw] = [quoted(name), `raw_${name}`]
  const types = table.columns.map((column) => `${quoted(column.name)} ${column.type}`)
  await connection.query(`CREATE OR REPLACE TABLE ${target} (${types.join()})`)
  const casts = table.columns.map(({ from, type }) => `TRY_CAST(${quoted(from)} AS ${type})`)
  for await (const part of table.parts()) {
    const vectors = part.map((column) => [column.name, textVector(column.values)])
    await connection.query(`DROP TABLE IF EXISTS ${quoted(raw)}`)
    await connection.insertArrowTable(new Table(Object.fromEntries(vectors)), { name: raw })
    await connection.query(`INSERT INTO ${target} SELECT ${casts.join()} FROM ${quoted(raw)}`)
  }
  await connection.query(`DROP TABLE IF EXISTS ${quoted(raw)}`)
}

async function run(connection: AsyncDuckDBConnection, sql: string): Promise<Answer> {
  const query = sql.trim().replace(/;\s*$/, '')
  const described = textsOf(await connection.query(`DESCRIBE (${query}\n)`))
  const columns = described.map(([name, type]) => ({ name: name ?? '', type: type ?? '' }))
  const casts = columns.map(({ name }) => `CAST(${quoted(name)} AS VARCHAR)`)
  const answer = await connection.query(`SELECT ${casts.join()} FROM (${query}\n) LIMIT ${ROWS_MAX + 1}`)
  const rows = textsOf(answer)
  return { columns, rows: rows.slice(0, ROWS_MAX), isCut: rows.length > ROWS_MAX }
}

type Rows = Awaited<ReturnType<AsyncDuckDBConnection['query']>>

function textsOf(rows: Rows): (string | null)[][] {
  const columns = Array.from({ length: rows.numCols }, (_, index) => rows.getChildAt(index))
  return Array.from({ length: rows.numRows }, (_, row) =>
    columns.map((column) => {
      const value: unknown = column?.get(row)
      return value === null || value === undefined ? null : String(value)
    }),
  )
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
