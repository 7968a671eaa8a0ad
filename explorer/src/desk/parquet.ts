/** Reads a Parquet file of the gateway as columns of text with the types of DuckDB. */
import { parquetMetadata, parquetReadObjects, parquetSchema, type SchemaTree } from 'hyparquet'

/**
 * A column, and the column whose text has its values. An amount has a second column, its number, of which the reader
 * would keep 53 bits: its values are made from the text of the first.
 */
export type Column = { name: string; type: string; from: string }

/** Texts of one column in a part of the rows. */
export type Texts = { name: string; values: readonly (string | null)[] }

/** `parts` are the row groups, one after another: all rows as objects would take a multiple of the file. */
export type ParquetTable = {
  columns: readonly Column[]
  length: number
  parts: () => AsyncIterable<readonly Texts[]>
}

const DECIMAL = '_decimal'

export function openParquet(file: ArrayBuffer): ParquetTable {
  const metadata = parquetMetadata(file)
  const columns = parquetSchema(metadata).children.map((child): Column => {
    const { name } = child.element
    return name.endsWith(DECIMAL)
      ? { name, type: 'DECIMAL(38,0)', from: name.slice(0, -DECIMAL.length) }
      : { name, type: typeOf(child), from: name }
  })
  const stored = columns.filter(({ name, from }) => name === from).map(({ name }) => name)
  async function* parts() {
    let rowStart = 0
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows)
      const rows = await parquetReadObjects({ file, metadata, columns: stored, rowStart, rowEnd })
      yield stored.map((name) => ({ name, values: rows.map((row) => textOf(row[name])) }))
      rowStart = rowEnd
    }
  }
  return { columns, length: Number(metadata.num_rows), parts }
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
