/** An operation as one statement. */
import { GraphQLError, OperationTypeNode } from 'graphql'
import { collectFields } from 'graphql/execution/collectFields.js'
import type { Labels } from '../../../deployments/labels.ts'
import { CodedError } from '../../errors.ts'
import { toObject } from '../../projection/json.ts'
import { rootScope } from '../../projection/scope.ts'
import { type Reading, toReading } from '../../projection/statement.ts'
import { fragmentsOf } from '../selections.ts'
import { keptByShape, type Shape } from '../shape.ts'
import { bind, isBindable } from '../template.ts'
import { toFields } from './fields.ts'
import { NOT_COMPILED, refuseCompilation, type Selected, type Walk } from './walk.ts'

/**
 * Relations of one statement. The planner's time grows with each, also where one repeats another; resolvers read equal ones once.
 */
const RELATIONS_MAX = 24

/** The largest statement that is kept. */
const KEPT_FIELDS_MAX = 60

type Compiled = { readonly reading: Reading | undefined; readonly isSmall: boolean }

/** The statement of an operation; undefined where it has none, or is refused: then resolvers answer it. */
export function compile(shape: Shape, labels: Labels): Reading | undefined {
  if (shape.operation.operation !== OperationTypeNode.QUERY) return undefined
  const found = compilerOf(labels)(shape)
  if (found === NOT_BINDABLE) return tryCompile({ ...shape, labels }).reading
  return found && bind(found, shape.template)
}

const NOT_BINDABLE: unique symbol = Symbol('a statement of one request')

type Found = Reading | typeof NOT_BINDABLE | undefined
type Compiler = (shape: Shape) => Found

/** The labels are those of a gateway. */
const compilers = new WeakMap<Labels, Compiler>()

function compilerOf(labels: Labels): Compiler {
  const compiler = compilers.get(labels) ?? createCompiler(labels)
  compilers.set(labels, compiler)
  return compiler
}

function createCompiler(labels: Labels): Compiler {
  return keptByShape<Found>((shape) => {
    const { template } = shape
    const { reading, isSmall } = tryCompile({ ...shape, labels, variables: template.variables })
    if (reading && !isBindable(reading, template)) return { value: NOT_BINDABLE, isKept: false }
    return { value: reading, isKept: isSmall }
  })
}

type Wanted = Pick<Shape, 'schema' | 'document' | 'operation' | 'variables'> & { labels: Labels }

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
  let addsUpRows = false
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
    addUpRows: () => {
      addsUpRows = true
    },
  }
  const json = toObject(toFields(walk, query, selected, rootScope))
  return { reading: toReading(json, hasOnePlan, addsUpRows), isSmall: fields <= KEPT_FIELDS_MAX }
}

/** Whether anything but names of types is selected. */
function readsRows(selected: Selected): boolean {
  return [...selected.values()].some(([node]) => node?.name.value !== '__typename')
}
