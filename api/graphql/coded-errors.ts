/** Errors of results as clients receive them: coded, with the id of the request. What was masked is logged under the same id. */
import type { ExecutionResult, GraphQLError } from 'graphql'
import type { Context } from 'hono'
import { CodedError } from '../errors.ts'
import type { AppEnv } from '../middleware/env.ts'
import { isGivenUp } from '../middleware/problem.ts'
import { maskError } from './errors.ts'

export function withCodedErrors(c: Context<AppEnv>, result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result
  const errors = result.errors.map(maskError)
  for (const error of errors) {
    error.extensions.requestId = c.get('requestId')
    logBug(c, error)
  }
  return { ...result, errors }
}

function logBug(c: Context<AppEnv>, error: GraphQLError): void {
  const { originalError } = error
  if (!(originalError instanceof CodedError) || originalError.code !== 'INTERNAL') return
  if (isGivenUp(originalError.cause, c)) return
  c.get('log').error({ err: originalError.cause, path: error.path }, originalError.message)
}
