/** How a field is read in SQL, as its extensions declare it. */
import type { Labels } from '../../deployments/labels.ts'
import type { Sql } from '../projection/json.ts'
import type { ListedSource, PageRequest, PageSql } from '../projection/page.ts'
import type { Scope } from '../projection/scope.ts'

/** How a field is read in SQL. */
export type Read<Args> =
  /** A value from the columns of the row. */
  | { readonly kind: 'value'; readonly value: (scope: Scope) => Sql }
  /** The label of a claim type or an issuer. */
  | { readonly kind: 'label'; readonly of: keyof Labels; readonly key: (scope: Scope) => Sql }
  /** The same row, as another object, which can have other names for its columns. */
  | { readonly kind: 'part'; readonly scopeOf?: (scope: Scope) => Scope }
  /** The account with an address. */
  | { readonly kind: 'account'; readonly address: (scope: Scope, args: Args) => Sql }
  /** The row of `source` whose column `by` is the key. */
  | {
      readonly kind: 'row'
      readonly source: ListedSource
      readonly by: string
      readonly key: (scope: Scope, args: Args) => Sql
    }
  /** All rows with a key. */
  | { readonly kind: 'rows'; readonly list: AnyShortList; readonly key: (scope: Scope) => Sql }
  /** A connection; undefined where it cannot be read in the same statement. */
  | { readonly kind: 'page'; readonly list: (scope: Scope, args: Args) => Listed | undefined }

/** A page of a list in SQL. */
export type Listed = {
  readonly page: PageSql
  readonly request: PageRequest
  /** Whether the list has conditions. */
  readonly hasFilter: boolean
  /** Whether one plan is good for all values of the filter. */
  readonly hasOnePlan: boolean
  /** Whether the items are sums of rows. */
  readonly addsUpRows?: boolean
  /** An item, by the name of its row. */
  readonly scopeOf: (row: string) => Scope
  /** The number of all items; undefined where a count of its own must be bounded first. */
  readonly count: () => Sql | undefined
}

type AnyShortList = { readonly source: ListedSource; readonly column: string; readonly orderBy: string }

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** How the field is read in SQL; a field without is resolved. */
    read?: Read<_TArgs>
  }
}

/** The extensions of a field: the type checker compares those with nothing else. */
export function reading<Args>(read: Read<Args>) {
  return { extensions: { read } }
}
