/** The endpoint of GraphQL: one handler answers queries, subscriptions and browsers. */
import { OperationTypeNode } from 'graphql'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { CodedError } from '../../errors.ts'
import { isPersonal } from '../../http/cache-control.ts'
import { pathAndQuery } from '../../http/conditional.ts'
import type { AppEnv } from '../../http/env.ts'
import type { KeptAnswers } from '../../http/kept-answers.ts'
import { parseMinBlock } from '../../limits/min-block.ts'
import { pointsOfRequest } from '../operation/measure/measure.ts'
import type { Prepared } from '../operation/run.ts'
import { schema } from '../schema.ts'
import { answerPrepared, type createReaders, isAnswer, toFailure } from './answer.ts'
import { createConstants, sendConstant } from './constants.ts'
import { createOperations } from './operations.ts'
import { createPlayground } from './playground.ts'
import { type MediaType, prefersPage, readAccepted, readRequest, requireJsonType } from './request.ts'
import { createSubscriptions } from './subscriptions.ts'
import { presentAnswer, writeEvents, writeFailure } from './write-result.ts'

export const GRAPHQL_PATH = '/api/v1/graphql'

/** GraphQL over HTTP has no HEAD. CORS answers OPTIONS. */
export const GRAPHQL_METHODS = ['GET', 'POST']

type GraphqlDeps = Pick<Deps, 'config' | 'documents' | 'watch' | 'head' | 'store' | 'clock' | 'metrics'>

/** @returns a function that answers a request. It throws CodedError for a request that is not one of GraphQL */
export function createGraphql(
  deps: GraphqlDeps,
  readerOf: ReturnType<typeof createReaders>,
  kept: KeptAnswers,
) {
  const readOperation = createOperations(schema, deps)
  const subscribe = createSubscriptions(deps, readerOf)
  const constants = createConstants()
  const servePlayground = createPlayground(deps.config.demoWallets)

  const answerQuery = async (c: Context<AppEnv>, prepared: Prepared, mediaType: MediaType, key: string) => {
    const keep = kept.begin(key)
    const answer = await answerPrepared(prepared, readerOf(c))
    if (!isAnswer(answer)) return writeFailure(c, answer, mediaType)
    const isShared = answer.isPure && !isPersonal(c)
    const { text, headers } = presentAnswer(answer, mediaType, isShared && c.req.method === 'GET')
    const presented = { text, headers, operation: c.get('operation') }
    if (isShared && answer.state) keep(presented, answer.state)
    if (isShared && !answer.state) return sendConstant(c, constants.keep(key, presented))
    // An answer of constants took no read, which would have required this.
    if (!answer.state) c.get('requireRead')(text.length)
    return c.body(text, 200, headers)
  }

  return async (c: Context<AppEnv>): Promise<Response> => {
    requireMethod(c)
    const isGet = c.req.method === 'GET'
    const accept = c.req.header('Accept')
    if (isGet && deps.config.playground && prefersPage(accept)) return servePlayground(c)
    const { mediaType, acceptsEvents } = readAccepted(accept)
    if (!isGet) requireJsonType(c.req.header('Content-Type'))
    const sent = isGet ? pathAndQuery(c.req.url) : await c.req.text()
    const key = `${c.req.method} ${mediaType} ${sent}`
    const found = isPersonal(c) ? undefined : kept.find(key, parseMinBlock(c.req.header('X-Min-Block')))
    if (found) {
      c.set('operation', found.operation)
      return c.body(found.body, 200, found.headers)
    }
    const constant = isPersonal(c) ? undefined : constants.find(key)
    if (constant) return sendConstant(c, constant)
    c.get('spend')(pointsOfRequest(sent))
    const prepared = readOperation(c, readRequest(c, isGet ? undefined : sent))
    if ('errors' in prepared) return writeFailure(c, prepared, mediaType)
    const { operation } = prepared.shape.operation
    if (operation !== OperationTypeNode.SUBSCRIPTION) return answerQuery(c, prepared, mediaType, key)
    const events = await subscribe(c, prepared, acceptsEvents).catch(toFailure)
    return 'errors' in events ? writeFailure(c, events, mediaType) : writeEvents(c, events)
  }
}

/** The router passes HEAD requests to the handler of GET. @throws CodedError `METHOD_NOT_ALLOWED` */
function requireMethod(c: Context<AppEnv>): void {
  if (c.req.method !== 'HEAD') return
  c.header('Allow', GRAPHQL_METHODS.join(', '))
  throw new CodedError('METHOD_NOT_ALLOWED', 'GraphQL supports GET and POST.')
}
