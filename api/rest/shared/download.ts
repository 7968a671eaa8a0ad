/** Answers that are sent while they are read, from one snapshot, within the limits of exports. */
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { CodedError } from '../../errors.ts'
import type { AppEnv } from '../../http/env.ts'
import { isGivenUp } from '../../http/problem.ts'
import { boundNetworks, clientNetworks } from '../../limits/client-address.ts'
import { createConcurrencyLimit, type Limit } from '../../limits/concurrency-limit.ts'
import { callerOf } from '../../limits/rate-limit.ts'
import { readConnections } from '../../limits/snapshots.ts'
import { isHoldingUp, type OpenSnapshot, type Snapshot } from '../../projection/session/snapshot.ts'
import type { FinalizedThrough } from '../../projection/session/state.ts'
import { type Part, type Taken, toStream } from './stream.ts'

export type Download = {
  /** File name without the number of its block. */
  readonly name: string
  readonly extension: string
  readonly mediaType: string
  /** The block of its rows. Default: that of the snapshot. */
  readonly through?: FinalizedThrough | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Read and written as the client takes them. */
  readonly parts: AsyncGenerator<Part, void, undefined>
}

/** @returns answers a request with a file that `make` describes */
export function createDownloads(deps: Pick<Deps, 'config' | 'clock' | 'metrics'>) {
  const openLimited = createOpenLimited(deps)
  return async (c: Context<AppEnv>, make: (snapshot: Snapshot) => Download) => {
    const open = await openLimited(c)
    const file = make(open.snapshot)
    const parts = closing(file.parts, open.close)
    // A failure before the first part is answered as for any read.
    const { value: first = '' } = await parts.next()
    const headers = headersOf(file, open.snapshot)
    if (c.req.method === 'HEAD') {
      await parts.return()
      return c.body('', 200, headers)
    }
    const check = checkOf(deps, open)
    const onFailure = (err: unknown) => {
      if (!isGivenUp(err, c)) c.get('log')().warn({ err, file: file.name }, 'a download broke off')
    }
    return c.body(toStream({ first, rest: parts, check, clock: deps.clock, onFailure }), 200, headers)
  }
}
export type Downloads = ReturnType<typeof createDownloads>

function headersOf(file: Download, { finalizedThrough }: Snapshot) {
  const { blockNumber } = file.through ?? finalizedThrough
  return {
    'Content-Type': file.mediaType,
    'Content-Disposition': `attachment; filename="${file.name}-${blockNumber}.${file.extension}"`,
    'X-Finalized-Through': blockNumber.toString(),
    // It is large and rarely requested again.
    'Cache-Control': 'no-store',
    ...file.headers,
  }
}

/** The parts. Closes when they end, however they do. */
async function* closing(parts: Download['parts'], close: () => Promise<void>) {
  try {
    yield* parts
  } finally {
    await close()
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
