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
import { createLRUCache } from 'graphql-yoga'
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

/** Statements that are kept, of all documents. One of the largest takes 2 MB, so only those of few fields and short variables are. */
const STATEMENTS_KEPT = 100
const KEPT_FIELDS_MAX = 60
const KEPT_KEY_MAX = 500

/** The characters of a document's literals that a kept statement may have as parameters. */
const KEPT_DOCUMENT_MAX = 4000

type Compiled = { readonly reading: Reading | undefined; readonly isSmall: boolean }

const kept = createLRUCache<Compiled>({ max: STATEMENTS_KEPT })
const documentIds = new WeakMap<DocumentNode, number>()
let documentCount = 0

function idOf(document: DocumentNode): number {
  const id = documentIds.get(document) ?? documentCount++
  documentIds.set(document, id)
  return id
}

/** The statement of an operation; undefined where it has none, or is refused: then resolvers answer it. */
export function compile(asked: Asked): Reading | undefined {
  const { document, operationName, variableValues } = asked
  const key = JSON.stringify([idOf(document), operationName, variableValues])
  const known = kept.get(key)
  if (known) return known.reading
  const compiled = tryCompile(asked)
  const { start = 0, end = Number.POSITIVE_INFINITY } = document.loc ?? {}
  if (compiled.isSmall && key.length <= KEPT_KEY_MAX && end - start <= KEPT_DOCUMENT_MAX)
    kept.set(key, compiled)
  return compiled.reading
}

const UNCOMPILED: Compiled = { reading: undefined, isSmall: true }

function tryCompile(asked: Asked): Compiled {
  try {
    return compileQuery(asked)
  } catch (error) {
    if (error === NOT_COMPILED || error instanceof CodedError || error instanceof GraphQLError)
      return UNCOMPILED
    throw error
  }
}

function compileQuery({ schema, document, operationName, variableValues }: Asked): Compiled {
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
