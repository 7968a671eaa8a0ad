/** An operation as one statement. */
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import { collectFields } from 'graphql/execution/collectFields.js'
import type { Labels } from '../../../deployments/labels.ts'
import { CodedError } from '../../errors.ts'
import { toObject } from '../../projection/json.ts'
import { rootScope } from '../../projection/scope.ts'
import { type Reading, toReading } from '../../projection/statement.ts'
import { fragmentsOf } from '../selections.ts'
import { toFields } from './fields.ts'
import { bind, isBindable, toTemplate, writeKey } from './template.ts'
import { NOT_COMPILED, refuseCompilation, type Selected, type Walk } from './walk.ts'

/** An operation with its variables, which was validated and measured. */
export type Asked = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>

/**
 * Relations of one statement. The planner's time grows with each, also where one repeats another; resolvers read equal ones once.
 */
const RELATIONS_MAX = 24

/** Shapes of a document's variables whose statements are kept, and what a statement may have. */
const KEPT_MAX = 4
const KEPT_FIELDS_MAX = 60
const KEPT_KEY_MAX = 500
/** Characters of the document, whose literals are parameters of the statement. */
const KEPT_DOCUMENT_MAX = 4000

type Compiled = { readonly reading: Reading | undefined; readonly isSmall: boolean }

/** By the labels, which are those of a gateway. */
const kept = new WeakMap<Labels, WeakMap<DocumentNode, Map<string, Reading | undefined>>>()

/** The statement of an operation; undefined where it has none, or is refused: then resolvers answer it. */
export function compile(asked: Asked, labels: Labels): Reading | undefined {
  const { schema, document, operationName, variableValues } = asked
  const operation = getOperationAST(document, operationName)
  if (operation?.operation !== OperationTypeNode.QUERY) return undefined
  const definitions = operation.variableDefinitions ?? []
  const { coerced } = getVariableValues(schema, definitions, variableValues ?? {})
  if (!coerced) return undefined
  const template = toTemplate(schema, definitions, coerced)
  const key = writeKey([operationName, template.variables])
  const documents = kept.get(labels) ?? new WeakMap<DocumentNode, Map<string, Reading | undefined>>()
  kept.set(labels, documents)
  const known = documents.get(document) ?? new Map<string, Reading | undefined>()
  const wanted = { schema, document, operation, labels }
  if (!known.has(key)) {
    const { reading, isSmall } = tryCompile({ ...wanted, variables: template.variables })
    if (reading && !isBindable(reading, template))
      return tryCompile({ ...wanted, variables: coerced }).reading
    const isKept = isSmall && key.length <= KEPT_KEY_MAX && lengthOf(document) <= KEPT_DOCUMENT_MAX
    if (!isKept || known.size >= KEPT_MAX) return reading && bind(reading, template)
    documents.set(document, known.set(key, reading))
  }
  const reading = known.get(key)
  return reading && bind(reading, template)
}

function lengthOf({ loc }: DocumentNode): number {
  return loc ? loc.end - loc.start : Number.POSITIVE_INFINITY
}

type Wanted = {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  variables: Readonly<Record<string, unknown>>
  labels: Labels
}

const UNCOMPILED: Compiled = { reading: undefined, isSmall: true }

function tryCompile(wanted: Wanted): Compiled {
  try {
    return compileQuery(wanted)
  } catch (error) {
    if (error === NOT_COMPILED || error instanceof CodedError || error instanceof GraphQLError)
      return UNCOMPILED
    throw error
  }
}

function compileQuery({ schema, document, operation, variables, labels }: Wanted): Compiled {
  const query = schema.getQueryType()
  if (!query) return UNCOMPILED
  const fragments = Object.fromEntries(fragmentsOf(document))
  const selected = collectFields(schema, fragments, variables, query, operation.selectionSet)
  if (!readsRows(selected)) return UNCOMPILED
  let rows = 0
  let fields = 0
  let hasOnePlan = true
  const walk: Walk = {
    labels,
    schema,
    fragments,
    variables,
    newRow: () => {
      rows += 1
      if (rows > RELATIONS_MAX) refuseCompilation()
      return `r${rows}`
    },
    countField: () => {
      fields += 1
    },
    dependOnValues: () => {
      hasOnePlan = false
    },
  }
  const json = toObject(toFields(walk, query, selected, rootScope))
  return { reading: toReading(json, hasOnePlan), isSmall: fields <= KEPT_FIELDS_MAX }
}

/** Whether anything but names of types is selected. */
function readsRows(selected: Selected): boolean {
  return [...selected.values()].some(([node]) => node?.name.value !== '__typename')
}
