/**
 * Rules that a document is held to before the rules of the specification: those compare fields in pairs and recurse over
 * fragments, and coercion reads each object once for every field that its type has.
 */
import {
  type ASTNode,
  Kind,
  NoFragmentCyclesRule,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import { CodedError } from '../errors.ts'
import { toGraphqlError } from './errors.ts'
import { fieldsOf, responseName } from './selections.ts'

export const ALIASES_MAX = 30
/** Objects among the arguments: no more than variables can hold. */
const OBJECTS_MAX = 200
/** Spreads of fragments: validation compares each with those beside it, once for each pair of fields that hold them. */
const SPREADS_MAX = 200
/** Fields of one response name in one selection set, which validation compares pair by pair. Clients send one. */
const REPEATS_MAX = 20

export const documentRules: readonly ValidationRule[] = [
  NoFragmentCyclesRule,
  countRule('aliases', ALIASES_MAX, (node) => node.kind === Kind.FIELD && node.alias !== undefined),
  countRule('objects in arguments', OBJECTS_MAX, (node) => node.kind === Kind.OBJECT),
  countRule('fragment spreads', SPREADS_MAX, (node) => node.kind === Kind.FRAGMENT_SPREAD),
  repeatRule,
]

function countRule(measure: string, maximum: number, isCounted: (node: ASTNode) => boolean): ValidationRule {
  return (context) => {
    let count = 0
    return {
      enter(node) {
        if (!isCounted(node)) return
        count += 1
        if (count === maximum + 1) report(context, measure, count, maximum)
      },
    }
  }
}

function repeatRule(context: ValidationContext): ReturnType<ValidationRule> {
  return {
    SelectionSet(selectionSet, _, parent) {
      // An inline fragment's fields are counted where it stands.
      if (parent && 'kind' in parent && parent.kind === Kind.INLINE_FRAGMENT) return
      const counts = new Map<string, number>()
      for (const field of fieldsOf(selectionSet, new Map())) {
        const name = responseName(field)
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      const most = Math.max(0, ...counts.values())
      if (most > REPEATS_MAX) report(context, 'fields of one name', most, REPEATS_MAX)
    },
  }
}

function report(context: ValidationContext, measure: string, value: number, maximum: number): void {
  const error = tooComplex(measure, value, maximum)
  context.reportError(toGraphqlError(error, { spec: true, status: 400 }))
}

export function tooComplex(measure: string, value: number, maximum: number): CodedError {
  return new CodedError(
    'QUERY_TOO_COMPLEX',
    `The ${measure} of the query is ${value}; at most ${maximum} are allowed. Ask for smaller pages or fewer fields, or split the query.`,
    { facts: { measure, value, maximum } },
  )
}
