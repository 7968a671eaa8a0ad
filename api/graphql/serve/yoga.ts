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
import type { Deps } from '../../deps.ts'
import type { AppEnv } from '../../http/env.ts'
import type { KeptAnswers } from '../../http/kept-answers.ts'
import { maskError } from '../kit/errors.ts'
import {
  documentCaches,
  useDocumentLimit,
  useValidationLimit,
  useVariableLimit,
} from '../operation/measure/measure.ts'
import { schema } from '../schema.ts'
import { answerRequest, type createReaders, toResult } from './answer.ts'
import { withCodedErrors } from './coded-errors.ts'
import { requireBody, useParameterErrors } from './http-refusals.ts'
import { playground, usePlaygroundPolicy } from './playground.ts'
import { createQueries } from './queries.ts'
import { readMediaType } from './request.ts'
import { type ServerContext, useSubscriptions } from './subscriptions.ts'

export const GRAPHQL_PATH = '/api/v1/graphql'

type GraphqlDeps = Pick<Deps, 'config' | 'watch' | 'store' | 'clock' | 'metrics'>

type ReaderOf = ReturnType<typeof createReaders>

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST'])

/** @returns answers a request of GraphQL: queries here; subscriptions, events and the page of GraphiQL by Yoga */
export function createGraphql(deps: GraphqlDeps, readerOf: ReaderOf, kept: KeptAnswers) {
  const yoga = createYogaServer(deps, readerOf)
  const answerQuery = createQueries(schema, readerOf, kept, (result, mediaType) =>
    processRegularResult(result, yoga.fetchAPI, mediaType),
  )
  return async (c: Context<AppEnv>): Promise<Response> => {
    const mediaType = readMediaType(c.req.header('Accept'))
    const isJson = mediaType !== 'text/html' && mediaType !== 'text/event-stream'
    const answer = isJson && METHODS.has(c.req.method) ? await answerQuery(c, mediaType) : undefined
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

function createYogaServer(deps: GraphqlDeps, readerOf: ReaderOf) {
  return createYoga<ServerContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
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
      useAnswers(readerOf),
      useSubscriptions(deps, readerOf),
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
function useOperationName(): Plugin<ServerContext, ServerContext> {
  type Args = ExecutionArgs & { contextValue: ServerContext }
  const set = ({ document, operationName, contextValue: { c } }: Args) =>
    c.set('operation', getOperationAST(document, operationName)?.name?.value ?? '')
  return { onExecute: ({ args }) => set(args), onSubscribe: ({ args }) => set(args) }
}

/** Answers queries as events. */
function useAnswers(readerOf: ReaderOf): Plugin<ServerContext> {
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      setExecuteFn(async (args: ExecutionArgs) =>
        toResult(await answerRequest(args, readerOf(contextValue.c))),
      )
    },
  }
}

/**
 * Yoga drops the answer of a client that has disconnected. An answer as events has a timer, which would keep it in
 * memory permanently.
 */
function useAbandonedAnswers(): Plugin<ServerContext, ServerContext> {
  return {
    async onResponse({ response, serverContext }) {
      if (serverContext?.c.req.raw.signal.aborted) await response.body?.cancel()
    },
  }
}

/** Every error leaves coded, with the request's id; what was masked is logged under the same id. */
function useCodedErrors(): Plugin<ServerContext, ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext: { c } }) {
      if (Array.isArray(result)) return
      const code = (one: ExecutionResult) => withCodedErrors(c, one)
      setResult(isAsyncIterable(result) ? mapAsyncIterator(result, code) : code(result))
    },
  }
}
