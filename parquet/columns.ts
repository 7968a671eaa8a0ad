/** Columns of Parquet files, by the names that SQL has for their types. */
import type { SchemaElement } from 'hyparquet-writer'

/**
 * Type of a column, and of its values in JavaScript: text for `VARCHAR`, a number for `INTEGER` and `DOUBLE`, a bigint
 * for `BIGINT`, `DECIMAL(38,0)` and `TIMESTAMP` (milliseconds since 1970, UTC), an array of them for a list.
 */
export type ParquetType =
  | 'VARCHAR'
  | 'BOOLEAN'
  | 'INTEGER'
  | 'BIGINT'
  | 'DOUBLE'
  | 'TIMESTAMP'
  | 'DECIMAL(38,0)'
  | 'INTEGER[]'
  | 'VARCHAR[]'

export type ParquetColumn = { readonly name: string; readonly type: ParquetType }

/** The largest precision that readers of Parquet share; 16 bytes hold it. */
const DECIMAL_DIGITS = 38
const DECIMAL_BOUND = 10n ** BigInt(DECIMAL_DIGITS)

/** Name of the column with the number of an amount. The column of the amount itself has the exact text. */
export function decimalName(amount: string): string {
  return `${amount}_decimal`
}

/** The number of an amount for a column of type `DECIMAL(38,0)`; null for an amount with more digits. */
export function toDecimal(amount: string): bigint | null {
  const value = BigInt(amount)
  return value > -DECIMAL_BOUND && value < DECIMAL_BOUND ? value : null
}

/** Every column is nullable. */
export function schemaOf(columns: readonly ParquetColumn[]): SchemaElement[] {
  const root = { name: 'root', num_children: columns.length }
  return [root, ...columns.flatMap(({ name, type }) => elementsOf(name, type))]
}

const PRIMITIVES = {
  VARCHAR: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  BOOLEAN: { type: 'BOOLEAN' },
  INTEGER: { type: 'INT32' },
  BIGINT: { type: 'INT64' },
  DOUBLE: { type: 'DOUBLE' },
  TIMESTAMP: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  'DECIMAL(38,0)': {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: 16,
    converted_type: 'DECIMAL',
    precision: DECIMAL_DIGITS,
    scale: 0,
    logical_type: { type: 'DECIMAL', precision: DECIMAL_DIGITS, scale: 0 },
  },
} as const satisfies Record<Exclude<ParquetType, `${string}[]`>, Partial<SchemaElement>>

function elementsOf(name: string, type: ParquetType): SchemaElement[] {
  if (type === 'INTEGER[]') return listOf(name, PRIMITIVES.INTEGER)
  if (type === 'VARCHAR[]') return listOf(name, PRIMITIVES.VARCHAR)
  return [{ name, repetition_type: 'OPTIONAL', ...PRIMITIVES[type] }]
}

function listOf(name: string, element: Partial<SchemaElement>): SchemaElement[] {
  return [
    {
      name,
      repetition_type: 'OPTIONAL',
      num_children: 1,
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { ...element, name: 'element', repetition_type: 'REQUIRED' },
  ]
}
