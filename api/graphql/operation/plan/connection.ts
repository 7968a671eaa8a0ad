/** Connections as SQL. */
import { type FieldNode, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import {
  type Json,
  type JsonField,
  toConstant,
  toLiteral,
  toObject,
  toPlainString,
} from '../../../projection/sql/json.ts'
import { type PageParts, toPageObject } from '../../../projection/sql/page-json.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import type { Listed } from '../../kit/declared-read.ts'
import { mapSelected, selectedIn, type Walk } from './walk.ts'

/** Makes what fields select from an object. */
type ToFields = (
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  scope: Scope,
) => readonly JsonField[]

/** Writes what a field selects from its connection. @param toItem writes what it selects from an item */
export function toConnectionSql(
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  list: Listed,
  toItem: ToFields,
): Json {
  const row = walk.newRow()
  const item = (itemType: GraphQLObjectType, itemNodes: readonly FieldNode[]) =>
    walk.inList(() => toItem(walk, itemType, itemNodes, list.scopeOf(row)))
  const selected = selectedIn(walk, type, nodes)
  const hasInfo = [...selected.values()].some(([node]) => node?.name.value === 'pageInfo')
  const fieldsOf = (parts: PageParts): JsonField[] =>
    mapSelected(walk, selected, (name, own) => {
      switch (name) {
        case '__typename':
          return toConstant(type.name)
        case 'nodes':
          return parts.list(item(fieldType(type, name), own))
        case 'edges':
          return parts.list(toEdge(walk, fieldType(type, name), own, parts, item))
        case 'pageInfo':
          return toPageInfo(walk, fieldType(type, name), own, parts)
        default:
          return toLiteral(list.count())
      }
    })
  const page = toPageObject(list.page, list.request, row, hasInfo, fieldsOf)
  if (!list.hasOnePlan) walk.notes.hasOnePlan = false
  if (list.addsUpRows?.()) walk.notes.addsUpRows = true
  return page
}

function toEdge(
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { cursor }: PageParts,
  item: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => readonly JsonField[],
): readonly JsonField[] {
  return mapSelected(walk, selectedIn(walk, type, nodes), (name, own) => {
    switch (name) {
      case '__typename':
        return toConstant(type.name)
      case 'cursor':
        return toPlainString(cursor, false)
      default:
        return toObject(item(fieldType(type, name), own))
    }
  })
}

function toPageInfo(
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  parts: PageParts,
): Json {
  const fields = mapSelected(walk, selectedIn(walk, type, nodes), (name) => {
    switch (name) {
      case '__typename':
        return toConstant(type.name)
      case 'hasNextPage':
        return toLiteral(parts.hasNext())
      case 'hasPreviousPage':
        return toLiteral(parts.hasPrevious())
      case 'startCursor':
        return toPlainString(parts.startCursor())
      default:
        return toPlainString(parts.endCursor())
    }
  })
  return toObject(fields)
}

/** The object type of a field, which can be in a list. */
function fieldType(type: GraphQLObjectType, name: string): GraphQLObjectType {
  const field = type.getFields()[name]
  const named = field && getNamedType(field.type)
  if (!isObjectType(named)) throw new Error(`${type.name}.${name} has no objects`)
  return named
}
