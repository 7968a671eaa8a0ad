/** Lists as CSV (RFC 4180), all rows of one snapshot, read page by page as the client takes them. */
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { CodedError } from '../../errors.ts'
import type { Reader } from '../../graphql/operation/run.ts'
import { type Cell, toCells } from '../../graphql/serve/export-units.ts'
import { type ExportRow, readExport, readParameters } from '../../graphql/serve/read-export.ts'
import type { AppEnv } from '../../http/env.ts'
import { isGivenUp } from '../../http/problem.ts'
import { boundNetworks, clientNetworks } from '../../limits/client-address.ts'
import { createConcurrencyLimit, type Limit } from '../../limits/concurrency-limit.ts'
import { callerOf } from '../../limits/rate-limit.ts'
import { readConnections } from '../../limits/snapshots.ts'
import { isHoldingUp, type OpenSnapshot, type Snapshot } from '../../projection/session/snapshot.ts'
import { createRouter } from '../shared/router.ts'
import { toCsv } from './csv.ts'
import { exportRoutes } from './exports.routes.ts'
import { type Taken, toStream } from './stream.ts'

export function exports(
  deps: Pick<Deps, 'config' | 'clock' | 'metrics'> & {
    readonly readerOf: (c: Context<AppEnv>, snapshot: Snapshot) => Reader
  },
) {
  const openLimited = createOpenLimited(deps)
  const router = createRouter()
  for (const { list, route } of exportRoutes) {
    router.openapi(route, async (c) => {
      const { columns: names, amounts, ...asked } = c.req.valid('query')
      const columns = names?.flatMap((name) => list.columns.filter((column) => column.name === name))
      const cells = toCells(list, columns ?? list.columns, amounts ?? 'base')
      const query = { cells, values: readParameters(list, asked) }
      const open = await openLimited(c)
      const pages = readExport(list, query, deps.readerOf(c, open.snapshot))
      const lines = writeLines(cells, pages, open.close)
      // A failure before the first line is answered as for any read.
      const { value: first = '' } = await lines.next()
      const headers = headersOf(list.name, open.snapshot)
      if (c.req.method === 'HEAD') {
        await lines.return()
        return c.body('', 200, headers)
      }
      const check = checkOf(deps, open)
      const onFailure = (err: unknown) => {
        if (!isGivenUp(err, c)) c.get('log')().warn({ err, list: list.name }, 'an export broke off')
      }
      const parts = { first, rest: lines, check, clock: deps.clock, onFailure }
      return c.body(toStream(parts), 200, headers)
    })
  }
  return router
}

function headersOf(list: string, { finalizedThrough: { blockNumber } }: Snapshot) {
  return {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${list}-${blockNumber}.csv"`,
    'X-Finalized-Through': blockNumber.toString(),
    // It is large and rarely requested again.
    'Cache-Control': 'no-store',
  }
}

/**
 * Opens the request's snapshot within the limits of exports. @throws CodedError `TOO_MANY_EXPORTS`, `EXPORTS_BUSY`; as
 * `AppEnv.openSnapshot`
 */
function createOpenLimited({ config, metrics }: Pick<Deps, 'config' | 'metrics'>) {
  const { acquire, amountOf } = createConcurrencyLimit()
  metrics?.gauge('gateway_exports', 'Running exports.', () => amountOf('all'))
  // An export keeps a connection for as long as its client reads: other reads must find one.
  const inAll = Math.min(config.exportsMax, Math.floor(readConnections(config) / 2))
  const { trustedProxies } = config
  const anonymousMax = Math.ceil(inAll / 2)
  const anonymousLimitsOf = (c: Context<AppEnv>): Limit[] => [
    // No client has all of them, whatever networks it has.
    {
      key: `anonymous ${clientNetworks(c, trustedProxies).at(-1)?.name}`,
      max: Math.max(1, Math.ceil(anonymousMax / 2)),
      refuse: tooManyExports,
    },
    { key: 'anonymous', max: anonymousMax, refuse: anonymousExportsBusy },
  ]
  const limitsOf = (c: Context<AppEnv>): Limit[] => [
    { key: `caller ${callerOf(c, trustedProxies)}`, max: config.exportsPerClient, refuse: tooManyExports },
    // Wallets cost nothing to create: those of one address together have the limit of one of them.
    ...boundNetworks(clientNetworks(c, trustedProxies), {
      key: 'address',
      max: config.exportsPerClient,
      refuse: tooManyExports,
    }),
    ...('session' in c.get('authentication') ? [] : anonymousLimitsOf(c)),
    { key: 'all', max: inAll, refuse: exportsBusy },
  ]
  return async (c: Context<AppEnv>): Promise<OpenSnapshot> => {
    const release = acquire(limitsOf(c))
    try {
      const { snapshot, close } = await c.get('openSnapshot')('export')
      // A connection that was lost took the snapshot with it.
      return {
        snapshot,
        close: () =>
          close()
            .catch(() => {})
            .finally(release),
      }
    } catch (error) {
      release()
      throw error
    }
  }
}

/** The names of the columns, then the rows of each page. Closes when it ends, however it does. */
async function* writeLines(
  cells: readonly Cell[],
  pages: AsyncIterable<readonly ExportRow[]>,
  close: () => Promise<void>,
) {
  let header: ExportRow[] = [cells.map(({ name }) => name)]
  try {
    for await (const rows of pages) {
      yield toCsv([...header, ...rows])
      header = []
    }
  } finally {
    await close()
  }
}

/**
 * Throws once the time is up, when the client takes no data, and when the indexer waits for the snapshot to end, and
 * all other reads for the indexer.
 */
function checkOf({ config, clock }: Pick<Deps, 'config' | 'clock'>, { snapshot }: OpenSnapshot) {
  const endsAt = clock() + config.exportTimeoutMs
  return async ({ idleMs, waitedMs, bytes }: Taken) => {
    if (idleMs > config.exportIdleTimeoutMs) throw new Error(`its client took no data for ${idleMs} ms`)
    if (waitedMs > config.exportIdleTimeoutMs && bytes < waitedMs * BYTES_PER_MS_MIN) {
      throw new Error(`its client took ${bytes} bytes in ${waitedMs} ms`)
    }
    if (clock() > endsAt) throw new Error(`took longer than ${config.exportTimeoutMs} ms`)
    if (await isHoldingUp(snapshot)) throw new Error('kept the indexer from publishing')
  }
}

/** 10 kB/s: a slower client holds a connection that others wait for. */
const BYTES_PER_MS_MIN = 10

const RETRY_AFTER_SECONDS = 10

function tooManyExports(maximum: number): CodedError {
  return new CodedError(
    'TOO_MANY_EXPORTS',
    `${maximum} exports of this client are running, which is the maximum. Wait until one has ended.`,
    { facts: { maximum }, retryAfter: RETRY_AFTER_SECONDS },
  )
}

function exportsBusy(): CodedError {
  return new CodedError('EXPORTS_BUSY', 'The limit of concurrent exports is reached. Try again shortly.', {
    retryAfter: RETRY_AFTER_SECONDS,
  })
}

function anonymousExportsBusy(): CodedError {
  return new CodedError(
    'EXPORTS_BUSY',
    'The limit of concurrent exports without a token is reached. Try again shortly, or send a token.',
    { retryAfter: RETRY_AFTER_SECONDS },
  )
}
