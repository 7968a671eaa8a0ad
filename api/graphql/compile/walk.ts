/** The state of one compilation, and what ends it. */
import type { FieldNode, FragmentDefinitionNode, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { collectSubfields } from 'graphql/execution/collectFields.js'
import type { Labels } from '../../../deployments/labels.ts'

export type Walk = {
  readonly labels: Labels
  readonly schema: GraphQLSchema
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly variables: Readonly<Record<string, unknown>>
  /** A name for rows that no other rows of the statement have. */
  readonly newRow: () => string
  /** Counts a field of the statement. */
  readonly countField: () => void
  /** Records that the best plan depends on the parameters. */
  readonly dependOnValues: () => void
  /** Records that rows are added up. */
  readonly addUpRows: () => void
}

/** Thrown for an operation that has no SQL. It has no stack: nobody reads it. */
export const NOT_COMPILED: unique symbol = Symbol('not compiled')

export function refuseCompilation(): never {
  throw NOT_COMPILED
}

/** The nodes of each selected field, under the name of its answer. */
export type Selected = ReadonlyMap<string, readonly FieldNode[]>

/** What the nodes of one field select from its object. */
export function selectedIn(walk: Walk, type: GraphQLObjectType, nodes: readonly FieldNode[]): Selected {
  return collectSubfields(walk.schema, walk.fragments, walk.variables, type, nodes)
}

/** The values of the selected fields, in their order. */
export function mapSelected<T>(
  selected: Selected,
  toValue: (field: string, nodes: readonly FieldNode[]) => T,
): [name: string, value: T][] {
  return [...selected].map(([name, nodes]) => [name, toValue(nodes[0]?.name.value ?? '', nodes)])
}
