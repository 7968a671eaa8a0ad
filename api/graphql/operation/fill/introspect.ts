/** Selections of an operation from the schema itself. */
import { executeSync, type FieldNode, Kind } from 'graphql'
import type { Given } from '../plan/walk.ts'

/** Returns the answer of an introspection field. @throws Error where it has none */
export function introspect(walk: Given, nodes: readonly FieldNode[]): unknown {
  const { schema, fragments, operation, sent } = walk
  const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const
  const document = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet }, ...Object.values(fragments)],
  } as const
  const { data, errors } = executeSync({ schema, document, variableValues: sent })
  if (errors?.[0]) throw errors[0]
  return Object.values(data ?? {})[0]
}
