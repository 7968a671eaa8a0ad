/** The plan of an operation: one statement, and what is filled into its answer. */
import { type GraphQLObjectType, OperationTypeNode } from 'graphql'
import { collectFields } from 'graphql/execution/collectFields.js'
import { constantOf, toObject } from '../../../projection/sql/json.ts'
import { rootScope } from '../../../projection/sql/scope.ts'
import { type Reading, toReading } from '../../../projection/sql/statement.ts'
import type { Elsewhere } from '../../kit/declared-read.ts'
import type { Outside } from '../../kit/outside.ts'
import { fragmentsOf } from '../selections.ts'
import { bind, hasPlaceholder, isBindable, keptByShape, type Shape } from '../shape.ts'
import { toFields } from './fields.ts'
import {
  CALLER,
  type EstimateAt,
  type Failure,
  type Gateway,
  type Given,
  type Hole,
  locate,
  type Past,
  type Path,
  type Question,
  type Search,
  startWalk,
} from './walk.ts'

export type Plan = {
  /** Questions whose answers the plan needs; it is made again with them. */
  readonly questions: readonly Question[]
  readonly statement: Reading
  /** The answer of an operation that reads nothing but the schema. */
  readonly constant: string | undefined
  /** Relations whose size must be checked before the statement runs. */
  readonly estimates: readonly EstimateAt[]
  readonly failures: readonly Failure[]
  /** Points of the budget beside the cost of the operation. */
  readonly work: number
  readonly holes: readonly Hole[]
  /** Whether a value depends on the latest block of the chain. */
  readonly followsHead: boolean
  readonly searches: readonly Search[]
  /** The field that is read for the caller. */
  readonly caller: Path | undefined
  /** Whether the answer depends on the request and the projection at its block alone. */
  readonly isPure: boolean
  /** Fields of the query that are read as of blocks of the past, which the statement needs. */
  readonly pasts: readonly Past[]
  /** The number of fields of the query. */
  readonly size: number
}

/** Facts that are known before the plan is made. */
export type Known = {
  /** Objects of the query that were asked for, by the names of their fields in the answer. */
  readonly asked?: ReadonlyMap<string, object>
  /** Rows that the projection did not have. */
  readonly elsewhere?: Elsewhere | undefined
  /** Whether a bound that the statement checks was exceeded, so that estimates must be checked. */
  readonly isEstimated?: boolean
}

/** The largest plan that is kept. */
const KEPT_FIELDS_MAX = 60

/** @throws GraphQLError at the field that is at fault */
export function plan(shape: Shape, gateway: Gateway, known: Known = {}): Plan {
  if (known.asked?.size || known.elsewhere || known.isEstimated)
    return planNew({ ...shape, gateway, ...known }).plan
  const found = plannerOf(gateway)(shape)
  return found === NOT_BINDABLE ? planNew({ ...shape, gateway }).plan : bindPlan(found, shape)
}

const NOT_BINDABLE: unique symbol = Symbol('a plan of one request')

type Planner = (shape: Shape) => Plan | typeof NOT_BINDABLE

const planners = new WeakMap<Gateway, Planner>()

function plannerOf(gateway: Gateway): Planner {
  const planner = planners.get(gateway) ?? createPlanner(gateway)
  planners.set(gateway, planner)
  return planner
}

function createPlanner(gateway: Gateway): Planner {
  return keptByShape<Plan | typeof NOT_BINDABLE>((shape) => {
    const { template } = shape
    const { plan, fields } = planNew({ ...shape, gateway, variables: template.variables })
    const readings = [plan.statement, ...plan.estimates.map(({ reading }) => reading)]
    // Questions, searches and holes have their arguments from the request.
    const hasOwnHole = plan.holes.some(({ args }) => hasPlaceholder(args))
    const isOfRequest = hasOwnHole || plan.questions.length > 0 || plan.searches.length > 0
    const isForAll = !isOfRequest && readings.every((reading) => isBindable(reading, template))
    if (!isForAll) return { value: NOT_BINDABLE, isKept: false }
    return { value: plan, isKept: fields <= KEPT_FIELDS_MAX }
  })
}

function bindPlan(plan: Plan, { template }: Shape): Plan {
  return {
    ...plan,
    statement: bind(plan.statement, template),
    estimates: plan.estimates.map((one) => ({ ...one, reading: bind(one.reading, template) })),
  }
}

type Wanted = Pick<Shape, 'schema' | 'document' | 'operation' | 'sent' | 'variables'> &
  Known & { gateway: Gateway }

function planNew(wanted: Wanted): { plan: Plan; fields: number } {
  const given = toGiven(wanted)
  const { operation } = wanted
  const walk = startWalk(given)
  const type = rootOf(wanted)
  const selected = collectFields(given.schema, given.fragments, given.variables, type, operation.selectionSet)
  const json = toObject(toFields(walk, type, selected, rootScope))
  const { hasOnePlan, addsUpRows, needsBlock, fields, ...notes } = walk.notes
  const { holes, searches, questions, pasts } = notes
  const isPure =
    !notes.caller && [holes, searches, questions, pasts, [...given.asked]].every((list) => list.length === 0)
  const statement = toReading(json, hasOnePlan, addsUpRows)
  const constant = needsBlock ? undefined : constantOf(json)
  return { plan: { ...notes, statement, constant, isPure, size: selected.size }, fields }
}

function toGiven(wanted: Wanted): Given {
  const { asked = new Map(), elsewhere, isEstimated = false, document } = wanted
  const fragments = Object.fromEntries(fragmentsOf(document))
  return { ...wanted, fragments, asked, elsewhere, isEstimated }
}

function rootOf({ schema, operation }: Wanted): GraphQLObjectType {
  const type =
    operation.operation === OperationTypeNode.SUBSCRIPTION
      ? schema.getSubscriptionType()
      : schema.getQueryType()
  if (!type) throw new Error(`the schema has no ${operation.operation}`)
  return type
}

/** Returns the statement with the wallet of the caller in its place. @throws GraphQLError for a caller without one */
export function withCaller({ statement, caller }: Plan, { wallet }: Outside): Reading {
  if (!caller) return statement
  try {
    return { ...statement, values: statement.values.map((value) => (value === CALLER ? wallet() : value)) }
  } catch (error) {
    throw error instanceof Error ? locate(error, caller) : error
  }
}
