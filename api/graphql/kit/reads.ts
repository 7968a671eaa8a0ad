/** Declarations of how fields are read (`declared-read.ts`). */
import { sql } from 'kysely'
import type { Address } from 'viem'
import { BPS_DENOMINATOR } from '../../domain/limits.ts'
import type { Sql } from '../../projection/sql/json.ts'
import type { ShortList } from '../../projection/sql/keys.ts'
import type { ListedSource } from '../../projection/sql/page.ts'
import type { Scope } from '../../projection/sql/scope.ts'
import { kindOf, sqlTypes, type Table } from '../../projection/sql/source.ts'
import { reading } from './declared-read.ts'

/** Refers to the row that a column has the key of. */
export function refersTo(column: string, source: ListedSource) {
  const [by = ''] = source.key
  return reading({ kind: 'row', source, by, key: (row) => row.column(column) })
}

/** Refers to the account that a column has the address of. */
export function accountAt(column: string) {
  return reading({ kind: 'account', address: (row) => row.column(column) })
}

/** Shows some values of the row as an object of their own. */
export const samePart = reading({ kind: 'part' })

/** Shows a column, for a field that may be null where the column is not. */
export function readsColumn(column: string) {
  return computed((row) => row.column(column))
}

/** Refers to the account whose address is the argument `address`. */
export const accountOfArgument = reading<{ readonly address: Address }>({
  kind: 'account',
  address: (_, { address }) => sql`${address}::text`,
})

/** Computes the discount in basis points of face, rounded up, as `effectiveDiscountBps`; 0 of no face. */
export function discountOf(face: string, advance: string) {
  return computed(
    (row) => sql`case when ${row.column(face)} = 0 then 0 else ${discount(row, face, advance)} end`,
  )
}

/** As `discountOf`, of a sum that can be one of nothing; its discount is null. */
export function discountOfSum(face: string, advance: string) {
  return computed((row) => discount(row, face, advance))
}

function discount(row: Scope, face: string, advance: string): Sql {
  const [whole, paid] = [row.column(face), row.column(advance)]
  return sql`div((${whole} - ${paid}) * ${sql.lit(Number(BPS_DENOMINATOR))} + ${whole} - 1, nullif(${whole}, 0))`
}

/** Subtracts a column from another. */
export function difference(from: string, less: string) {
  return computed((row) => sql`${row.column(from)} - ${row.column(less)}`)
}

/** Computes a value from the row and, where it depends on the time, the finalized block (`Scope.now`). */
export function computed(value: (scope: Scope) => Sql) {
  return reading({ kind: 'value', value })
}

/** Lists all rows of a short list whose key is in a column. */
export function rowsOf<T extends Table>(list: ShortList<T>, column: string) {
  return reading({ kind: 'rows', list, key: (row) => row.column(column) })
}

/** Refers to the row whose key is an argument. */
export function rowAt<const A extends string>(source: ListedSource, argument: A) {
  return reading<{ readonly [K in A]: unknown }>(rowRead(source, argument))
}

/** Reads as `rowAt`, for a declaration that adds to it. */
export function rowRead<const A extends string>(source: ListedSource, argument: A) {
  const [by = ''] = source.key
  const type = sql.raw(sqlTypes[kindOf(source, by)])
  return {
    kind: 'row' as const,
    source,
    by,
    key: (_: Scope, args: { readonly [K in A]: unknown }) => sql`${args[argument]}::${type}`,
  }
}
