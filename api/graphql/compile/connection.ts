/** Connections as SQL. */
import { type FieldNode, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import {
  type Json,
  type JsonField,
  toConstant,
  toLiteral,
  toObject,
  toPlainString,
} from '../../projection/json.ts'
import { type PageParts, toPageObject } from '../../projection/page-json.ts'
import type { Scope } from '../../projection/scope.ts'
import type { Listed } from '../declared-read.ts'
import { mapSelected, refuseCompilation, selectedIn, type Walk } from './walk.ts'

/** Makes what fields select from an object. */
type ToFields = (
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  scope: Scope,
) => readonly JsonField[]

/** What a field selects from its connection. @param toItem of the items */
export function toConnectionSql(
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { page, request, hasOnePlan, addsUpRows, scopeOf, count }: Listed,
  toItem: ToFields,
): Json {
  if (!hasOnePlan) walk.dependOnValues()
  if (addsUpRows) walk.addUpRows()
  const row = walk.newRow()
  const item = (itemType: GraphQLObjectType, itemNodes: readonly FieldNode[]) =>
    toItem(walk, itemType, itemNodes, scopeOf(row))
  const selected = selectedIn(walk, type, nodes)
  const hasInfo = [...selected.values()].some(([node]) => node?.name.value === 'pageInfo')
  const fieldsOf = (parts: PageParts): JsonField[] =>
    mapSelected(selected, (name, own) => {
      switch (name) {
        case '__typename':
          return toConstant(type.name)
        case 'nodes':
          return parts.list(item(fieldType(type, name), own))
        case 'edges':
          return parts.list(toEdge(walk, fieldType(type, name), own, parts, item))
        case 'pageInfo':
          return toPageInfo(walk, fieldType(type, name), own, parts)
        case 'totalCount':
          return toLiteral(count() ?? refuseCompilation())
        default:
          return refuseCompilation()
      }
    })
  return toPageObject(page, request, row, hasInfo, fieldsOf)
}

function toEdge(
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { cursor }: PageParts,
  item: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => readonly JsonField[],
): readonly JsonField[] {
  return mapSelected(selectedIn(walk, type, nodes), (name, own) => {
    if (name === '__typename') return toConstant(type.name)
    if (name === 'cursor') return toPlainString(cursor, false)
    return name === 'node' ? toObject(item(fieldType(type, name), own)) : refuseCompilation()
  })
}

function toPageInfo(
  walk: Walk,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  parts: PageParts,
): Json {
  const fields = mapSelected(selectedIn(walk, type, nodes), (name) => {
    switch (name) {
      case '__typename':
        return toConstant(type.name)
      case 'hasNextPage':
        return toLiteral(parts.hasNext())
      case 'hasPreviousPage':
        return toLiteral(parts.hasPrevious())
      case 'startCursor':
        return toPlainString(parts.startCursor())
      case 'endCursor':
        return toPlainString(parts.endCursor())
      default:
        return refuseCompilation()
    }
  })
  return toObject(fields)
}

/** The object type of a field, which can be in a list. */
function fieldType(type: GraphQLObjectType, name: string): GraphQLObjectType {
  const field = type.getFields()[name]
  const named = field && getNamedType(field.type)
  return isObjectType(named) ? named : refuseCompilation()
}
