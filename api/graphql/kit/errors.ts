/** The one catalogue's errors as GraphQL errors: coded ones as they are, everything unexpected masked. */
import { PothosError } from '@pothos/core'
import { GraphQLError } from 'graphql'
import { CodedError, type ErrorCode, shorten, toCodedError, toGraphqlExtensions } from '../../errors.ts'

/**
 * Masks an error, at its place in the query. The id of the request is added when the answer is written.
 *
 * @param code of what GraphQL itself refuses: its message names the field and what was expected, and may quote the
 * request, which can be large
 */
export function maskError(error: unknown, code: ErrorCode = 'VALIDATION_FAILED'): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined
  const origin = originOf(error)
  if (origin !== undefined || !located) return toGraphqlError(toCodedError(origin), located)
  return toGraphqlError(new CodedError(code, shorten(located.message)), located)
}

/** Makes a coded error with its GraphQL extensions, at the place of the query where it happened. */
export function toGraphqlError(coded: CodedError, at?: GraphQLError): GraphQLError {
  return new GraphQLError(coded.message, {
    ...(at?.nodes && { nodes: at.nodes }),
    ...(at?.source && { source: at.source }),
    ...(at?.positions && { positions: at.positions }),
    ...(at?.path && { path: at.path }),
    originalError: coded,
    extensions: { ...toGraphqlExtensions(coded, '') },
  })
}

/** The error behind GraphQL's wrappers; undefined where GraphQL itself refused the request. */
function originOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error
  if (error.originalError) return originOf(error.originalError)
  // While a query runs, only Pothos refuses in GraphQL's own name: anything else there is a value we should not have
  // given.
  return error.path && !(error instanceof PothosError) ? error : undefined
}
