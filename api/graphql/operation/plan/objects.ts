/** Objects by their global ids. */
import { type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql'
import { sql } from 'kysely'
import { validationFailed } from '../../../errors.ts'
import {
  columnOf,
  type Json,
  NULL,
  type Sql,
  toJsonList,
  toObjectFrom,
  toText,
} from '../../../projection/sql/json.ts'
import { parseId } from '../../../projection/sql/keys.ts'
import type { ListedSource } from '../../../projection/sql/page.ts'
import { accountScope, rowScope, type Scope } from '../../../projection/sql/scope.ts'
import { kindOf, sqlTypes } from '../../../projection/sql/source.ts'
import type { GlobalId } from '../../kit/global-id.ts'
import type { Walk } from './walk.ts'

declare module 'graphql' {
  interface GraphQLObjectTypeExtensions {
    /** The source of the objects, or the one column of a key that every object has. */
    source?: ListedSource | 'address'
  }
}

type ToItem = (type: GraphQLObjectType, scope: Scope) => Json

/**
 * Writes an object, or a list of them, each null where there is none. @throws CodedError `VALIDATION_FAILED` for an id
 * of a type without ids
 */
export function toObjects(walk: Walk, ids: GlobalId | readonly GlobalId[], toItem: ToItem): Json {
  if (!isList(ids)) return toOne(walk, wanted(walk.schema, ids), toItem)
  const found = ids.map((id) => wanted(walk.schema, id))
  const groups = Map.groupBy(
    found.flatMap((one, place) => (one.key ? [{ ...one, key: one.key, place }] : [])),
    ({ type }) => type,
  )
  const items = [...groups].map(([, group]) => walk.inList(() => toGroup(walk, group, toItem)))
  return toJsonList(items, ids.length)
}

/** `Array.isArray` does not narrow a readonly list. */
const isList = (ids: GlobalId | readonly GlobalId[]): ids is readonly GlobalId[] => Array.isArray(ids)

type Wanted = {
  readonly type: GraphQLObjectType
  readonly source: ListedSource | 'address'
  /** Undefined where no object has the id. */
  readonly key: readonly string[] | undefined
}

function wanted(schema: GraphQLSchema, { typename, id }: GlobalId): Wanted {
  const type = schema.getType(typename)
  const source = isObjectType(type) ? type.extensions.source : undefined
  if (!isObjectType(type) || !source)
    throw validationFailed([
      { path: 'id', message: `must be an id that this API gave; ${typename} has none` },
    ])
  return { type, source, key: source === 'address' ? addressKey(id) : parseId(source, id) }
}

function addressKey(id: string): readonly string[] | undefined {
  return /^0x[0-9a-f]{40}$/.test(id) ? [id] : undefined
}

function toOne(walk: Walk, { type, source, key }: Wanted, toItem: ToItem): Json {
  if (!key) return NULL
  if (source === 'address') return toItem(type, accountScope(sql`${key[0]}::text`))
  const row = walk.newRow()
  const conditions = source.key.map(
    (column, i) => sql`${columnOf(row, column)} = ${key[i]}::${typeOf(source, column)}`,
  )
  const item = toItem(type, rowScope(row, source))
  const from = sql`from ${walk.rowsOf(source)} as ${sql.raw(row)} where ${sql.join(conditions, sql` and `)}`
  return toObjectFrom(item, from)
}

type Keyed = Wanted & { readonly key: readonly string[]; readonly place: number }

/** Places and texts of all objects of one type. */
function toGroup(walk: Walk, group: readonly Keyed[], toItem: ToItem): Sql {
  const [first] = group
  if (!first) throw new Error('a group of objects is empty')
  const { type, source } = first
  const row = walk.newRow()
  const wanted = `${row}w`
  const columns = source === 'address' ? ['address'] : source.key
  const arrays = columns.map((column, i) => {
    const keys = group.map(({ key }) => key[i])
    return sql`${keys}::${source === 'address' ? sql.raw('text') : typeOf(source, column)}[]`
  })
  const places = sql`${group.map(({ place }) => place)}::int4[]`
  const names = sql.raw(['place', ...columns.map((_, i) => `k${i}`)].join(', '))
  const from = sql`from unnest(${sql.join([places, ...arrays])}) as ${sql.raw(wanted)} (${names})`
  const select = (item: Json) => sql`select ${sql.raw(wanted)}.place, ${toText(item)} as item ${from}`
  if (source === 'address') return select(toItem(type, accountScope(sql.raw(`${wanted}.k0`))))
  const isSame = columns.map((column, i) => sql`${columnOf(row, column)} = ${sql.raw(`${wanted}.k${i}`)}`)
  return sql`${select(toItem(type, rowScope(row, source)))}
    join ${walk.rowsOf(source)} as ${sql.raw(row)} on ${sql.join(isSame, sql` and `)}`
}

function typeOf(source: ListedSource, column: string): Sql {
  return sql.raw(sqlTypes[kindOf(source, column)])
}
