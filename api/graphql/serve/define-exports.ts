/**
 * Every list of the query as an export: its parameters and columns, both derived from the schema. An export has the
 * filters, orders and values of its list, because it is the same list.
 */
import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  GraphQLID,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import type { ParquetType } from '../../../parquet/columns.ts'
import { isNode } from '../operation/plan/fields.ts'
import { schema } from '../schema.ts'

/** Where a value is in a row: a field, or a field of an object. */
export type Path = readonly string[]

export type Column = {
  readonly name: string
  readonly path: Path
  readonly description: string
  /** Type of its values in a Parquet file. */
  readonly type: ParquetType
  /** Unit of an amount, whose value is in base units; undefined for any other value. */
  readonly unit: 'token' | 'share' | undefined
}

export type Parameter = {
  readonly name: string
  readonly description: string
  readonly type: GraphQLInputType
  /** Name of its type in GraphQL, without list and non-null marks. */
  readonly typeName: string
  readonly isRequired: boolean
  readonly isList: boolean
  /** The values of an enum. */
  readonly names: readonly string[] | undefined
  /** The default, where the type is an enum. */
  readonly defaultValue: string | undefined
}

export type ExportedList = {
  /** Field name in the query. */
  readonly name: string
  readonly description: string
  /** Arguments of the list except those of the page, and except the block of the past. */
  readonly parameters: readonly Parameter[]
  readonly columns: readonly Column[]
  /** Whether the list can be read as of a block of the past. */
  readonly hasPast: boolean
  /** Where the token of the amounts of a row is; undefined for rows without amounts. */
  readonly token: Path | undefined
}

/** Returns the value at a path of a row; null where an object on the way is null. */
export function valueAt(row: unknown, path: Path): unknown {
  return path.reduce(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : null),
    row,
  )
}

/** The argument of reads as of a block of the past. */
export const AS_OF = 'asOf'

const PAGE_ARGUMENTS = ['first', 'last', 'after', 'before']

/** Lists every connection of the query. */
export function exportedLists(): ExportedList[] {
  const lists = Object.values(schema.getQueryType()?.getFields() ?? {})
  return lists.flatMap((list) => {
    const row = rowOf(getNamedType(list.type))
    if (!row) return []
    const own = list.args.filter(({ name }) => name !== AS_OF && !PAGE_ARGUMENTS.includes(name))
    const hasPast = list.args.some((argument) => argument.name === AS_OF)
    const { name, description } = list
    const columns = columnsOf(row)
    const token = columns.some(({ unit }) => unit) ? tokenPathOf(row) : undefined
    return [
      { name, description: description ?? '', parameters: own.map(parameterOf), columns, hasPast, token },
    ]
  })
}

/** The row type of a connection; undefined for any other type. */
function rowOf(type: GraphQLNamedOutputType): GraphQLObjectType | undefined {
  const nodes = isObjectType(type) && type.name.endsWith('Connection') ? type.getFields().nodes : undefined
  const row = nodes && getNamedType(nodes.type)
  return isObjectType(row) ? row : undefined
}

function parameterOf(argument: GraphQLArgument): Parameter {
  const { name, description, type, defaultValue } = argument
  const isList = isListType(getNullableType(type))
  const named = getNamedType(type)
  return {
    name,
    description: description ?? '',
    type,
    typeName: named.name,
    isRequired: isRequiredArgument(argument),
    isList,
    names: isEnumType(named) ? named.getValues().map((value) => value.name) : undefined,
    defaultValue: isEnumType(named) && !isList ? defaultName(named, defaultValue) : undefined,
  }
}

function defaultName(type: GraphQLEnumType, value: unknown): string | undefined {
  return type.getValues().find((one) => one.value === value)?.name
}

/**
 * A column for each value of the row, but those that are declared as none (`isColumn: false`); for each value of an
 * object that is part of the row (`capital_totalAssets`); and, for another row that this one refers to, its key: by the
 * name of the reference (or its `exportedAs`) where that is an address, else by its own (`claimId`).
 */
function columnsOf(type: GraphQLObjectType): Column[] {
  const plain = Object.values(type.getFields()).filter(
    ({ args, extensions }) => args.length === 0 && extensions.isColumn !== false,
  )
  return plain.flatMap((field): Column[] => {
    const target = getNullableType(field.type)
    if (isValue(field)) return [columnOf(field, field.name, [field.name])]
    if (!isObjectType(target)) return []
    if (!isNode(target)) return columnsOf(target).map((part) => within(field.name, part))
    const key = keyOf(target)
    return key ? [columnOf(field, key === 'address' ? referenceName(field) : key, [field.name, key])] : []
  })
}

type Field = GraphQLField<unknown, unknown>

function referenceName({ name, extensions }: Field): string {
  return typeof extensions.exportedAs === 'string' ? extensions.exportedAs : name
}

/** One value or a list of them; not the global id, which is of no use outside GraphQL. */
function isValue({ type }: Field): boolean {
  const named = getNamedType(type)
  return isLeafType(named) && named !== GraphQLID
}

/** The field that identifies such a row in the API. */
function keyOf(type: GraphQLObjectType): string | undefined {
  const own = `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}Id`
  return ['address', own].find((key) => key in type.getFields())
}

function columnOf(field: Field, name: string, path: Path): Column {
  return { name, path, description: field.description ?? '', type: parquetTypeOf(field), unit: unitOf(field) }
}

function within(field: string, column: Column): Column {
  return { ...column, name: `${field}_${column.name}`, path: [field, ...column.path] }
}

const PARQUET_TYPES: Readonly<Record<string, ParquetType | undefined>> = {
  Boolean: 'BOOLEAN',
  DateTime: 'TIMESTAMP',
  Float: 'DOUBLE',
  Int: 'INTEGER',
  SafeInt: 'BIGINT',
}

/** All other values are texts: amounts, addresses, hashes, names and enums. */
function parquetTypeOf({ type, name }: Field): ParquetType {
  const known = PARQUET_TYPES[getNamedType(type).name]
  if (!isListType(getNullableType(type))) return known ?? 'VARCHAR'
  if (known !== 'INTEGER') throw new Error(`the list ${name} has no type of Parquet`)
  return 'INTEGER[]'
}

const AMOUNTS = ['Amount', 'AmountSum', 'SignedAmount']

function unitOf({ type, extensions }: Field): Column['unit'] {
  const { unit = 'token' } = extensions
  return AMOUNTS.includes(getNamedType(type).name) && unit !== 'none' ? unit : undefined
}

/** The token of the row itself, or that of a row to which it refers: all of them have one. */
function tokenPathOf(row: GraphQLObjectType): Path {
  const fields = Object.values(row.getFields())
  if ('tokenInfo' in row.getFields()) return ['tokenInfo']
  const referring = fields.find(({ type }) => {
    const target = isNonNullType(type) ? type.ofType : undefined
    return isObjectType(target) && 'tokenInfo' in target.getFields()
  })
  if (!referring) throw new Error(`the amounts of ${row.name} have no token`)
  return [referring.name, 'tokenInfo']
}
