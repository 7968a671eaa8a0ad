/** Writes Parquet files as streams of bytes. One row group is in memory at a time. */
import { setImmediate } from 'node:timers/promises'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type ParquetColumn, schemaOf } from './columns.ts'

/** A value for each column; null for none. */
export type ParquetRow = readonly unknown[]

/** Rows after which a row group ends. A larger one holds its memory and the thread for longer. */
export const ROW_GROUP_ROWS = 5_000
/** Maximum number of bytes of one part. */
export const PART_BYTES = 65_536

/**
 * Writes rows as the parts of a Parquet file. The file ends with its footer, without which no reader accepts it.
 *
 * @param pages rows in their order, read as the parts are taken
 */
export async function* writeParquet(
  columns: readonly ParquetColumn[],
  pages: AsyncIterable<readonly ParquetRow[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new ByteWriter()
  const file = new ParquetWriter({ writer: bytes, schema: schemaOf(columns) })
  let rows: ParquetRow[] = []
  for await (const page of pages) {
    // The first bytes precede the first row group, so a reader of the parts learns early that the rows can be read.
    yield* take(bytes)
    rows.push(...page)
    if (rows.length < ROW_GROUP_ROWS) continue
    yield* writeRowGroup(file, bytes, columns, rows)
    rows = []
  }
  if (rows.length > 0) yield* writeRowGroup(file, bytes, columns, rows)
  file.finish()
  yield* take(bytes)
}

/** Writes column by column, so that other work has its turn between two columns. */
async function* writeRowGroup(
  file: ParquetWriter,
  bytes: ByteWriter,
  columns: readonly ParquetColumn[],
  rows: readonly ParquetRow[],
) {
  const before = file.row_groups.length
  for (const [index, { name }] of columns.entries()) {
    file.write({ columnData: [{ name, data: rows.map((row) => row[index]) }], rowGroupSize: rows.length })
    yield* take(bytes)
    await setImmediate()
  }
  joinRowGroups(file, before, rows.length)
}

/** Makes one row group of those that the writer has made of the columns. */
function joinRowGroups(file: ParquetWriter, first: number, rows: number): void {
  const groups = file.row_groups.splice(first)
  file.row_groups.push({
    columns: groups.flatMap(({ columns }) => columns),
    num_rows: BigInt(rows),
    total_byte_size: groups.reduce((sum, { total_byte_size: size }) => sum + size, 0n),
    total_compressed_size: groups.reduce((sum, { total_compressed_size: size }) => sum + (size ?? 0n), 0n),
  })
  file.num_rows -= BigInt(rows * (groups.length - 1))
}

/** The bytes that were written since the last call, in parts. */
function* take(bytes: ByteWriter): Generator<Uint8Array, void, undefined> {
  const written = bytes.getBytes().slice()
  bytes.index = 0
  for (let start = 0; start < written.length; start += PART_BYTES) {
    yield written.subarray(start, start + PART_BYTES)
  }
}
