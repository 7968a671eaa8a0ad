/** The GraphQL endpoint, to be mounted untouched: `yoga.fetch(c.req.raw, { c })`. */
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql'
import { createYoga, isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import type { AppEnv } from '../middleware/env.ts'
import { isGivenUp } from '../middleware/problem.ts'
import type { Follow } from '../transactions/follow.ts'
import { answerInOneStatement } from './answer.ts'
import { documentCaches, useDocumentLimit, useValidationLimit, useVariableLimit } from './bounds.ts'
import { createContexts, type GraphqlContext, type ServerContext } from './context.ts'
import { maskError } from './errors.ts'
import { useParameterErrors } from './http-refusals.ts'
import { useKeptAnswers } from './kept-answers.ts'
import { playground, usePlaygroundPolicy } from './playground.ts'
import { runOnOneSnapshot, tryMeasure } from './run.ts'
import { schema } from './schema.ts'
import { useSubscriptions } from './subscriptions.ts'

export const GRAPHQL_PATH = '/api/v1/graphql'

export function createGraphql(
  deps: Pick<Deps, 'config' | 'watch' | 'store' | 'chain' | 'deployment' | 'clock'> & { follow: Follow },
) {
  const contextOf = createContexts(deps)
  return createYoga<ServerContext, GraphqlContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    context: ({ c }) => contextOf(c),
    // When a client disconnects, Yoga's own streams, wrapped into answers of the platform, throw outside of any catch.
    fetchAPI: { Response, ReadableStream },
    maskedErrors: { maskError },
    ...playground(deps.config.playground),
    parserAndValidationCache: documentCaches(),
    plugins: [
      useParameterErrors(),
      useVariableLimit(),
      useDocumentLimit(),
      useValidationLimit(),
      useOneSnapshot(),
      useSubscriptions(deps),
      useKeptAnswers(deps.watch, deps.config.keptAnswersSize),
      useCodedErrors(),
      usePlaygroundPolicy(),
      useAbandonedAnswers(),
    ],
    // The app around this does each of these for every route.
    cors: false,
    logging: false,
    landingPage: false,
    // No operation takes files.
    multipart: false,
    batching: false,
  })
}

/** Measures a query and runs it within its bounds: in one statement where it has one, else by its resolvers. */
function useOneSnapshot(): Plugin<GraphqlContext> {
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      setExecuteFn(async (args: ExecutionArgs) => {
        const cost = tryMeasure(args)
        if ('errors' in cost) return cost
        const answer = await answerInOneStatement(args, contextValue, cost)
        return answer ?? runOnOneSnapshot(args, contextValue.operation, cost)
      })
    },
  }
}

/** Yoga drops the answer of a client that has disconnected. An answer as events has a timer, which would keep it in memory permanently. */
function useAbandonedAnswers(): Plugin<GraphqlContext, ServerContext> {
  return {
    async onResponse({ response, serverContext }) {
      if (serverContext?.c.req.raw.signal.aborted) await response.body?.cancel()
    },
  }
}

/** Every error leaves coded, with the request's id; what was masked is logged under the same id. */
function useCodedErrors(): Plugin<GraphqlContext, ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext: { c } }) {
      if (Array.isArray(result)) return
      const code = (one: ExecutionResult) => withCodedErrors(c, one)
      setResult(isAsyncIterable(result) ? mapAsyncIterator(result, code) : code(result))
    },
  }
}

function withCodedErrors(c: Context<AppEnv>, result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result
  const errors = result.errors.map(maskError)
  for (const error of errors) {
    error.extensions.requestId = c.var.requestId
    logBug(c, error)
  }
  return { ...result, errors }
}

function logBug(c: Context<AppEnv>, error: GraphQLError): void {
  const { originalError } = error
  if (!(originalError instanceof CodedError) || originalError.code !== 'INTERNAL') return
  if (isGivenUp(originalError.cause, c)) return
  c.var.log.error({ err: originalError.cause, path: error.path }, originalError.message)
}
