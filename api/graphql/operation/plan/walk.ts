/** The statement that is being written for an operation, and what belongs to it. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { collectSubfields } from 'graphql/execution/collectFields.js'
import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Labels } from '../../../../deployments/labels.ts'
import { CodedError } from '../../../errors.ts'
import type { AsOf } from '../../../projection/past/around.ts'
import { type Estimate, toEstimate } from '../../../projection/session/aggregate-bound.ts'
import type { FinalizedThrough } from '../../../projection/session/state.ts'
import { withElsewhere } from '../../../projection/sql/elsewhere.ts'
import { failureText, type Sql } from '../../../projection/sql/json.ts'
import type { ListedSource } from '../../../projection/sql/page.ts'
import { view } from '../../../projection/sql/source.ts'
import type { Elsewhere, Writer } from '../../kit/declared-read.ts'
import type { Outside } from '../../kit/outside.ts'

/** Names of the answer from the root to a field. Lists have no index in it. */
export type Path = readonly string[]

/** A value that is filled into the answer of the statement. */
export type Hole = {
  readonly path: Path
  /** Arguments of its field. */
  readonly args: object
  /** The field of the query above it that is read as of a block. */
  readonly past: string | undefined
  /** @param needs what the statement has at its place, for each object */
  readonly fill: (
    needs: readonly unknown[],
    outside: Outside,
    through: FinalizedThrough,
  ) => Promise<readonly unknown[]>
}

/** A row of the query that may be elsewhere. */
export type Search = {
  readonly path: Path
  readonly find: (outside: Outside, through: FinalizedThrough) => Promise<Elsewhere | undefined>
}

/** An object of the query that must be found before the statement is written. */
export type Question = { readonly name: string; readonly ask: (outside: Outside) => Promise<object> }

/** A field of the query, by its place, that is read as of a block. */
export type Past = {
  readonly field: string
  /** @param variables of a request @throws CodedError `VALIDATION_FAILED` for no block, or for several */
  readonly wantedBy: (variables: Readonly<Record<string, unknown>>) => AsOf
}

export type EstimateAt = Estimate & { readonly path: Path }

export type Failure = { readonly path: Path; readonly error: () => Error }

/** Parts of a plan besides its statement. */
export type Notes = {
  readonly questions: Question[]
  readonly holes: Hole[]
  readonly searches: Search[]
  readonly failures: Failure[]
  readonly estimates: EstimateAt[]
  /** Fields of the query that are read as of blocks of the past. */
  readonly pasts: Past[]
  fields: number
  /** Cost that depends on the place of a field: points of the budget beside the cost of the operation. */
  work: number
  /** Whether one plan of Postgres is good for all parameters. */
  hasOnePlan: boolean
  addsUpRows: boolean
  /** Whether a value outside of the statement depends on its block. */
  needsBlock: boolean
  /** Whether a value depends on the latest block of the chain. */
  followsHead: boolean
  /** The field that has the caller as its parameter. */
  caller: Path | undefined
}

/** Values of the gateway that no request changes. */
export type Gateway = { readonly labels: Labels; readonly router: Address }

/** Inputs of a plan. */
export type Given = {
  readonly gateway: Gateway
  readonly schema: GraphQLSchema
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly operation: OperationDefinitionNode
  /** The variables as they were sent, and as values of their types. */
  readonly sent: Readonly<Record<string, unknown>>
  readonly variables: Readonly<Record<string, unknown>>
  /** Objects of the query that were asked for before, by the names of their fields in the answer. */
  readonly asked: ReadonlyMap<string, object>
  /** Rows that the projection does not have. */
  readonly elsewhere: Elsewhere | undefined
  readonly isEstimated: boolean
}

export type Walk = Given &
  Writer & {
    readonly notes: Notes
    /** The field of the query above the present one that is read as of a block of the past; undefined for none. */
    readonly past: string | undefined
    /** Whether a field that has no past is refused where it is, and not with the whole field above it. */
    readonly findsUnknown: boolean
    readonly path: () => Path
    /** Does the work at a field of the present object. Errors of the catalogue get its place. */
    readonly at: <T>(name: string, node: FieldNode | undefined, work: () => T) => T
    /** Does the work for the items of a list. */
    readonly inList: <T>(work: () => T) => T
    /** A name for rows that no other rows of the statement have. */
    readonly newRow: () => string
    /** The rows of a table, with those that are elsewhere. */
    readonly rowsOf: (source: ListedSource) => Sql
  }

/** Stands for the wallet of the caller among the parameters of a statement that is kept for all callers. */
export const CALLER: unique symbol = Symbol('the wallet of the caller')

export function startWalk(given: Given): Walk {
  const notes: Notes = {
    questions: [],
    holes: [],
    searches: [],
    failures: [],
    estimates: [],
    pasts: [],
    fields: 0,
    work: 0,
    hasOnePlan: true,
    addsUpRows: false,
    needsBlock: false,
    followsHead: false,
    caller: undefined,
  }
  const path: string[] = []
  let rows = 0
  let lists = 0
  return {
    ...given,
    notes,
    past: undefined,
    cursorBlock: undefined,
    findsUnknown: false,
    hasTotals: true,
    path: () => [...path],
    at: (name, node, work) => {
      path.push(name)
      try {
        return work()
      } catch (error) {
        throw error instanceof CodedError ? locate(error, [...path], node) : error
      } finally {
        path.pop()
      }
    },
    inList: (work) => {
      lists += 1
      try {
        return work()
      } finally {
        lists -= 1
      }
    },
    isInList: () => lists > 0,
    newRow: () => {
      rows += 1
      return `r${rows}`
    },
    rowsOf: (source) => withElsewhere(source, given.elsewhere?.[source.table]) ?? view(source.table),
    router: given.gateway.router,
    caller: () => {
      notes.caller ??= [...path]
      return sql`${CALLER}::text`
    },
    failure: (error) => {
      notes.failures.push({ path: [...path], error })
      return failureText(String(notes.failures.length - 1))
    },
    exceeded: () => failureText(EXCEEDED),
    bound: (relation, subject) => {
      notes.estimates.push({ ...toEstimate(relation, subject), path: [...path] })
    },
  }
}

/** The name of the failure of a bound that the statement itself checks. */
export const EXCEEDED = 'exceeded'

/** Makes the error at a place of the answer. */
export function locate(error: Error, path: Path, node?: FieldNode): GraphQLError {
  return new GraphQLError(error.message, { path, originalError: error, ...(node && { nodes: node }) })
}

/** The nodes of each selected field, under the name of its answer. */
export type Selected = ReadonlyMap<string, readonly FieldNode[]>

/** Collects what the nodes of one field select from its object. */
export function selectedIn(walk: Given, type: GraphQLObjectType, nodes: readonly FieldNode[]): Selected {
  return collectSubfields(walk.schema, walk.fragments, walk.variables, type, nodes)
}

/** Computes the values of the selected fields, in their order. */
export function mapSelected<T>(
  walk: Walk,
  selected: Selected,
  toValue: (field: string, nodes: readonly FieldNode[]) => T,
): [name: string, value: T][] {
  return [...selected].map(([name, nodes]) => [
    name,
    walk.at(name, nodes[0], () => toValue(nodes[0]?.name.value ?? '', nodes)),
  ])
}
