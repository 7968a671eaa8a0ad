/** Reads a Parquet file of the gateway as columns of text with the types of DuckDB. */
import { parquetMetadata, parquetReadObjects, parquetSchema, type SchemaTree } from 'hyparquet'

/**
 * `from` is the column whose text has the value. An amount has a second column, its number, of which the reader would
 * keep 53 bits: it is made from the text of the first, and has no `values` of its own.
 */
export type ColumnData = {
  name: string
  type: string
  from: string
  values: readonly (string | null)[] | undefined
}

export type TableData = { columns: readonly ColumnData[]; length: number }

const DECIMAL = '_decimal'

export async function readParquet(file: ArrayBuffer): Promise<TableData> {
  const { children } = parquetSchema(parquetMetadata(file))
  const rows = await parquetReadObjects({ file })
  const columns = children.map((child): ColumnData => {
    const { name } = child.element
    if (name.endsWith(DECIMAL))
      return { name, type: 'DECIMAL(38,0)', from: name.slice(0, -DECIMAL.length), values: undefined }
    return { name, type: typeOf(child), from: name, values: rows.map((row) => textOf(row[name])) }
  })
  return { columns, length: rows.length }
}

function typeOf({ element, children }: SchemaTree): string {
  const [item] = children[0]?.children ?? []
  if (item) return `${typeOf(item)}[]`
  // Times are in UTC. Those with a zone would need an extension.
  if (element.logical_type?.type === 'TIMESTAMP') return 'TIMESTAMP'
  switch (element.type) {
    case 'BOOLEAN':
      return 'BOOLEAN'
    case 'INT32':
      return 'INTEGER'
    case 'INT64':
      return 'BIGINT'
    case 'DOUBLE':
      return 'DOUBLE'
    default:
      return 'VARCHAR'
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '')
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value)
}
