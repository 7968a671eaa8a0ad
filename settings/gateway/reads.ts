/** Settings of the gateway's reads: database, answers, streams. */
import { databaseUrls, wholeNumber } from '../formats.ts'
import { setting } from '../setting.ts'

const MS = { unit: 'milliseconds' }

export const reads = {
  READ_DATABASE_URLS: setting(
    databaseUrls,
    'Streaming replicas of `DATABASE_URL`, which answer reads in turn ([read replicas](operations.md#read-replicas)). Sign-in, intents and the watch of the projection stay at `DATABASE_URL`.',
  ),
  DATABASE_POOL_SIZE: setting(wholeNumber(1, 1000).default(10), 'Connections of the pool to each database.', {
    unit: 'connections',
  }),
  DATABASE_TIMEOUT_MS: setting(
    wholeNumber(100, 600_000).default(5000),
    'Time to wait for room in the pool, for a connection, and for one statement.',
    MS,
  ),
  READ_TIMEOUT_MS: setting(
    wholeNumber(100, 600_000).default(10_000),
    'Time that all reads of one request, or of one event of a subscription, have in the database together.',
    MS,
  ),
  READS_PER_CLIENT: setting(
    wholeNumber(1, 1000).default(1),
    'Connections that one client address may read over at the same time, with any number of wallets. One is left to others.',
    { unit: 'connections' },
  ),
  READ_QUEUE_PER_CLIENT: setting(
    wholeNumber(0, 100_000).default(50),
    'Requests of one client address that may wait for a connection.',
    { unit: 'requests' },
  ),
  READ_QUEUE_MAX: setting(
    wholeNumber(0, 100_000).default(500),
    'Requests of the process that may wait for a connection.',
    { unit: 'requests' },
  ),
  MIN_BLOCK_WAIT_MS: setting(
    wholeNumber(0, 60_000).default(5000),
    'Time that a read waits for the block of its `X-Min-Block`. With 0 it is answered at once.',
    MS,
  ),
  KEPT_ANSWERS_SIZE: setting(
    wholeNumber(0, 1_000_000_000).default(16_777_216),
    'Size of the requests and answers that are kept until the projection changes. 0 keeps none.',
    { unit: 'characters' },
  ),
}

export const streams = {
  SUBSCRIPTIONS_PER_CLIENT: setting(
    wholeNumber(0, 1_000_000).default(20),
    'GraphQL subscriptions of one wallet or client address that may be open at the same time.',
    { unit: 'subscriptions' },
  ),
  SUBSCRIPTIONS_MAX: setting(
    wholeNumber(0, 1_000_000).default(1000),
    'GraphQL subscriptions of the process that may be open at the same time.',
    { unit: 'subscriptions' },
  ),
  EXPORTS_PER_CLIENT: setting(
    wholeNumber(0, 1000).default(2),
    'Concurrent exports of one wallet or client address.',
    { unit: 'exports' },
  ),
  EXPORTS_MAX: setting(
    wholeNumber(0, 1000).default(4),
    'Concurrent exports of the process, at most half of the connections for reads. Callers without a token have at most half of them.',
    { unit: 'exports' },
  ),
  EXPORT_TIMEOUT_MS: setting(
    wholeNumber(1000, 86_400_000).default(600_000),
    'Time of an export, from its first row to its last.',
    MS,
  ),
  EXPORT_IDLE_TIMEOUT_MS: setting(
    wholeNumber(1000, 86_400_000).default(15_000),
    'Time after which an export ends whose client takes no data.',
    MS,
  ),
}
