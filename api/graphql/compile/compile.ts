/** An operation as one statement. */
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
} from 'graphql'
import { collectFields } from 'graphql/execution/collectFields.js'
import { CodedError } from '../../errors.ts'
import { toObject } from '../../projection/json.ts'
import { rootScope } from '../../projection/scope.ts'
import type { Reading } from '../../projection/statement.ts'
import { fragmentsOf } from '../selections.ts'
import { toFields } from './fields.ts'
import { NOT_COMPILED, refuseCompilation, type Selected, type Walk } from './walk.ts'

/** An operation with its variables, which was validated and measured. */
export type Asked = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>

/**
 * Relations of one statement. The planner's time grows with each, also where one repeats another; resolvers read equal ones once.
 */
const RELATIONS_MAX = 24

/** Statements of a document that are kept, by variables of at most these many characters of JSON. */
const KEPT_MAX = 8
const KEPT_KEY_MAX = 500

const kept = new WeakMap<DocumentNode, Map<string, Reading | undefined>>()

/** The statement of an operation; undefined where it has none, or is refused: then resolvers answer it. */
export function compile(asked: Asked): Reading | undefined {
  const key = JSON.stringify([asked.operationName, asked.variableValues])
  const known = kept.get(asked.document) ?? new Map<string, Reading | undefined>()
  if (known.has(key)) return known.get(key)
  const reading = tryCompile(asked)
  if (known.size < KEPT_MAX && key.length <= KEPT_KEY_MAX) kept.set(asked.document, known.set(key, reading))
  return reading
}

function tryCompile(asked: Asked): Reading | undefined {
  try {
    return compileQuery(asked)
  } catch (error) {
    if (error === NOT_COMPILED || error instanceof CodedError || error instanceof GraphQLError)
      return undefined
    throw error
  }
}

function compileQuery({ schema, document, operationName, variableValues }: Asked): Reading | undefined {
  const operation = getOperationAST(document, operationName)
  const query = schema.getQueryType()
  if (operation?.operation !== OperationTypeNode.QUERY || !query) return undefined
  const given = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {})
  if (!given.coerced) return undefined
  const fragments = Object.fromEntries(fragmentsOf(document))
  const selected = collectFields(schema, fragments, given.coerced, query, operation.selectionSet)
  if (!readsRows(selected)) return undefined
  let rows = 0
  let hasOnePlan = true
  const walk: Walk = {
    schema,
    fragments,
    variables: given.coerced,
    newRow: () => {
      rows += 1
      if (rows > RELATIONS_MAX) refuseCompilation()
      return `r${rows}`
    },
    dependOnValues: () => {
      hasOnePlan = false
    },
  }
  return { json: toObject(toFields(walk, query, selected, rootScope)), hasOnePlan }
}

/** Whether anything but names of types is selected. */
function readsRows(selected: Selected): boolean {
  return [...selected.values()].some(([node]) => node?.name.value !== '__typename')
}
