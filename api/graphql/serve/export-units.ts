/** Amounts of an export in whole units of their token, beside those in base units. */
import { formatUnits } from 'viem'
import type { ParquetType } from '../../../parquet/columns.ts'
import { SHARE_DIGITS } from '../../domain/limits.ts'
import { type Column, type ExportedList, type Path, valueAt } from './define-exports.ts'

/** A column of a file: the values of a row that it reads, and the cell that they make. */
export type Cell = {
  readonly name: string
  readonly paths: readonly Path[]
  readonly toValue: (values: readonly unknown[]) => unknown
  /** Type of the cells in a Parquet file. */
  readonly type: ParquetType
  /** Whether the cells are amounts in base units. */
  readonly isAmount: boolean
}

export const AMOUNT_FORMS = ['base', 'units'] as const
export type AmountForm = (typeof AMOUNT_FORMS)[number]

/**
 * Returns the cells of the columns. The form `units` adds the amount in whole units after each amount, and symbol and
 * decimals of the token before the first. A list without amounts stays as it is.
 */
export function toCells({ token }: ExportedList, columns: readonly Column[], form: AmountForm): Cell[] {
  const first = columns.findIndex(({ unit }) => unit)
  if (form === 'base' || !token || first < 0) return columns.map(plain)
  const decimals = [...token, 'decimals']
  const beside = columns.flatMap((column) => [plain(column), ...inUnits(column, decimals)])
  const ofToken = [
    plain({ name: 'token_symbol', path: [...token, 'symbol'], type: 'VARCHAR', unit: undefined }),
    plain({ name: 'token_decimals', path: decimals, type: 'INTEGER', unit: undefined }),
  ]
  return beside.toSpliced(first, 0, ...ofToken)
}

function plain({ name, path, type, unit }: Omit<Column, 'description'>): Cell {
  return { name, paths: [path], toValue: ([value]) => value, type, isAmount: unit !== undefined }
}

function inUnits({ name, path, unit }: Column, decimals: Path): Cell[] {
  if (!unit) return []
  const more = unit === 'share' ? SHARE_DIGITS : 0
  const toValue = ([amount, digits]: readonly unknown[]) =>
    typeof amount === 'string' && typeof digits === 'number'
      ? formatUnits(BigInt(amount), digits + more)
      : null
  return [{ name: `${name}_units`, paths: [path, decimals], toValue, type: 'VARCHAR', isAmount: false }]
}

/** Returns the cells of a row. */
export function cellsOf(row: unknown, cells: readonly Cell[]): readonly unknown[] {
  return cells.map(({ paths, toValue }) => toValue(paths.map((path) => valueAt(row, path))))
}
