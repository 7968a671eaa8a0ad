/** Where an execution is. The gateway reads it from the chain, also before its block is final. */
import { GatewayError } from './errors.ts'
import type { paths } from './generated/api.ts'
import type { Rest } from './rest.ts'
import type { Hash } from './scalars.ts'

type Execution =
  paths['/api/v1/executions/{executionId}']['get']['responses'][200]['content']['application/json']

type Ended = 'EXPIRED' | 'SUPERSEDED' | 'CANCELLED'

const REASONS: Readonly<Record<Ended, string>> = {
  EXPIRED: 'The route was not executed by its deadline.',
  SUPERSEDED: 'Another execution took the place of the route.',
  CANCELLED: 'The route was cancelled.',
}

/** Returns the execution; undefined where nothing of it is on chain and this session has not prepared it. */
export async function readExecution(
  rest: Rest,
  executionId: Hash,
  signal?: AbortSignal,
): Promise<Execution | undefined> {
  const params = { path: { executionId } }
  const request = rest.get('/api/v1/executions/{executionId}', { params, ...(signal && { signal }) })
  return request.catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'EXECUTION_NOT_FOUND') return undefined
    throw error
  })
}

/**
 * Returns the hash of the transaction that executed it; undefined where none has yet.
 *
 * @throws GatewayError `ROUTE_ENDED` where none will
 */
export function transactionOf(execution: Execution | undefined): Hash | undefined {
  if (!execution || 'transactionHash' in execution || execution.status === 'PREPARED')
    return hashOf(execution)
  throw ended(execution.status)
}

/** Returns the hash of the transaction that executed it; undefined where there is none. */
export function hashOf(execution: Execution | undefined): Hash | undefined {
  return execution && 'transactionHash' in execution ? execution.transactionHash : undefined
}

/** The error of a route that nobody can execute any more. */
export function ended(status: Ended): GatewayError {
  return new GatewayError({ code: 'ROUTE_ENDED', message: REASONS[status], facts: { status } })
}
