/**
 * How a field is read, as its extensions declare it. A field that exposes a column or a property needs no declaration.
 */
import type { Address } from 'viem'
import type { Labels } from '../../../deployments/labels.ts'
import type { FinalizedThrough } from '../../projection/session/state.ts'
import type { CursorBlock } from '../../projection/sql/cursor.ts'
import type { Json, Sql } from '../../projection/sql/json.ts'
import type { ListedSource, PageRequest, PageSql } from '../../projection/sql/page.ts'
import type { RowBounds } from '../../projection/sql/row-bounds.ts'
import type { Scope } from '../../projection/sql/scope.ts'
import type { GlobalId } from './global-id.ts'
import type { Outside } from './outside.ts'

export type Read<Args> =
  /** A value from the columns of the row. */
  | { readonly kind: 'value'; readonly value: (scope: Scope, args: Args) => Sql }
  /** The label of a claim type or an issuer. */
  | { readonly kind: 'label'; readonly of: keyof Labels; readonly key: (scope: Scope) => Sql }
  /** An object with other values of the row, or other names for them. */
  | { readonly kind: 'part'; readonly scopeOf?: (scope: Scope) => Scope }
  /** The account with an address. */
  | { readonly kind: 'account'; readonly address: (scope: Scope, args: Args, writer: Writer) => Sql }
  /** The row of `source` whose column `by` is the key. */
  | {
      readonly kind: 'row'
      readonly source: ListedSource
      readonly by: string
      readonly key: (scope: Scope, args: Args, writer: Writer) => Sql
      /** A further condition on the row, for a key of several columns. */
      readonly also?: (row: Scope, args: Args) => Sql
      /** Finds the row elsewhere where the projection does not have it. Only for fields of the query. */
      readonly elsewhere?: (
        args: Args,
        outside: Outside,
        through: FinalizedThrough,
      ) => Promise<Elsewhere | undefined>
    }
  /** All rows with a key. */
  | { readonly kind: 'rows'; readonly list: AnyShortList; readonly key: (scope: Scope) => Sql }
  /** The object with a global id, or a list of them: null where there is none. */
  | { readonly kind: 'objects'; readonly ids: (args: Args, given: never) => GlobalId | readonly GlobalId[] }
  /** A connection. */
  | { readonly kind: 'page'; readonly list: (scope: Scope, args: Args, writer: Writer) => Listed }
  /** The items of a connection, as rows or as edges. */
  | { readonly kind: 'items' }
  /** One row of a relation, or all of them: sums, and points of a series. */
  | {
      readonly kind: 'relation'
      readonly relation: (scope: Scope, args: Args, writer: Writer) => Relation
    }
  /** A value that Postgres does not have. It is filled in once for all objects of the answer. */
  | {
      readonly kind: 'hole'
      /** The value of its object that determines it. Default: none. */
      readonly needs?: (scope: Scope) => Json
      /** Whether the value is one at the block, which can be one of the past. Default: no. */
      readonly isAtBlock?: boolean
      /** Whether a subscription to it also follows the latest block. Default: no. */
      readonly followsHead?: boolean
      /** @returns the value of each object, in their order */
      readonly fill: (
        needs: readonly unknown[],
        outside: Outside,
        through: FinalizedThrough,
        args: Args,
      ) => Promise<readonly unknown[]>
    }
  /** An object that is found before the statement is written, which may depend on it. Only for fields of the query. */
  | { readonly kind: 'asked'; readonly ask: (args: Args, outside: Outside) => Promise<object> }
  /** A value of an object that was found outside of Postgres. */
  | { readonly kind: 'given'; readonly value: (given: never, through: FinalizedThrough) => unknown }

/** Parts of the statement that is being written, for declarations. */
export type Writer = RowBounds & {
  /** Address of the protocol's router. */
  readonly router: Address
  /** A parameter: the wallet of the caller. */
  readonly caller: () => Sql
  /** The block of the past that is read; undefined in the present. */
  readonly cursorBlock: CursorBlock | undefined
}

/** Rows that the projection does not have, by their tables. */
export type Elsewhere = { readonly [table: string]: readonly object[] }

export type Relation = {
  /** @param uses the columns that fields use @returns `from` and its relation, whose rows have the name `row` */
  readonly from: (row: string, uses: ReadonlySet<string>) => Sql
  readonly scopeOf: (row: string) => Scope
  /** The column that orders the rows. */
  readonly orderBy: string
}

/** A page of a list in SQL. */
export type Listed = {
  readonly page: PageSql
  readonly request: PageRequest
  /** Whether one plan is good for all values of the filter. It is known when the page is written. */
  readonly hasOnePlan: () => boolean
  /** Whether the items are sums, of rows or of totals, which can be as many. Default: no. */
  readonly addsUpRows?: boolean
  /** An item, by the name of its row. */
  readonly scopeOf: (row: string) => Scope
  /** The number of all items. */
  readonly count: () => Sql
}

type AnyShortList = {
  readonly source: ListedSource
  readonly column: string
  readonly orderBy: string
  readonly limit?: number
  readonly where?: (row: Scope) => Sql
}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** How the field is read. */
    read?: Read<_TArgs>
    /** Unit of an amount that is not one of the token: a share of a vault, or none. */
    unit?: 'share' | 'none'
  }
}

/** The schema builder demands resolvers; operations are answered by their plans. */
export function notResolved(): never {
  throw new Error('fields are answered by the plan of their operation')
}

/** Makes the options of a field that is read so: the type checker compares extensions with nothing else. */
export function reading<Args>(read: Read<Args>) {
  return { resolve: notResolved, extensions: { read } }
}

/**
 * Makes the options of a field of an object that was found outside of Postgres. @param value of the object, and of the
 * block of the answer
 */
export function given<Given, V>(value: (given: Given, through: FinalizedThrough) => V) {
  return {
    // Typed as a resolver, so that the builder compares the value with the field.
    resolve: (_: Given): V => notResolved(),
    extensions: { read: { kind: 'given', value } as const },
  }
}
