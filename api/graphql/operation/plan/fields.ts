/** The fields of an object as SQL. */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { sql } from 'kysely'
import type { Labels } from '../../../../deployments/labels.ts'
import { CodedError } from '../../../errors.ts'
import {
  columnOf,
  type Json,
  type JsonField,
  NULL,
  orFail,
  type Sql,
  toBase64,
  toConstant,
  toItems,
  toJson,
  toList,
  toObject,
  toObjectFrom,
  toObjectOfAll,
  toPlainString,
  toValueIf,
} from '../../../projection/sql/json.ts'
import { toPageObject } from '../../../projection/sql/page.ts'
import {
  accountScope,
  keyScope,
  pageScope,
  rootScope,
  rowScope,
  type Scope,
} from '../../../projection/sql/scope.ts'
import { asOfIn, requireAsOf } from '../../kit/as-of.ts'
import type { Listed, Read, Relation } from '../../kit/declared-read.ts'
import type { GlobalId } from '../../kit/global-id.ts'
import { projectionLags } from '../../kit/outside.ts'
import { toFormat } from './format.ts'
import { toGiven, toHole, toIntrospection } from './holes.ts'
import { toObjects } from './objects.ts'
import { hasOnePlanInPast, requireAtBlock, requireKnown, toPast } from './past.ts'
import { type Hole, mapSelected, type Past, type Selected, selectedIn, type Walk } from './walk.ts'

type Field = GraphQLField<unknown, unknown>
type ReadOf<Kind> = Extract<Read<unknown>, { kind: Kind }>

/** A field of the answer: its declaration in the schema, and its nodes in the document. */
type Place = {
  readonly field: Field
  readonly nodes: readonly FieldNode[]
  readonly args: { readonly [name: string]: unknown }
  readonly scope: Scope
}

/** Writes the selected fields of an object. */
export function toFields(
  walk: Walk,
  type: GraphQLObjectType,
  selected: Selected,
  scope: Scope,
): readonly JsonField[] {
  return mapSelected(walk, selected, (name, nodes) => {
    walk.notes.fields += 1
    if (name === '__typename') return toConstant(type.name)
    if (name === 'id' && isNode(type))
      return toPlainString(toBase64(sql`${sql.lit(`${type.name}:`)} || ${scope.id}`), false)
    const field = type.getFields()[name]
    const [node] = nodes
    // The schema is no field of the query.
    if (!field || !node) return toIntrospection(walk, nodes)
    const args = getArgumentValues(field, node, walk.variables)
    const write = (own: Walk) => requireKnown(own, toValue(own, { field, nodes, args, scope }))
    const asOf = asOfIn(args)
    if (!asOf) return write(walk)
    const wantedBy: Past['wantedBy'] = (variables) => requireAsOf(getArgumentValues(field, node, variables))
    return toPast(walk, asOf, wantedBy, write)
  })
}

/** Writes what the nodes of one field select from its object, in the scope of the object. */
function toFieldsOf(walk: Walk, type: GraphQLObjectType, nodes: readonly FieldNode[], scope: Scope) {
  return toFields(walk, type, selectedIn(walk, type, nodes), scope)
}

/** Writes what a field selects from its object, as an object. */
function toObjectOf(walk: Walk, { field, nodes }: Place, scope: Scope): Json {
  return toObject(toFieldsOf(walk, objectTypeOf(field), nodes, scope))
}

function toValue(walk: Walk, place: Place): Json {
  const { field, args, scope, nodes } = place
  const read = readOf(field)
  if (scope.given && read.kind === 'value') return toGiven(walk, field, nodes, scope.given)
  switch (read.kind) {
    case 'value':
      return toFormat(field.type, read.value(scope, args), canBeNull(field))
    case 'label':
      return toLabel(walk.gateway.labels[read.of], read.key(scope))
    case 'part':
      return toObjectOf(walk, place, read.scopeOf?.(scope) ?? scope)
    case 'account': {
      const address = read.address(scope, args, walk)
      const account = toObjectOf(walk, place, accountScope(address))
      return isNonNullType(field.type) ? account : toValueIf(sql`${address} is not null`, account)
    }
    case 'row':
      return toRow(walk, place, read)
    case 'rows':
      return toRows(walk, place, read)
    case 'objects': {
      const toItem = (type: GraphQLObjectType, own: Scope) => toObject(toFieldsOf(walk, type, nodes, own))
      // The declaration was typed by its object.
      const ids: GlobalId | readonly GlobalId[] = Reflect.apply(read.ids, undefined, [args, scope.given])
      return toObjects(walk, ids, toItem)
    }
    case 'page':
      return toPage(walk, place, read.list(scope, args, walk))
    case 'items':
      return toPageItems(walk, place)
    case 'relation':
      return toRelation(walk, place, read.relation(scope, args, walk))
    case 'hole': {
      const fill: Hole['fill'] = (needs, outside, through) => read.fill(needs, outside, through, args)
      if (read.followsHead) walk.notes.followsHead = true
      requireAtBlock(walk, read.isAtBlock ?? false)
      return toHole(walk, field, nodes, fill, { needs: read.needs?.(scope), args })
    }
    case 'asked': {
      const name = walk.path().join()
      const given = walk.asked.get(name)
      if (!given) {
        walk.notes.needsBlock = true
        walk.notes.questions.push({ name, ask: (outside) => read.ask(args, outside) })
        return NULL
      }
      return toObjectOf(walk, place, { ...rootScope, given })
    }
    case 'given':
      return toGiven(walk, field, nodes, scope.given)
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

/**
 * The type checker compares the type of a field with that of the column it exposes, and Postgres refuses null where the
 * column is not.
 */
function canBeNull({ type, extensions }: Field): boolean {
  return !isNonNullType(type) || extensions.read !== undefined
}

/**
 * Returns the declaration of how a field is read. A column that is exposed is declared by that alone. @throws Error for
 * a field without a declaration
 */
export function readOf({ name, extensions }: Field): Read<unknown> {
  const { read, pothosExposedField: column } = extensions
  if (read) return read
  if (typeof column !== 'string') throw new Error(`the field ${name} does not declare how it is read`)
  return { kind: 'value', value: (scope) => scope.column(column) }
}

function toRow(walk: Walk, place: Place, read: ReadOf<'row'>): Json {
  const { field, nodes, scope, args } = place
  const { source, by, also, elsewhere } = read
  const key = read.key(scope, args, walk)
  const type = objectTypeOf(field)
  const isRequired = isNonNullType(field.type)
  if (isRequired && isKeyAlone(walk, type, nodes, read)) return toObjectOf(walk, place, keyScope(key))
  if (elsewhere)
    walk.notes.searches.push({
      path: walk.path(),
      find: (outside, through) => elsewhere(args, outside, through),
    })
  const row = walk.newRow()
  const own = rowScope(row, source, walk.elsewhere?.[source.table])
  const further = also ? sql` and ${also(own, args)}` : sql``
  const from = sql`from ${walk.rowsOf(source)} as ${sql.raw(row)} where ${columnOf(row, by)} = ${key}${further}`
  const found = toObjectFrom(toObjectOf(walk, place, own), from)
  return isRequired
    ? orFail(
        found,
        walk.failure(() => missing(walk, type.name)),
      )
    : found
}

/** A row that another refers to is missing only while the projection does not have all that is elsewhere. */
function missing({ elsewhere, past }: Walk, type: string): Error {
  if (past !== undefined) return new CodedError('NOT_IN_PAST', `There was no ${type} yet as of the block.`)
  return elsewhere ? projectionLags(type) : new Error(`a row refers to a ${type} that is not there`)
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

function toRows(walk: Walk, place: Place, { list, key }: ReadOf<'rows'>): Json {
  const { source, column, orderBy, where, limit } = list
  const row = walk.newRow()
  const own = rowScope(row, source, walk.elsewhere?.[source.table])
  const object = walk.inList(() => toObjectOf(walk, place, own))
  const condition = where ? sql`and ${where(own)}` : sql``
  const most = limit === undefined ? sql`` : sql`order by ${columnOf(row, orderBy)} limit ${sql.lit(limit)}`
  return toList(sql`(
    select ${toItems(object, sql`order by ${columnOf(row, orderBy)}`)} from (
      select * from ${walk.rowsOf(source)} as ${sql.raw(row)}
      where ${columnOf(row, column)} = ${key(place.scope)} ${condition} ${most}
    ) as ${sql.raw(row)}
  )`)
}

function toPage(walk: Walk, { field, nodes }: Place, list: Listed): Json {
  const type = objectTypeOf(field)
  const row = walk.newRow()
  const selected = selectedIn(walk, type, nodes)
  const hasInfo = [...selected.values()].some(([node]) => node?.name.value === 'pageInfo')
  const count = () => {
    if (!walk.isInList()) walk.notes.work += COUNT_WORK
    return list.count()
  }
  const page = toPageObject(list.page, list.request, row, hasInfo, (parts) =>
    toFields(walk, type, selected, pageScope(parts, list.scopeOf(row), count)),
  )
  if (!list.hasOnePlan() || !hasOnePlanInPast(walk, list.page)) walk.notes.hasOnePlan = false
  if (list.addsUpRows) walk.notes.addsUpRows = true
  return page
}

/** Work of a count of rows or totals without a parent in a list: it may be of all of them. */
const COUNT_WORK = 500

function toPageItems(walk: Walk, place: Place): Json {
  const { page } = place.scope
  if (!page) throw new Error(`the field ${place.field.name} is declared for pages`)
  return page.items(walk.inList(() => toObjectOf(walk, place, page.item)))
}

function toRelation(walk: Walk, place: Place, { from, scopeOf, orderBy }: Relation): Json {
  const row = walk.newRow()
  const uses = new Set<string>()
  const scope = scopeOf(row)
  const noted: Scope = {
    ...scope,
    column: (name) => {
      uses.add(name)
      return scope.column(name)
    },
  }
  const write = () => toFieldsOf(walk, objectTypeOf(place.field), place.nodes, noted)
  if (!isListType(getNullableType(place.field.type))) return toObjectOfAll(write(), from(row, uses))
  const object = toObject(walk.inList(write))
  const items = toItems(object, sql`order by ${columnOf(row, orderBy)}`)
  return toList(sql`(select ${items} ${from(row, uses)})`)
}

function objectTypeOf({ name, type }: Field): GraphQLObjectType {
  const named = getNamedType(type)
  if (!isObjectType(named)) throw new Error(`the field ${name} has no objects`)
  return named
}

/** Whether objects of the type have a global id. */
export function isNode(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some(({ name }) => name === 'Node')
}
