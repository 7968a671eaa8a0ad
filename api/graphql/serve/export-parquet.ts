/** Cells of an export as columns of a Parquet file. */
import { decimalName, type ParquetColumn, type ParquetType, toDecimal } from '../../../parquet/columns.ts'
import type { Cell } from './export-units.ts'
import type { ExportRow } from './read-export.ts'

/** A column of a file, and its value in a row. */
export type StoredColumn = ParquetColumn & { readonly valueIn: (row: ExportRow) => unknown }

/** Returns the columns of the cells: each cell, and after an amount its number (`faceValue_decimal`). */
export function toStoredColumns(cells: readonly Pick<Cell, 'name' | 'type' | 'isAmount'>[]): StoredColumn[] {
  return cells.flatMap(({ name, type, isAmount }, index): StoredColumn[] => {
    const convert = CONVERSIONS[type] ?? keep
    const own: StoredColumn = { name, type, valueIn: (row) => convert(row[index]) }
    if (!isAmount) return [own]
    const valueIn = (row: ExportRow) => numberOf(row[index])
    return [own, { name: decimalName(name), type: 'DECIMAL(38,0)', valueIn }]
  })
}

const keep = (value: unknown) => value

/** For types whose values are others than those of JSON. */
const CONVERSIONS: { readonly [T in ParquetType]?: (value: unknown) => unknown } = {
  BIGINT: (value) => (typeof value === 'number' ? BigInt(value) : null),
  TIMESTAMP: (value) => (typeof value === 'string' ? BigInt(Date.parse(value)) : null),
}

function numberOf(amount: unknown): bigint | null {
  return typeof amount === 'string' ? toDecimal(amount) : null
}
