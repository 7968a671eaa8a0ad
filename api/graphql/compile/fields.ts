/** The fields of an object as SQL. */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { sql } from 'kysely'
import type { Labels } from '../../../deployments/labels.ts'
import {
  columnOf,
  type Json,
  type JsonField,
  orFail,
  type Sql,
  toBase64,
  toConstant,
  toItems,
  toJson,
  toList,
  toObject,
  toObjectFrom,
  toPlainString,
  toValueIf,
} from '../../projection/json.ts'
import { accountScope, keyScope, rootScope, rowScope, type Scope } from '../../projection/scope.ts'
import { view } from '../../projection/source.ts'
import type { Read } from '../declared-read.ts'
import { toConnectionSql } from './connection.ts'
import { toFormat } from './format.ts'
import { mapSelected, refuseCompilation, type Selected, selectedIn, type Walk } from './walk.ts'

type Field = GraphQLField<unknown, unknown>
type ReadOf<Kind> = Extract<Read<unknown>, { kind: Kind }>

/** The selected fields of an object. */
export function toFields(
  walk: Walk,
  type: GraphQLObjectType,
  selected: Selected,
  scope: Scope,
): readonly JsonField[] {
  return mapSelected(selected, (name, nodes) => {
    walk.countField()
    if (name === '__typename') return toConstant(type.name)
    if (name === 'id' && isNode(type))
      return toPlainString(toBase64(sql`${sql.lit(`${type.name}:`)} || ${scope.id}`), false)
    const field = type.getFields()[name]
    return field ? toValue(walk, field, nodes, scope) : refuseCompilation()
  })
}

/** What the nodes of one field select from its object, in the scope of the object. */
function toFieldsOf(walk: Walk, type: GraphQLObjectType, nodes: readonly FieldNode[], scope: Scope) {
  return toFields(walk, type, selectedIn(walk, type, nodes), scope)
}

/** The same as an object. */
function toObjectOf(walk: Walk, type: GraphQLObjectType, nodes: readonly FieldNode[], scope: Scope): Json {
  return toObject(toFieldsOf(walk, type, nodes, scope))
}

function toValue(walk: Walk, field: Field, nodes: readonly FieldNode[], scope: Scope): Json {
  const read = readOf(field)
  const [node] = nodes
  if (!read || !node) return refuseCompilation()
  if (read.kind === 'value') {
    return toFormat(field.type, read.value(scope), canBeNull(field)) ?? refuseCompilation()
  }
  if (read.kind === 'label') return toLabel(walk.labels[read.of], read.key(scope))
  const type = getNamedType(field.type)
  if (!isObjectType(type)) return refuseCompilation()
  const args = getArgumentValues(field, node, walk.variables)
  switch (read.kind) {
    case 'part':
      return toObjectOf(walk, type, nodes, read.scopeOf?.(scope) ?? scope)
    case 'account': {
      const address = read.address(scope, args)
      const account = toObjectOf(walk, type, nodes, { ...accountScope(address), isShared: isOfRow(scope) })
      return isNonNullType(field.type) ? account : toValueIf(sql`${address} is not null`, account)
    }
    case 'row': {
      const key = read.key(scope, args)
      const isThere = isNonNullType(field.type)
      if (isThere && isKeyAlone(walk, type, nodes, read)) return toObjectOf(walk, type, nodes, keyScope(key))
      const row = toRow(walk, type, nodes, read, key, isOfRow(scope))
      return isThere ? orFail(row, key) : row
    }
    case 'rows':
      return toRows(walk, type, nodes, read, scope)
    case 'page': {
      const list = read.list(scope, args)
      // It is read once for each row that has the object, and resolvers read it once for the object. A filter can pass over any number of rows.
      if (!list || (list.hasFilter && scope.isShared)) return refuseCompilation()
      return toConnectionSql(walk, type, nodes, list, toFieldsOf)
    }
  }
}

/** All labels are one parameter, so that the text of the statement does not depend on them. Postgres parses it once. */
function toLabel(labels: Labels[keyof Labels], key: Sql): Json {
  return toJson(sql`${textOf(labels)}::jsonb ->> ${key}::text`)
}

/** Written once: statements are kept with their parameters, and one may have the labels in each of its fields. */
const texts = new WeakMap<Labels[keyof Labels], string>()

function textOf(labels: Labels[keyof Labels]): string {
  const text = texts.get(labels) ?? JSON.stringify(labels)
  texts.set(labels, text)
  return text
}

/** Whether a field of an object has SQL; the fields of a connection have. */
export function hasSql(type: GraphQLObjectType, field: Field): boolean {
  const read = readOf(field)
  if (!read) return field.name === 'id' && isNode(type)
  return read.kind !== 'value' || toFormat(field.type, sql``) !== undefined
}

/** The type checker compares the type of a field with that of the column it exposes, and Postgres refuses null where the column is not. */
function canBeNull({ type, extensions }: Field): boolean {
  return !isNonNullType(type) || extensions.read !== undefined
}

/** A column that is exposed is declared by that alone. */
function readOf({ extensions }: Field): Read<unknown> | undefined {
  const { read, pothosExposedField: column } = extensions
  if (read || typeof column !== 'string') return read
  return { kind: 'value', value: (scope) => scope.column(column) }
}

function toRow(
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { source, by }: ReadOf<'row'>,
  key: Sql,
  isShared: boolean,
): Json {
  const row = walk.newRow()
  const from = sql`from ${view(source.table)} as ${sql.raw(row)} where ${columnOf(row, by)} = ${key}`
  return toObjectFrom(toFieldsOf(walk, type, nodes, { ...rowScope(row, source), isShared }), from)
}

/** Whether the key of a row is all that is selected of it. Then the row itself is not read. */
function isKeyAlone(
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { source, by }: ReadOf<'row'>,
): boolean {
  const isId = isNode(type) && source.key.length === 1 && source.key[0] === by
  const isKey = (name: string) => type.getFields()[name]?.extensions.pothosExposedField === by
  return [...selectedIn(walk, type, nodes).values()].every(([node]) => {
    const name = node?.name.value ?? ''
    return name === '__typename' || isKey(name) || (name === 'id' && isId)
  })
}

const isOfRow = (scope: Scope) => scope !== rootScope

function toRows(
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { list: { source, column, orderBy }, key }: ReadOf<'rows'>,
  scope: Scope,
): Json {
  const row = walk.newRow()
  const object = toObjectOf(walk, type, nodes, rowScope(row, source))
  return toList(sql`(
    select ${toItems(object, sql`order by ${columnOf(row, orderBy)}`)}
    from ${view(source.table)} as ${sql.raw(row)} where ${columnOf(row, column)} = ${key(scope)}
  )`)
}

function isNode(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some(({ name }) => name === 'Node')
}
