/** How subscriptions are let in and let go: GraphQL over SSE, each on a connection of its own. */
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { CodedError, validationFailed } from '../../errors.ts'
import type { AppEnv } from '../../http/env.ts'
import { clientAddress } from '../../limits/client-address.ts'
import { createConcurrencyLimit, type Limit } from '../../limits/concurrency-limit.ts'
import { createQueue } from '../../limits/queue.ts'
import { callerOf } from '../../limits/rate-limit.ts'
import { readConnections } from '../../limits/snapshots.ts'
import { isRevoked } from '../../store/revoked-tokens.ts'
import { refuse } from '../kit/errors.ts'
import type { Reader } from '../operation/run.ts'
import { tryPrepare } from './answer.ts'
import { follow } from './live.ts'

/** Events are read over one in four of the connections for reads, so that queries find the others free. */
const CONNECTIONS_PER_EVENT = 4

/** Maximum total cost of the subscriptions of one client address: all of them are executed at each block. */
const COST_PER_ADDRESS_MAX = 60_000

const RETRY_AFTER_SECONDS = 10

/** The context of the request that the HTTP server passes in. */
export type ServerContext = { c: Context<AppEnv> }

type Live = ExecutionArgs & { contextValue: ServerContext }
type Events = AsyncIterableIterator<ExecutionResult>

/** Has each subscription follow the projection, within its bounds, until the client leaves or the watch is closed. */
export function useSubscriptions(
  { config, watch, store, clock, metrics }: Pick<Deps, 'config' | 'watch' | 'store' | 'clock' | 'metrics'>,
  readerOf: (c: Context<AppEnv>, read: Reader['read']) => Reader,
): Plugin<ServerContext, ServerContext> {
  const open = createConcurrencyLimit()
  metrics?.gauge('gateway_subscriptions', 'Open subscriptions.', () => open.amountOf('all'))
  const read = createQueue()
  const eventsMax = Math.max(1, Math.floor(readConnections(config) / CONNECTIONS_PER_EVENT))
  const limitsOf = (caller: string, address: string, cost: number): Limit[] => [
    { key: `caller ${caller}`, max: config.subscriptionsPerClient, refuse: tooManyOf },
    // Wallets cost nothing to create, so all wallets of one address together get twice the limit of one.
    { key: `address ${address}`, max: 2 * config.subscriptionsPerClient, refuse: tooManyOf },
    { key: `cost ${address}`, max: COST_PER_ADDRESS_MAX, amount: cost, refuse: tooExpensive },
    { key: 'all', max: config.subscriptionsMax, refuse: tooManyInAll },
  ]
  // A waiting subscription is never refused: the number of open subscriptions bounds the queue.
  const readLimitsOf = (caller: string): Limit[] => [
    { key: caller, max: Math.max(1, eventsMax - 1), refuse: tooManyInAll },
    { key: 'all', max: eventsMax, refuse: tooManyInAll },
  ]

  const begin = async (args: Live): Promise<Events | ExecutionResult> => {
    const { c } = args.contextValue
    const prepared = tryPrepare(args)
    if ('errors' in prepared) return prepared
    requireEvents(c.req.header('Accept'))
    const caller = callerOf(c, config.trustedProxies)
    const address = clientAddress(c, config.trustedProxies)
    const release = open.acquire(limitsOf(caller, address, prepared.cost.cost))
    const leaving = new AbortController()
    const request = c.req.raw.signal
    const stop = () => {
      // A listener that stays on a request's signal keeps the request in memory permanently.
      request.removeEventListener('abort', stop)
      release()
      leaving.abort()
    }
    request.addEventListener('abort', stop)
    if (request.aborted) stop()
    const { signal } = leaving
    const acquire = () => read({ limits: readLimitsOf(caller), signal })
    const authentication = c.get('authentication')
    const readStatement = c.get('readStatement')
    const reader = (purpose: 'read' | 'live') =>
      readerOf(c, (reading, isShort) => readStatement(reading, isShort, purpose, signal))
    const isSessionOver = async () => {
      if (!('session' in authentication)) return false
      const { session } = authentication
      return clock() >= session.expiresAt * 1000 || isRevoked(store, session)
    }
    const readers = { first: reader('read'), later: reader('live') }
    const events = follow(prepared, { watch, ...readers, acquire, isSessionOver, signal })
    return begun(stoppable(events, stop))
  }

  return {
    onSubscribe({ args, setSubscribeFn }) {
      setSubscribeFn(() => begin(args).catch((error) => ({ errors: [refuse(error)] })))
    },
    onResponse({ response: { headers } }) {
      // nginx would hold events until its buffer is full.
      if (headers.get('Content-Type') === 'text/event-stream') headers.set('X-Accel-Buffering', 'no')
    },
  }
}

/** @throws CodedError `VALIDATION_FAILED` for a client that does not accept event streams */
function requireEvents(accept = '*/*'): void {
  if (/text\/(event-stream|\*)|\*\/\*/.test(accept)) return
  const message = 'must allow text/event-stream: a subscription is answered as a stream of events'
  throw validationFailed([{ path: 'Accept', message }])
}

/** `return` of an async generator waits for its pending step; `stop` ends that step. */
function stoppable(events: Events, stop: () => void): Events {
  return {
    next: async () => {
      try {
        const event = await events.next()
        if (event.done) stop()
        return event
      } catch (error) {
        stop()
        throw error
      }
    },
    return: async () => {
      stop()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** The events, once there is one; what cannot begin is answered like a query, with its status. */
async function begun(events: Events): Promise<Events | ExecutionResult> {
  const first = await events.next()
  if (first.done) return events
  if ('data' in first.value) return startingWith(first.value, events)
  await events.return?.()
  return first.value
}

function startingWith(first: ExecutionResult, rest: Events): Events {
  let isFirst = true
  return {
    ...rest,
    next: () => {
      if (!isFirst) return rest.next()
      isFirst = false
      return Promise.resolve({ done: false, value: first })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function tooManyOf(maximum: number): CodedError {
  return new CodedError(
    'TOO_MANY_SUBSCRIPTIONS',
    `You have ${maximum} subscriptions open, which is all that one client may. End one first.`,
    { facts: { maximum }, retryAfter: RETRY_AFTER_SECONDS },
  )
}

function tooExpensive(maximum: number): CodedError {
  return new CodedError(
    'TOO_MANY_SUBSCRIPTIONS',
    `The subscriptions of your address would cost more than ${maximum} together. End one first, or select fewer fields.`,
    { facts: { maximum }, retryAfter: RETRY_AFTER_SECONDS },
  )
}

function tooManyInAll(): CodedError {
  return new CodedError(
    'SUBSCRIPTIONS_EXHAUSTED',
    'No further subscription can be opened here now. Try again shortly, or ask with a query.',
    { retryAfter: RETRY_AFTER_SECONDS },
  )
}
