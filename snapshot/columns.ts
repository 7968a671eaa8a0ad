/** Columns of a view of Postgres as columns of a Parquet file. */
import pg from 'pg'
import { LAST_ISO_SECOND } from '../api/domain/time.ts'
import { decimalName, type ParquetColumn, type ParquetType, toDecimal } from '../parquet/columns.ts'

/** A column of a view, with its type in Postgres. */
export type ViewColumn = { readonly name: string; readonly type: string; readonly meaning: string }

/** A column of a file, and its value in a row of the view. */
export type FileColumn = ParquetColumn & {
  readonly meaning: string
  readonly valueIn: (row: ViewRow) => unknown
}

/** Values by the names of the columns. Those of type `numeric` are texts. */
export type ViewRow = Readonly<Record<string, unknown>>

/** Names of Unix seconds and of numbers of blocks. All other values of type `numeric` are amounts or the like. */
const TIME = /^(?:at|day|since|since_after)$|_(?:at|day)$/
const BLOCK = /(?:^|_)block$/

const TYPES: Readonly<Record<string, ParquetType | undefined>> = {
  text: 'VARCHAR',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  'integer[]': 'INTEGER[]',
  'numeric[]': 'VARCHAR[]',
}

/** Writes the column as an expression of SQL, in which no number loses a digit. */
export function toSql({ name, type }: ViewColumn): string {
  const column = pg.escapeIdentifier(name)
  return type.startsWith('numeric') ? `${column}::${type.replace('numeric', 'text')} as ${column}` : column
}

/**
 * Returns the columns of the file: a time, the number of a block or the place of an event as such, and any other number
 * of type `numeric` as exact text, with its number in the next column.
 *
 * @throws Error for a type that the projection does not have
 */
export function toFileColumns({ name, type, meaning }: ViewColumn): FileColumn[] {
  const column = (own: ParquetType, convert: (text: string) => unknown): FileColumn => ({
    name,
    type: own,
    meaning,
    valueIn: ({ [name]: value }) => (typeof value === 'string' ? convert(value) : (value ?? null)),
  })
  const keep = (text: string) => text
  const known = TYPES[type]
  if (known) return [column(known, keep)]
  if (type === 'bigint') return [column('BIGINT', BigInt)]
  if (type !== 'numeric') throw new Error(`column ${name} has type ${type}, which snapshots do not have`)
  if (TIME.test(name)) return [column('TIMESTAMP', toMilliseconds)]
  if (BLOCK.test(name)) return [column('BIGINT', BigInt)]
  const number = column('DECIMAL(38,0)', toDecimal)
  return [
    column('VARCHAR', keep),
    { ...number, name: decimalName(name), meaning: `Number of ${name}; null beyond 38 digits.` },
  ]
}

/** A time after the year 9999 is the last second of this year, as in the API. */
function toMilliseconds(seconds: string): bigint {
  const at = BigInt(seconds)
  return (at < LAST_ISO_SECOND ? at : LAST_ISO_SECOND) * 1000n
}
