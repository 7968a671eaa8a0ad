/** The schema walked: every list there is, and every relation of every type, as queries. */
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { schema } from '../../api/graphql/schema.ts'

type Field = GraphQLField<unknown, unknown>

/** Values of the required arguments of lists. */
const ARGUMENTS: Readonly<Record<string, string>> = { claimType: '1' }

const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields())

function isConnection(type: GraphQLNamedType): type is GraphQLObjectType {
  return isObjectType(type) && type.name.endsWith('Connection')
}

/** The type of a connection's rows. */
export function rowType(connection: GraphQLNamedType): GraphQLObjectType {
  const nodes = isObjectType(connection) ? connection.getFields().nodes : undefined
  const row = nodes && getNamedType(nodes.type)
  if (!isObjectType(row)) throw new Error(`${connection.name} has no rows`)
  return row
}

/** The lists of a type that are paged, the query's own included. */
export function connectionsOf(type: GraphQLObjectType): Field[] {
  return fieldsOf(type).filter((field) => isConnection(getNamedType(field.type)))
}

export function objectType(name: string): GraphQLObjectType {
  const type = schema.getType(name)
  if (!isObjectType(type)) throw new Error(`there is no type ${name}`)
  return type
}

/** The orders that a list offers; one nameless order where it offers none. */
export function ordersOf({ args }: Field): string[] {
  const type = args.find(({ name }) => name === 'orderBy')?.type
  const named = type && getNamedType(type)
  return isEnumType(named) ? named.getValues().map(({ name }) => name) : []
}

/** The field with its required arguments and those given, as text. */
export function asked({ name, args }: Field, given: Readonly<Record<string, string>> = {}): string {
  const required = args.filter(isRequiredArgument).map((arg) => [arg.name, ARGUMENTS[arg.name]])
  const all = Object.entries({ ...Object.fromEntries(required), ...given })
  return all.length ? `${name}(${all.map(([arg, value]) => `${arg}: ${value}`).join(', ')})` : name
}

/** Every field that leads from a row to others: lists, pages of lists, and single objects. */
export function relationsOf(type: GraphQLObjectType): Field[] {
  return fieldsOf(type).filter((field) => {
    const target = getNamedType(field.type)
    return (
      isObjectType(target) && !field.args.some((arg) => isRequiredArgument(arg) && !(arg.name in ARGUMENTS))
    )
  })
}

/** A relation with enough of its rows selected for them to be read. */
export function selected(field: Field, first: number): string {
  const target = getNamedType(field.type)
  if (isConnection(target)) {
    return `${asked(field, { first: String(first) })} { totalCount nodes { ${leaf(rowType(target))} } }`
  }
  return isObjectType(target) ? `${asked(field)} { ${leaf(target)} }` : field.name
}

/** A field that is a column, so that a row must be read for it; not the id, which is known beforehand. */
function leaf(type: GraphQLObjectType): string {
  const plain = fieldsOf(type).filter(
    (field) => isLeafType(getNamedType(field.type)) && field.args.length === 0 && field.name !== 'id',
  )
  return plain.map(({ name }) => name).join(' ')
}
