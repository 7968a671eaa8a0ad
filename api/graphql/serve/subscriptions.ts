/** Limits and lifetime of subscriptions: each is a stream of events on a connection of its own. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from 'hono'
import type { Config } from '../../config/config.ts'
import type { Deps } from '../../deps.ts'
import { CodedError, validationFailed } from '../../errors.ts'
import type { AppEnv } from '../../http/env.ts'
import { boundNetworks, type ClientNetworks, clientNetworks } from '../../limits/client-address.ts'
import { createConcurrencyLimit, type Limit, type Release } from '../../limits/concurrency-limit.ts'
import { createQueue } from '../../limits/queue.ts'
import { callerOf } from '../../limits/rate-limit.ts'
import { readConnections } from '../../limits/snapshots.ts'
import { isRevoked } from '../../store/revoked-tokens.ts'
import type { Prepared, Reader } from '../operation/run.ts'
import { type Answer, answerPrepared, type Failure, isAnswer, unlimited } from './answer.ts'
import { follow } from './live.ts'
import { createPace } from './pace.ts'

/** Events are read over one in four of the connections for reads, so that queries find the others free. */
const CONNECTIONS_PER_EVENT = 4

/** Maximum total cost of the subscriptions of one client address: all of them are executed at each block. */
const COST_PER_ADDRESS_MAX = 60_000

const RETRY_AFTER_SECONDS = 10

export type Events = AsyncIterableIterator<Answer | Failure>

type SubscriptionDeps = Pick<Deps, 'config' | 'watch' | 'head' | 'store' | 'clock' | 'metrics'>
type Subscriber = {
  readonly caller: string
  readonly networks: ClientNetworks
  /** Whether it has no token. */
  readonly isAnonymous: boolean
}
type ReaderOf = (c: Context<AppEnv>, read: Reader['read']) => Reader

/**
 * @returns a function that starts a subscription, which follows the projection until the client leaves or the watch is
 * closed. A subscription that cannot begin fails as a query does. The function throws CodedError beyond a limit, and
 * for a client that accepts no events
 */
export function createSubscriptions(
  { config, watch, head, store, clock, metrics }: SubscriptionDeps,
  readerOf: ReaderOf,
) {
  const open = createOpenSubscriptions(config)
  metrics?.gauge('gateway_subscriptions', 'Open subscriptions.', open.count)
  const read = createQueue()
  const eventsMax = Math.max(1, Math.floor(readConnections(config) / CONNECTIONS_PER_EVENT))
  // A waiting subscription is never refused: the number of open subscriptions bounds the queue.
  const readLimitsOf = (caller: string): Limit[] => [
    { key: caller, max: Math.max(1, eventsMax - 1), refuse: tooManyInAll },
    { key: 'all', max: eventsMax, refuse: tooManyInAll },
  ]

  return async (
    c: Context<AppEnv>,
    prepared: Prepared,
    acceptsEvents: boolean,
  ): Promise<Events | Failure> => {
    if (!acceptsEvents) throw eventsRefused()
    const authentication = c.get('authentication')
    const caller = callerOf(c, config.trustedProxies)
    const networks = clientNetworks(c, config.trustedProxies)
    const subscriber = { caller, networks, isAnonymous: !('session' in authentication) }
    const release = open.begin(subscriber, prepared.cost.cost)
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
    const pace = createPace({
      costOf: () => open.costOf(networks),
      clock: () => performance.now(),
      wait: (milliseconds) => pause(milliseconds, undefined, { signal }),
    })
    const acquire = async () => {
      await pace()
      return read({ limits: readLimitsOf(caller), signal })
    }
    const readStatement = c.get('readStatement')
    const reader = (purpose: 'read' | 'live') =>
      readerOf(c, (reading, isShort) => readStatement(reading, isShort, purpose, signal))
    const isSessionOver = async () => {
      if (!('session' in authentication)) return false
      const { session } = authentication
      return clock() >= session.expiresAt * 1000 || isRevoked(store, session)
    }
    const first = await answerPrepared(prepared, reader('read'))
    if (!isAnswer(first) && first.data === undefined) {
      stop()
      return first
    }
    const on = { watch, head, reader: unlimited(reader('live')), acquire, isSessionOver, signal }
    return stoppable(follow(prepared, first, on), stop)
  }
}

/** @returns the open subscriptions of all clients, within their limits */
export function createOpenSubscriptions({
  subscriptionsPerClient: perClient,
  subscriptionsMax,
}: Pick<Config, 'subscriptionsPerClient' | 'subscriptionsMax'>) {
  const open = createConcurrencyLimit()
  const limitsOf = ({ caller, isAnonymous, networks }: Subscriber, cost: number): Limit[] => [
    { key: `caller ${caller}`, max: perClient, refuse: tooManyOf },
    // Wallets cost nothing to create, so all wallets of one address together get twice the limit of one.
    ...boundNetworks(networks, { key: 'address', max: 2 * perClient, refuse: tooManyOf }),
    ...boundNetworks(networks, {
      key: 'cost',
      max: COST_PER_ADDRESS_MAX,
      amount: cost,
      refuse: tooExpensive,
    }),
    ...(isAnonymous
      ? [{ key: 'anonymous', max: Math.ceil(subscriptionsMax / 2), refuse: tooManyAnonymous }]
      : []),
    { key: 'all', max: subscriptionsMax, refuse: tooManyInAll },
  ]
  return {
    count: () => open.amountOf('all'),
    /** @returns ends the subscription. @throws CodedError beyond a limit */
    begin: (subscriber: Subscriber, cost: number): Release => open.acquire(limitsOf(subscriber, cost)),
    /** The cost of one event of each subscription of a client address, of wallets and of other callers. */
    costOf: ([address]: ClientNetworks): number => open.amountOf(`cost ${address.name}`),
  }
}

/** Calls `stop` at the end of the events. Their `return` would wait for the pending step, which `stop` ends. */
function stoppable(events: Events, stop: () => void): Events {
  const stopped = (async function* () {
    try {
      yield* events
    } finally {
      stop()
    }
  })()
  return {
    next: () => stopped.next(),
    return: () => {
      stop()
      return stopped.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function eventsRefused(): CodedError {
  const message = 'must allow text/event-stream: a subscription is answered as a stream of events'
  return validationFailed([{ path: 'Accept', message }])
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

function tooManyAnonymous(): CodedError {
  return new CodedError(
    'SUBSCRIPTIONS_EXHAUSTED',
    'No further subscription without a token can be opened here now. Sign in, try again shortly, or ask with a query.',
    { retryAfter: RETRY_AFTER_SECONDS },
  )
}

function tooManyInAll(): CodedError {
  return new CodedError(
    'SUBSCRIPTIONS_EXHAUSTED',
    'No further subscription can be opened here now. Try again shortly, or ask with a query.',
    { retryAfter: RETRY_AFTER_SECONDS },
  )
}
