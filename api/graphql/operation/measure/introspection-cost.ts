/**
 * Cost of introspection: the number of fields in its answer, counted on the schema. An operation may spend on it what
 * the standard query costs with all its options. So the whole schema can be read once, in any form.
 */
import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLDirective,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  type GraphQLType,
  getArgumentValues,
  getIntrospectionQuery,
  getOperationAST,
  isAbstractType,
  isDirective,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSchema,
  isType,
  isWrappingType,
  parse,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { schema } from '../../schema.ts'
import { type Fragments, fieldsOf, fragmentsOf } from '../selections.ts'

type Part =
  | GraphQLSchema
  | GraphQLType
  | GraphQLDirective
  | GraphQLField<unknown, unknown>
  | GraphQLArgument
  | GraphQLInputField
  | GraphQLEnumValue

/**
 * Counts the fields that the introspection among these fields of the query answers; no further than just beyond
 * `maximum`.
 *
 * @param variables with their defaults
 */
export function introspectionCost(
  rootFields: readonly FieldNode[],
  fragments: Fragments,
  variables: Readonly<Record<string, unknown>>,
  maximum: number,
): number {
  const fields = new Map<SelectionSetNode, FieldNode[]>()
  let cost = 0
  const visit = (selectionSet: SelectionSetNode | undefined, parts: readonly Part[]): void => {
    if (!selectionSet) return
    const selected = fields.get(selectionSet) ?? fieldsOf(selectionSet, fragments)
    fields.set(selectionSet, selected)
    for (const part of parts) {
      for (const field of selected) {
        if (cost > maximum) return
        cost += 1
        visit(field.selectionSet, partsOf(part, field.name.value))
      }
    }
  }
  for (const field of rootFields) visit(field.selectionSet, rootParts(field, variables))
  return cost
}

function rootParts(field: FieldNode, variables: Readonly<Record<string, unknown>>): readonly Part[] {
  if (field.name.value === '__schema') return [schema]
  if (field.name.value !== TypeMetaFieldDef.name) return []
  const { name } = getArgumentValues(TypeMetaFieldDef, field, variables)
  return present(schema.getType(String(name)))
}

/** The result of an introspection field, with deprecated parts in it, whether the field includes them or not. */
function partsOf(part: Part, field: string): readonly Part[] {
  if (isSchema(part)) return partsOfSchema(part, field)
  if (isType(part)) return partsOfType(part, field)
  if (field === 'args' && 'args' in part) return part.args
  return field === 'type' && !isDirective(part) && 'type' in part ? [part.type] : []
}

function partsOfSchema(part: GraphQLSchema, field: string): readonly Part[] {
  switch (field) {
    case 'types':
      return Object.values(part.getTypeMap())
    case 'directives':
      return part.getDirectives()
    case 'queryType':
      return present(part.getQueryType())
    case 'mutationType':
      return present(part.getMutationType())
    case 'subscriptionType':
      return present(part.getSubscriptionType())
    default:
      return []
  }
}

function partsOfType(part: GraphQLType, field: string): readonly Part[] {
  const isComposite = isObjectType(part) || isInterfaceType(part)
  switch (field) {
    case 'fields':
      return isComposite ? Object.values(part.getFields()) : []
    case 'interfaces':
      return isComposite ? part.getInterfaces() : []
    case 'possibleTypes':
      return isAbstractType(part) ? schema.getPossibleTypes(part) : []
    case 'inputFields':
      return isInputObjectType(part) ? Object.values(part.getFields()) : []
    case 'enumValues':
      return isEnumType(part) ? part.getValues() : []
    case 'ofType':
      return isWrappingType(part) ? [part.ofType] : []
    default:
      return []
  }
}

function present<Item extends Part>(part: Item | null | undefined): Item[] {
  return part ? [part] : []
}

export const INTROSPECTION_COST_MAX = costOfStandardQuery()

function costOfStandardQuery(): number {
  const document = parse(
    getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  )
  const fragments = fragmentsOf(document)
  const selectionSet = getOperationAST(document)?.selectionSet
  const rootFields = selectionSet ? fieldsOf(selectionSet, fragments) : []
  return introspectionCost(rootFields, fragments, {}, Number.POSITIVE_INFINITY)
}
