/** The GraphQL endpoint, to be mounted untouched: `yoga.fetch(c.req.raw, { c })`. */
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLError } from 'graphql'
import { createYoga, isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { formatTime } from '../domain/time.ts'
import { CodedError } from '../errors.ts'
import { requireSession } from '../middleware/authenticate.ts'
import type { AppEnv } from '../middleware/env.ts'
import type { FinalizedThrough } from '../projection/snapshot.ts'
import { followTransaction } from '../transactions/follow.ts'
import { type Cost, measure, useAliasLimit, useTokenLimit } from './bounds.ts'
import { type GraphqlContext, startOperation } from './context.ts'
import { maskError, refuse } from './errors.ts'
import { playground, usePlaygroundPolicy } from './playground.ts'
import { schema } from './schema.ts'

export const GRAPHQL_PATH = '/api/v1/graphql'

/** What the surrounding app knows of the request. */
export type ServerContext = { c: Context<AppEnv> }

export function createGraphql(deps: Pick<Deps, 'db' | 'chain' | 'deployment'>) {
  return createYoga<ServerContext, GraphqlContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    context: ({ c }) => ({
      operation: startOperation(deps.db),
      followTransaction: (hash) => followTransaction(deps, hash),
      wallet: () => requireSession(c).wallet,
    }),
    maskedErrors: { maskError },
    ...playground,
    plugins: [useTokenLimit(), useAliasLimit(), useOneSnapshot(), useCodedErrors(), usePlaygroundPolicy()],
    // The app around this does each of these for every route.
    cors: false,
    logging: false,
    landingPage: false,
    // Nobody uploads files to a read side.
    multipart: false,
    batching: false,
  })
}

/** Measures the operation, runs it within its bounds, and closes its snapshot, whatever happens. */
function useOneSnapshot(): Plugin<GraphqlContext> {
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      const { operation } = contextValue
      setExecuteFn(async (args: ExecutionArgs) => {
        const cost = tryMeasure(args)
        if ('errors' in cost) return cost
        try {
          // The reference implementation keeps fields in the order of the query; Yoga's own writes them as they come.
          const result: ExecutionResult = await execute(args)
          const through = (await operation.opened())?.finalizedThrough
          return { ...result, extensions: { ...result.extensions, ...(through && tell(through)), cost } }
        } finally {
          await operation.close()
        }
      })
    },
  }
}

function tryMeasure(args: ExecutionArgs): Cost | { errors: GraphQLError[] } {
  try {
    return measure(args.schema, args.document, args.operationName, args.variableValues ?? {})
  } catch (error) {
    return { errors: [refuse(error)] }
  }
}

/** As REST writes it. */
function tell({ blockNumber, timestamp }: FinalizedThrough) {
  return { finalizedThrough: { blockNumber: Number(blockNumber), timestamp: formatTime(timestamp) } }
}

/** Every error leaves coded, with the request's id; what was masked is logged under the same id. */
function useCodedErrors(): Plugin<GraphqlContext, ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext: { c } }) {
      if (isAsyncIterable(result) || Array.isArray(result) || !result.errors) return
      const errors = result.errors.map(maskError)
      for (const error of errors) {
        error.extensions.requestId = c.var.requestId
        logBug(c, error)
      }
      setResult({ ...result, errors })
    },
  }
}

function logBug(c: Context<AppEnv>, error: GraphQLError): void {
  const { originalError } = error
  if (!(originalError instanceof CodedError) || originalError.code !== 'INTERNAL') return
  c.var.log.error({ err: originalError.cause, path: error.path }, originalError.message)
}
