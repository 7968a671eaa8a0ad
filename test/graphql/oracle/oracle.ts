/** Answers operations by the reference implementation of GraphQL, in plain JavaScript over all rows of a projection. */
import {
  buildSchema,
  executeSync,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  printSchema,
  validate,
} from 'graphql'
import { getVariableValues } from 'graphql/execution/values.js'
import { schema } from '../../../api/graphql/schema.ts'
import type { ProjectionDb } from '../../../api/projection/session/database.ts'
import { groupsOf, measuresOf } from './groups.ts'
import type { Args } from './pages.ts'
import { hasFault, isFault, Refusal } from './refusals.ts'
import { globalId, isRowType, listOf, referenceOf, shortListOf } from './relations.ts'
import { type Gateway, type Row, readWorld, valueAt, type World } from './rows.ts'
import { computed } from './values.ts'

const REFUSED = 'VALIDATION_FAILED'
const INVALID = 'GRAPHQL_VALIDATION_FAILED'

/**
 * @returns the right answers of a query: each its data as JSON, or the code of an error. There are two where an
 * argument is at fault in a part that is not reached.
 */
export async function createOracle(db: ProjectionDb, gateway: Gateway) {
  const world = await readWorld(db, gateway)
  const plain = toPlain(schema)
  return (query: string, variableValues: Record<string, unknown> = {}): readonly string[] => {
    const document = parse(query)
    if (validate(plain, document).length > 0) return [INVALID]
    const { variableDefinitions = [] } = getOperationAST(document) ?? {}
    const { coerced } = getVariableValues(plain, variableDefinitions, variableValues)
    if (!coerced) return [REFUSED]
    const { data, errors } = executeSync({
      schema: plain,
      document,
      variableValues,
      rootValue: {},
      contextValue: world,
      fieldResolver: resolve,
    })
    if (errors?.some(({ originalError }) => originalError instanceof Refusal)) return [REFUSED]
    if (errors?.[0]) throw errors[0]
    return [JSON.stringify(data), ...(hasFault(plain, document, coerced) ? [REFUSED] : [])]
  }
}

/** The schema without anything that declares how fields are read. */
function toPlain(declared: GraphQLSchema): GraphQLSchema {
  const plain = buildSchema(printSchema(declared))
  for (const type of Object.values(plain.getTypeMap())) {
    const own = declared.getType(type.name)
    if (!isScalarType(type) || !isScalarType(own) || isSpecifiedScalarType(type)) continue
    const { serialize, parseValue, parseLiteral } = own
    Object.assign(type, { serialize, parseValue, parseLiteral })
  }
  return plain
}

function resolve(source: unknown, args: Args, world: World, info: GraphQLResolveInfo): unknown {
  const { fieldName: field, parentType, returnType } = info
  const row = isRow(source) ? source : {}
  const place = `${parentType.name}.${field}`
  const type = getNamedType(returnType).name
  if (isFault(args)) throw new Refusal(place)
  const compute = computed[place] ?? computed[field]
  if (compute) return compute(row, world, args)
  const own: unknown = row[field]
  // The parts of a page.
  if (typeof own === 'object' && own !== null) return own
  if (field === 'id') return globalId(parentType.name, row)
  if (type === 'AmountMeasures') return measuresOf(row, field)
  const items = /^(.+)Connection$/.exec(type)?.[1]
  if (items !== undefined) {
    const grouped = /^(.+)Group$/.exec(items)?.[1]
    if (grouped !== undefined) return groupsOf(world, grouped, args)
    return listOf(world, items, row, place, args)
  }
  const list = shortListOf(world, type, row, place)
  if (list) return list
  if (type !== 'Account' && !isRowType(type)) return valueAt(row, field)
  // A row by its key, which is the one argument.
  if (parentType.name === 'Query') {
    const [key] = Object.values(args)
    return typeof key === 'string' ? referenceOf(world, type, { key }, 'key') : null
  }
  return referenceOf(world, type, row, field)
}

function isRow(source: unknown): source is Row {
  return typeof source === 'object' && source !== null
}
