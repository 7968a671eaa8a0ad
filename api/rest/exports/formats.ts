/** Formats of exports: how a file is described, and how it is written. */
import { writeParquet } from '../../../parquet/write.ts'
import type { Column } from '../../graphql/serve/define-exports.ts'
import { toStoredColumns } from '../../graphql/serve/export-parquet.ts'
import type { Cell } from '../../graphql/serve/export-units.ts'
import type { ExportRow } from '../../graphql/serve/read-export.ts'
import { toCsv } from '../shared/csv.ts'
import type { Download } from '../shared/download.ts'

type Pages = AsyncIterable<readonly ExportRow[]>

export type ExportFormat = {
  readonly extension: string
  readonly name: string
  readonly mediaType: string
  /** Schema of the body. Bytes have none. */
  readonly schema: { readonly type?: 'string' }
  readonly description: string
  /** Table of the columns, in Markdown. */
  readonly columnTable: (columns: readonly Column[]) => string
  readonly write: (cells: readonly Cell[], pages: Pages) => Download['parts']
}

const csv: ExportFormat = {
  extension: 'csv',
  name: 'CSV',
  mediaType: 'text/csv; charset=utf-8; header=present',
  schema: { type: 'string' },
  description: 'A header line, then one line per row.',
  columnTable: (columns) =>
    tableOf(
      ['column', 'meaning'],
      columns.map(({ name, description }) => [`\`${name}\``, description]),
    ),
  write: writeLines,
}

const parquet: ExportFormat = {
  extension: 'parquet',
  name: 'Parquet',
  mediaType: 'application/vnd.apache.parquet',
  schema: {},
  description:
    'A Parquet file. Amounts are exact texts; the column after an amount, with `_decimal` at the end of its name, has its number, and null for a number of more than 38 digits. Times are in UTC.',
  columnTable: (columns) => tableOf(['column', 'type', 'meaning'], columns.flatMap(describeStored)),
  write: (cells, pages) => {
    const columns = toStoredColumns(cells)
    return writeParquet(columns, toRows(columns, pages))
  },
}

/** A list is offered in each of them. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [csv, parquet]

/** The names of the columns, then the rows of each page. */
async function* writeLines(cells: readonly Cell[], pages: Pages) {
  let header: ExportRow[] = [cells.map(({ name }) => name)]
  for await (const rows of pages) {
    yield toCsv([...header, ...rows])
    header = []
  }
}

async function* toRows(columns: ReturnType<typeof toStoredColumns>, pages: Pages) {
  for await (const rows of pages) {
    yield rows.map((row) => columns.map(({ valueIn }) => valueIn(row)))
  }
}

function describeStored(column: Column): string[][] {
  const cell = { ...column, isAmount: column.unit !== undefined }
  return toStoredColumns([cell]).map(({ name, type }) => [
    `\`${name}\``,
    type,
    name === column.name ? column.description : `Number of \`${column.name}\`.`,
  ])
}

function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
