/**
 * What one operation may ask for. Tokens and aliases bound the text before anything is done with it; depth, breadth and cost
 * bound what it would read. Cost: each field costs 1, times the rows of every list around it.
 */
import { complexityFromQuery } from '@pothos/plugin-complexity'
import {
  type ASTVisitor,
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  parse,
  type ValidationContext,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { CodedError } from '../errors.ts'
import { toGraphqlError } from './errors.ts'

/** The introspection query of GraphiQL has some 300 tokens; our longest example a fifth of this. */
export const TOKENS_MAX = 2000
export const ALIASES_MAX = 30
/** Introspection is not counted; the deepest chain of relations anybody needs is about half of this. */
export const DEPTH_MAX = 14
export const BREADTH_MAX = 400
/** 200 claims with every field and allocation cost about half of this. */
export const COST_MAX = 20_000
/** Fields at the top of one operation: each is a statement of its own or more. */
export const ROOT_FIELDS_MAX = 12

export function useTokenLimit(): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source, options) => parse(source, { ...options, maxTokens: TOKENS_MAX }))
    },
  }
}

export function useAliasLimit(): Plugin {
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(aliasRule)
    },
  }
}

function aliasRule(context: ValidationContext): ASTVisitor {
  let aliases = 0
  return {
    Field(node) {
      if (!node.alias) return
      aliases += 1
      if (aliases === ALIASES_MAX + 1) {
        context.reportError(
          toGraphqlError(tooComplex('aliases', aliases, ALIASES_MAX), { spec: true, status: 400 }),
        )
      }
    },
  }
}

export type Cost = { cost: number; maximum: number }

/**
 * What the operation would cost.
 *
 * @throws CodedError `QUERY_TOO_COMPLEX` beyond a bound
 */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
): Cost {
  const operation = getOperationAST(document, operationName)
  if (!operation) return { cost: 0, maximum: COST_MAX }
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const only: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] }
  const { complexity, depth, breadth } = complexityFromQuery(only, { schema, variables })
  const rootFields = operation.selectionSet.selections.length
  const bounds = [
    ['cost', complexity, COST_MAX],
    ['depth', depth, DEPTH_MAX],
    ['breadth', breadth, BREADTH_MAX],
    ['root fields', rootFields, ROOT_FIELDS_MAX],
  ] as const
  for (const [measure, value, maximum] of bounds) {
    if (value > maximum) throw tooComplex(measure, value, maximum)
  }
  return { cost: complexity, maximum: COST_MAX }
}

function tooComplex(measure: string, value: number, maximum: number): CodedError {
  return new CodedError(
    'QUERY_TOO_COMPLEX',
    `The ${measure} of the query is ${value}; at most ${maximum} are allowed. Ask for smaller pages or fewer fields, or split the query.`,
    { facts: { measure, value, maximum } },
  )
}
