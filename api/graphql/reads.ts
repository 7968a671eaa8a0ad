/**
 * How fields are read, declared once: the resolver and the SQL of a field come from one declaration. An operation whose fields all have
 * one is read in one statement (`compile/`); any other runs by its resolvers. A field that exposes a column needs no more.
 */
import { sql } from 'kysely'
import type { Address } from 'viem'
import { effectiveDiscountBps } from '../domain/discount.ts'
import { BPS_DENOMINATOR } from '../domain/limits.ts'
import type { Sql } from '../projection/json.ts'
import { readShortLists, type ShortList } from '../projection/keys.ts'
import type { ListedSource } from '../projection/page.ts'
import type { Scope } from '../projection/scope.ts'
import { kindOf, sqlTypes, type Table } from '../projection/source.ts'
import { batched, type GraphqlContext } from './context.ts'
import { reading } from './declared-read.ts'

/** The row that a column has the key of. */
export function refersTo<const C extends string>(column: C, source: ListedSource) {
  const [by = ''] = source.key
  return {
    resolve: <V>(row: { readonly [K in C]: V }): V => row[column],
    ...reading({ kind: 'row', source, by, key: (row) => row.column(column) }),
  }
}

/** The account that a column has the address of. */
export function accountAt<const C extends string>(column: C) {
  return {
    resolve: (row: { readonly [K in C]: Address }) => ({ address: row[column] }),
    ...reading({ kind: 'account', address: (row) => row.column(column) }),
  }
}

/** The same row, as an object with some of its values. */
export const samePart = {
  resolve: <R>(row: R): R => row,
  ...reading({ kind: 'part' }),
}

/** A column, for a field that has a resolver because its objects are not all rows. */
export function readsColumn(column: string) {
  return reading({ kind: 'value', value: (row) => row.column(column) })
}

/** The account whose address is an argument. */
export function accountOf<const A extends string>(argument: A) {
  return {
    resolve: (_: unknown, args: { readonly [K in A]: Address }) => ({ address: args[argument] }),
    ...reading<{ readonly [K in A]: Address }>({
      kind: 'account',
      address: (_, args) => sql`${args[argument]}::text`,
    }),
  }
}

/** The discount in basis points of face, rounded up, as `effectiveDiscountBps`. */
export function discountOf<const F extends string, const A extends string>(face: F, advance: A) {
  const value = (row: Scope) => {
    const [whole, paid] = [row.column(face), row.column(advance)]
    return sql`case when ${whole} = 0 then 0
      else div((${whole} - ${paid}) * ${sql.lit(Number(BPS_DENOMINATOR))} + ${whole} - 1, ${whole}) end`
  }
  return {
    resolve: (row: { readonly [K in F | A]: bigint }): number => {
      const [whole, paid]: [bigint, bigint] = [row[face], row[advance]]
      return Number(effectiveDiscountBps(whole - paid, whole))
    },
    ...reading({ kind: 'value', value }),
  }
}

/** A column less another. */
export function difference<const A extends string, const B extends string>(from: A, less: B) {
  return {
    resolve: (row: { readonly [K in A | B]: bigint }): bigint => {
      const [whole, part]: [bigint, bigint] = [row[from], row[less]]
      return whole - part
    },
    ...reading({ kind: 'value', value: (row) => sql`${row.column(from)} - ${row.column(less)}` }),
  }
}

/** A value of the row and, where it depends on the time, of the finalized block: as a function and as SQL. */
export function computed<R, V>(resolve: (row: R) => V, value: (scope: Scope) => Sql) {
  return { resolve: (row: R) => resolve(row), ...reading({ kind: 'value', value }) }
}

/** The same of a value that depends on the time of the finalized block. */
export function computedAt<R, V>(resolve: (row: R, now: bigint) => V, value: (scope: Scope) => Sql) {
  return {
    resolve: async (row: R, _: unknown, { operation }: GraphqlContext) =>
      resolve(row, (await operation.finalizedThrough()).timestamp),
    ...reading({ kind: 'value', value }),
  }
}

/** All rows of a short list whose key is in a column. */
export function rowsOf<T extends Table, const C extends string>(list: ShortList<T>, column: C) {
  const load = batched((snapshot, keys) => readShortLists(snapshot, list, keys))
  return {
    resolve: (row: { readonly [K in C]: string }, _: unknown, { operation }: GraphqlContext) =>
      load(operation, row[column], null),
    ...reading({ kind: 'rows', list, key: (row) => row.column(column) }),
  }
}

/** The row whose key is an argument. */
export function rowAt<const A extends string>(source: ListedSource, argument: A) {
  const [by = ''] = source.key
  const type = sql.raw(sqlTypes[kindOf(source, by)])
  return {
    resolve: <V>(_: unknown, args: { readonly [K in A]: V }): V => args[argument],
    ...reading<{ readonly [K in A]: unknown }>({
      kind: 'row',
      source,
      by,
      key: (_, args) => sql`${args[argument]}::${type}`,
    }),
  }
}
