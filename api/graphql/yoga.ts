/** The GraphQL endpoint. */
import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql'
import {
  createYoga,
  isAsyncIterable,
  mapAsyncIterator,
  type Plugin,
  processRegularResult,
} from 'graphql-yoga'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import type { AppEnv } from '../middleware/env.ts'
import type { KeptAnswers } from '../middleware/kept-answers.ts'
import type { Follow } from '../transactions/follow.ts'
import { answerQuery } from './answer.ts'
import { documentCaches, useDocumentLimit, useValidationLimit, useVariableLimit } from './bounds.ts'
import { withCodedErrors } from './coded-errors.ts'
import { createContexts, type GraphqlContext, type ServerContext } from './context.ts'
import { maskError } from './errors.ts'
import { requireBody, useParameterErrors } from './http-refusals.ts'
import { createPlainQueries } from './plain-query.ts'
import { playground, usePlaygroundPolicy } from './playground.ts'
import { schema } from './schema.ts'
import { useSubscriptions } from './subscriptions.ts'

export const GRAPHQL_PATH = '/api/v1/graphql'

type GraphqlDeps = Pick<
  Deps,
  'config' | 'watch' | 'store' | 'chain' | 'deployment' | 'labels' | 'clock' | 'metrics'
> & {
  follow: Follow
}

/** @returns answers a request of GraphQL: a plain query at once, everything else by Yoga */
export function createGraphql(deps: GraphqlDeps, kept: KeptAnswers) {
  const contextOf = createContexts(deps)
  const yoga = createYogaServer(deps, contextOf)
  const answerPlain = createPlainQueries(schema, contextOf, kept, (result, mediaType) =>
    processRegularResult(result, yoga.fetchAPI, mediaType),
  )
  return async (c: Context<AppEnv>): Promise<Response> => {
    // Some caches store an answer to a GET for as long as they like, unless it states otherwise.
    if (c.req.method !== 'POST') c.get('headers')['Cache-Control'] ??= 'no-store'
    const answer = await answerPlain(c)
    if (answer) return answer
    const response = requireBody(await yoga.fetch(await unread(c), { c }))
    if (c.req.method !== 'HEAD') return response
    // A body as events has a timer, and is never read.
    await response.body?.cancel()
    return new Response(null, response)
  }
}

/** The request with its body, which may have been read. */
async function unread({ req }: Context<AppEnv>): Promise<Request> {
  const { raw } = req
  if (!raw.bodyUsed) return raw
  const { url, method, headers, signal } = raw
  return new Request(url, { method, headers, signal, body: await req.text() })
}

function createYogaServer(deps: GraphqlDeps, contextOf: ReturnType<typeof createContexts>) {
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
      useOperationName(),
      useOneSnapshot(),
      useSubscriptions(deps),
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

/** Names the operation for the log of what was measured. */
function useOperationName(): Plugin<GraphqlContext & ServerContext, ServerContext> {
  type Args = ExecutionArgs & { contextValue: ServerContext }
  const set = ({ document, operationName, contextValue: { c } }: Args) =>
    c.set('operation', getOperationAST(document, operationName)?.name?.value ?? '')
  return { onExecute: ({ args }) => set(args), onSubscribe: ({ args }) => set(args) }
}

/** Measures a query and runs it within its bounds: in one statement where it has one, else by its resolvers. */
function useOneSnapshot(): Plugin<GraphqlContext> {
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      setExecuteFn((args: ExecutionArgs) => answerQuery(args, contextValue))
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
