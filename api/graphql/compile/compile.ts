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
import type { Labels } from '../../../deployments/labels.ts'
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

/** Variable sets of a document whose statements are kept, and what a statement may have: one of the largest takes 2 MB. */
const KEPT_MAX = 2
const KEPT_FIELDS_MAX = 60
const KEPT_KEY_MAX = 500
/** Characters of the document, whose literals are parameters of the statement. */
const KEPT_DOCUMENT_MAX = 4000

type Compiled = { readonly reading: Reading | undefined; readonly isSmall: boolean }

/** By the labels, which are those of a gateway. */
const kept = new WeakMap<Labels, WeakMap<DocumentNode, Map<string, Reading | undefined>>>()

/** The statement of an operation; undefined where it has none, or is refused: then resolvers answer it. */
export function compile(asked: Asked, labels: Labels): Reading | undefined {
  const { document, operationName, variableValues } = asked
  const key = JSON.stringify([operationName, variableValues])
  const documents = kept.get(labels) ?? new WeakMap<DocumentNode, Map<string, Reading | undefined>>()
  kept.set(labels, documents)
  const known = documents.get(document) ?? new Map<string, Reading | undefined>()
  if (known.has(key)) return known.get(key)
  const { reading, isSmall } = tryCompile(asked, labels)
  const { start = 0, end = Number.POSITIVE_INFINITY } = document.loc ?? {}
  const isKept = isSmall && key.length <= KEPT_KEY_MAX && end - start <= KEPT_DOCUMENT_MAX
  if (isKept && known.size < KEPT_MAX) documents.set(document, known.set(key, reading))
  return reading
}

const UNCOMPILED: Compiled = { reading: undefined, isSmall: true }

function tryCompile(asked: Asked, labels: Labels): Compiled {
  try {
    return compileQuery(asked, labels)
  } catch (error) {
    if (error === NOT_COMPILED || error instanceof CodedError || error instanceof GraphQLError)
      return UNCOMPILED
    throw error
  }
}

function compileQuery({ schema, document, operationName, variableValues }: Asked, labels: Labels): Compiled {
  const operation = getOperationAST(document, operationName)
  const query = schema.getQueryType()
  if (operation?.operation !== OperationTypeNode.QUERY || !query) return UNCOMPILED
  const given = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {})
  if (!given.coerced) return UNCOMPILED
  const fragments = Object.fromEntries(fragmentsOf(document))
  const selected = collectFields(schema, fragments, given.coerced, query, operation.selectionSet)
  if (!readsRows(selected)) return UNCOMPILED
  let rows = 0
  let fields = 0
  let hasOnePlan = true
  const walk: Walk = {
    labels,
    schema,
    fragments,
    variables: given.coerced,
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
  return { reading: { json, hasOnePlan }, isSmall: fields <= KEPT_FIELDS_MAX }
}

/** Whether anything but names of types is selected. */
function readsRows(selected: Selected): boolean {
  return [...selected.values()].some(([node]) => node?.name.value !== '__typename')
}
