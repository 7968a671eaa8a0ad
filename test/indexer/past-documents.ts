/**
 * Documents of reads with a past, from the schema alone, so that a new field, filter, order or grouping is among them.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { schema } from '../../api/graphql/schema.ts'

type Field = GraphQLField<unknown, unknown>

/** Fields that have no past. Reads as of a block refuse them. */
export const PRESENT_ONLY: readonly string[] = [
  'Account.unfinalized',
  'Claim.unfinalized',
  'Meta.audit',
  'Meta.finalitySeconds',
  'Meta.finalizedHash',
  'Meta.latestBlock',
  'Vault.pendingTerms',
  'Vault.unfinalized',
]

/** Values of arguments by their names, or by those of their field and their own. */
export type Keys = { readonly [argument: string]: string }

const roots = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ args }) =>
  args.some(({ name }) => name === 'asOf'),
)

/** Fields of the query in one document. */
const FIELDS_MAX = 6

/** Arguments without which a field cannot be read, and the size of its page. */
function argumentsOf(field: Field, isRoot: boolean, keys: Keys, first: number): string | undefined {
  const given = field.args.flatMap(({ name, type, defaultValue }) => {
    if (isRoot && name === 'asOf') return ['asOf: $asOf']
    if (name === 'first') return [`first: ${first}`]
    if (!isNonNullType(type) || defaultValue !== undefined) return []
    const key = keys[`${field.name}.${name}`] ?? keys[name]
    return [key === undefined ? undefined : `${name}: ${key}`]
  })
  if (given.includes(undefined)) return undefined
  return given.length > 0 ? `(${given.join(', ')})` : ''
}

/** The object that a field leads to: for a connection, that of its rows. */
function objectOf({ type }: Field): GraphQLObjectType | undefined {
  const named = getNamedType(type)
  if (!isObjectType(named)) return undefined
  const nodes = named.getFields().nodes
  return nodes ? objectOf(nodes) : named
}

function rootObject(root: Field): GraphQLObjectType {
  const type = objectOf(root)
  if (!type) throw new Error(`${root.name} has no object`)
  return type
}

const isList = (root: Field) => root.args.some(({ name }) => name === 'filter')
const isNode = (type: GraphQLObjectType) => type.getInterfaces().some(({ name }) => name === 'Node')
const fieldsOf = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter(({ name }) => !PRESENT_ONLY.includes(`${type.name}.${name}`))

function select(field: Field, args: string, selection: string): string {
  const named = getNamedType(field.type)
  if (!isObjectType(named)) return `${field.name}${args}`
  const rows = named.getFields().nodes ? `totalCount nodes { ${selection} }` : selection
  return `${field.name}${args} { ${rows} }`
}

function leavesOf(type: GraphQLObjectType): string[] {
  return fieldsOf(type).flatMap((field) =>
    isLeafType(getNamedType(field.type)) && field.args.every(({ type }) => !isNonNullType(type))
      ? [field.name]
      : [],
  )
}

/** The values of an object, and those of the objects in it; of a row, only its own. */
function valuesOf(type: GraphQLObjectType): string[] {
  if (isNode(type)) return leavesOf(type)
  const parts = fieldsOf(type).flatMap((field) => {
    const part = objectOf(field)
    const isPart = part && !isNode(part) && field.args.every(({ defaultValue }) => defaultValue !== undefined)
    return isPart ? [select(field, '', leavesOf(part).join(' '))] : []
  })
  return [...leavesOf(type), ...parts]
}

/** Documents of one field of the query each, which select one field of its object, and that field's own values. */
export function* documentsOfFields(keys: Keys): Generator<{ name: string; document: string }> {
  for (const root of roots) {
    const type = rootObject(root)
    for (const field of Object.values(type.getFields())) {
      const own = argumentsOf(field, false, keys, 4)
      const inner = objectOf(field)
      const args = argumentsOf(root, true, keys, inner ? 6 : 60)
      if (own === undefined || args === undefined) continue
      const values = inner ? valuesOf(inner) : []
      if (inner && values.length === 0) continue
      const selection = select(field, own, values.join(' '))
      yield {
        name: `${type.name}.${field.name}`,
        document: `query ($asOf: AsOf) { ${select(root, args, selection)} }`,
      }
    }
  }
}

export type Ask = (document: string) => Promise<{ data?: unknown }>

/** Documents with each order and grouping of each list of the query, and with conditions on each field of filters. */
export async function documentsOfLists(ask: Ask, keys: Keys): Promise<readonly string[]> {
  const fields: string[] = []
  const rows = new Map<Field, Known>()
  for (const root of roots.filter(isList)) rows.set(root, await valuesOfRow(ask, root, keys))
  const elsewhere = new Map([...rows.values()].flatMap((row) => [...row]))
  for (const [root, row] of rows) {
    const type = rootObject(root)
    const selection = isNode(type) ? 'id' : valuesOf(type).join(' ')
    const known = new Map([...elsewhere, ...row])
    for (const given of [...ordersOf(root), ...groupingsOf(root), ...conditionsOf(root, known)]) {
      const args = argumentsOf(root, true, keys, 5)?.replace(')', `, ${given})`)
      if (args) fields.push(`a${fields.length}: ${select(root, args, selection)}`)
    }
  }
  const count = Math.ceil(fields.length / FIELDS_MAX)
  // One list is in several documents, so that each has different ones.
  return Array.from({ length: count }, (_, i) => {
    const own = fields.filter((_, place) => place % count === i)
    return `query ($asOf: AsOf) { ${own.join(' ')} }`
  })
}

function namesOf(arg: GraphQLArgument | undefined): string[] {
  const type = arg && getNamedType(arg.type)
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : []
}

function ordersOf({ args }: Field): string[] {
  const orders = namesOf(args.find(({ name }) => name === 'orderBy'))
  const groups = namesOf(args.find(({ name }) => name === 'groupBy')).slice(0, 1)
  const grouped = groups.length > 0 ? `groupBy: [${groups}], ` : ''
  return orders.flatMap((order) =>
    ['asc', 'desc'].map((direction) => `${grouped}orderBy: ${order}, orderDirection: ${direction}`),
  )
}

function groupingsOf({ args }: Field): string[] {
  return namesOf(args.find(({ name }) => name === 'groupBy')).map((name) => `groupBy: [${name}]`)
}

type Known = ReadonlyMap<string, unknown>

/** Values of filters where no row has one, by the types. */
const FALLBACKS: { readonly [type: string]: unknown } = {
  Boolean: true,
  Int: 1,
  SafeInt: 1,
  Amount: '1000000',
}

/** Conditions that some rows satisfy and others do not. */
function conditionsOf({ args }: Field, known: Known): string[] {
  const filter = getNamedType(args.find(({ name }) => name === 'filter')?.type)
  if (!isInputObjectType(filter)) return []
  const fields = filter.getFields()
  const isBase = (name: string) => !/_(not|in|not_in|gte?|lte?)$/.test(name) && !['AND', 'OR'].includes(name)
  return Object.values(fields).flatMap(({ name, type }) => {
    if (!isBase(name)) return []
    const named = getNamedType(type)
    const values = isEnumType(named) ? named.getValues().map((one) => one.name) : []
    const found = known.get(name)
    const ofType =
      FALLBACKS[named.name] ?? (named.name === 'DateTime' ? known.get('registeredAt') : values[0])
    // Another field of this name can have another type.
    const value = values.length > 0 && !values.includes(String(found)) ? values[0] : (found ?? ofType)
    if (value === undefined) throw new Error(`${filter.name}.${name} has no value to compare with`)
    const literal = isEnumType(named) ? String(value) : JSON.stringify(value)
    const others = fields[`${name}_gte`] ? [`${name}_gte`, `${name}_lt`] : [`${name}_not`]
    const operators = [name, ...others.filter((operator) => fields[operator])]
    return operators.map((operator) => `filter: { ${operator}: ${literal} }`)
  })
}

/** Values of a row in the middle of a list, by the names that filters have for them. */
async function valuesOfRow(ask: Ask, root: Field, keys: Keys): Promise<Known> {
  const type = rootObject(root)
  const isSingle = ({ type, args }: Field) =>
    !isListType(isNonNullType(type) ? type.ofType : type) && args.length === 0
  const parts = fieldsOf(type).flatMap((field) => {
    const part = objectOf(field)
    const leaves = part && isSingle(field) ? leavesOf(part).filter((name) => name !== 'id') : []
    return leaves.length > 0 ? [`${field.name} { ${leaves.join(' ')} }`] : []
  })
  const args = argumentsOf(root, true, keys, 50)?.replace('asOf: $asOf, ', '').replace('asOf: $asOf', '')
  const selection = [...leavesOf(type), ...parts].join(' ')
  const { data } = await ask(`{ ${select(root, args ?? '', selection)} }`)
  const rows = rowsIn(data, root.name)
  const known = new Map<string, unknown>()
  const row = rows[Math.floor(rows.length / 2)]
  for (const [name, value] of Object.entries(row ?? {})) {
    if (isRecord(value)) {
      for (const [inner, one] of Object.entries(value)) if (!known.has(inner)) known.set(inner, one)
      known.set(name.replace(/Info$/, ''), value.address)
    } else if (value !== null) known.set(name, value)
  }
  return known
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function rowsIn(data: unknown, name: string): readonly object[] {
  const list = isRecord(data) ? data[name] : undefined
  const nodes = isRecord(list) ? list.nodes : undefined
  return Array.isArray(nodes) ? nodes : []
}
