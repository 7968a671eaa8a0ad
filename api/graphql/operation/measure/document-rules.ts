/**
 * Rules that a document is held to before the rules of the specification: those compare fields in pairs and recurse
 * over fragments, and coercion reads each object once for every field that its type has.
 */
import {
  type ASTNode,
  Kind,
  NoFragmentCyclesRule,
  OperationTypeNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import { CodedError } from '../../../errors.ts'
import { toGraphqlError } from '../../kit/errors.ts'
import { fieldsOf, fragmentsOf, hasConditions, responseName } from '../selections.ts'

export const ALIASES_MAX = 30
/** Objects among the arguments: no more than variables can hold. */
const OBJECTS_MAX = 200
/** Spreads of fragments: validation compares each with those beside it, once for each pair of fields that hold them. */
const SPREADS_MAX = 200
/** Fields of one response name in one selection set, which validation compares pair by pair. Clients send one. */
const REPEATS_MAX = 20

/** Maximum characters of a name. An alias is repeated for each row; names of the schema have at most half of this. */
const NAME_LENGTH_MAX = 64

export const documentRules: readonly ValidationRule[] = [
  nameRule,
  subscriptionRule,
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

function nameRule(context: ValidationContext): ReturnType<ValidationRule> {
  return {
    Name({ value }) {
      if (value.length > NAME_LENGTH_MAX) report(context, 'length of a name', value.length, NAME_LENGTH_MAX)
    },
  }
}

/**
 * Execution requires that a subscription has its one root field, which a directive must not remove. GraphQL
 * specification, section 5.2.4.1.
 */
function subscriptionRule(context: ValidationContext): ReturnType<ValidationRule> {
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.SUBSCRIPTION) return
      if (!hasConditions(selectionSet, fragmentsOf(context.getDocument()))) return
      const message = 'The field of a subscription must not have @skip or @include.'
      context.reportError(toGraphqlError(new CodedError('VALIDATION_FAILED', message)))
    },
  }
}

function repeatRule(context: ValidationContext): ReturnType<ValidationRule> {
  return {
    SelectionSet(selectionSet, _, parent) {
      // An inline fragment's fields count towards its parent.
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
  context.reportError(toGraphqlError(tooComplex(measure, value, maximum)))
}

export function tooComplex(measure: string, value: number, maximum: number): CodedError {
  return new CodedError(
    'QUERY_TOO_COMPLEX',
    `The ${measure} of the query is ${value}; at most ${maximum} are allowed. Ask for smaller pages or fewer fields, or split the query.`,
    { facts: { measure, value, maximum } },
  )
}
