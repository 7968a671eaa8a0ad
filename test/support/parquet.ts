/** Reads Parquet files by DuckDB, which shares no code with what writes ours. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDuckDb } from './duckdb.ts'

/** A column as DuckDB sees it. */
type Column = { name: string; type: string }

export async function openParquetReader() {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-'))
  const duckDb = await openDuckDb(folder)
  let files = 0
  const columnsOf = async (path: string): Promise<Column[]> => {
    const rows = await duckDb.query(`describe select * from read_parquet('${path}')`)
    return rows.map(({ column_name, column_type }) => ({
      name: String(column_name),
      type: String(column_type),
    }))
  }
  return {
    query: duckDb.query,
    columnsOf,
    /** @returns the path of a file with these bytes */
    save: (bytes: ArrayBuffer): string => {
      files += 1
      const path = join(folder, `${files}.parquet`)
      writeFileSync(path, new Uint8Array(bytes))
      return path
    },
    /** The rows of a file as texts, in its order: values as JSON writes them, and null for none. */
    rowsOf: async (path: string): Promise<{ columns: Column[]; rows: (string | null)[][] }> => {
      const columns = await columnsOf(path)
      const texts = columns.map(({ name, type }, index) => `${textOf(type, `"${name}"`)} as c${index}`)
      const rows = await duckDb.query(`select ${texts.join(', ')} from read_parquet('${path}')`)
      return {
        columns,
        rows: rows.map((row) => columns.map((_, index) => cellOf(row[`c${index}`]))),
      }
    },
    stop: () => {
      duckDb.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export type ParquetReader = Awaited<ReturnType<typeof openParquetReader>>

function textOf(type: string, column: string): string {
  if (type === 'TIMESTAMP WITH TIME ZONE')
    return `strftime(${column} at time zone 'UTC', '%Y-%m-%dT%H:%M:%SZ')`
  if (type.endsWith('[]')) return `to_json(${column})::varchar`
  return type === 'DOUBLE' ? column : `${column}::varchar`
}

function cellOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
