/**
 * Errors of results as clients receive them: coded, with the id of the request. The cause of a masked error is logged
 * under the same id.
 */
import type { ExecutionResult, GraphQLError } from 'graphql'
import type { Context } from 'hono'
import { CodedError, isErrorCode } from '../../errors.ts'
import type { AppEnv } from '../../http/env.ts'
import { isGivenUp } from '../../http/problem.ts'
import { maskError } from '../kit/errors.ts'

export function withCodedErrors(c: Context<AppEnv>, result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result
  const errors = result.errors.map(maskError)
  for (const error of errors) {
    error.extensions.requestId = c.get('requestId')
    report(c, error)
  }
  return { ...result, errors }
}

/** Counts the error, and logs a bug. An error that a client caused by leaving is neither counted nor logged. */
function report(c: Context<AppEnv>, { originalError, extensions: { code }, path }: GraphQLError): void {
  const bug = originalError instanceof CodedError && originalError.code === 'INTERNAL' ? originalError : null
  if (bug && isGivenUp(bug.cause, c)) return
  if (isErrorCode(code)) c.get('metrics')?.failed(code)
  if (bug) c.get('log')().error({ err: bug.cause, path }, bug.message)
}
