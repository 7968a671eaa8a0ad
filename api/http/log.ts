import type { Context } from 'hono'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../deps.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { turnEnd } from '../turn-end.ts'
import { defineMiddleware } from './define-middleware.ts'
import type { RequestIdVariables } from './request-id.ts'
import type { RouteVariables } from './route-rules.ts'

type LogConfig = Pick<Config, 'logLevel' | 'databaseUrl' | 'rpcUrls' | 'authSecrets'> &
  Partial<Pick<Config, 'readDatabaseUrls'>>

/** Structured logs, one JSON object a line. Settings that hold secrets are blotted out wherever they turn up. */
export function createLog(config: LogConfig, destination?: DestinationStream): Logger {
  const secrets = secretsOf(config).map((secret) => JSON.stringify(secret).slice(1, -1))
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: (line: string) => blot(line, secrets) },
  }
  return pino(options, destination ?? standardOutput())
}

/** Characters of lines that may wait for the end of a turn. */
const WAITING_MAX = 16 * 1024

/**
 * Writes the lines of one turn of the event loop together, at its end. The process writes what is left before it exits.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true })
  let waiting = ''
  const flush = () => {
    if (waiting === '') return
    const lines = waiting
    waiting = ''
    try {
      output.write(lines)
    } catch {
      // A log that cannot be written, as on a full disk, must not end the gateway.
    }
  }
  process.on('exit', flush)
  return {
    write: (line) => {
      if (waiting === '') void turnEnd().then(flush)
      waiting += line
      if (waiting.length > WAITING_MAX) flush()
    },
  }
}

/** Characters of a path in the log. Paths of routes are shorter; any other is a client's text. */
const PATH_MAX = 200

const shortPath = (path: string): string => (path.length > PATH_MAX ? `${path.slice(0, PATH_MAX)}…` : path)

/** The status that nginx logs, and never sends, when a client closes its connection before the answer. */
const CLIENT_LEFT = 499

export type LogVariables = {
  /** @returns a log that writes the request id with every line */
  log: () => Logger
  /** Undefined where nothing is measured. */
  metrics: Metrics | undefined
  /** Name of the GraphQL operation, as the client chose it; empty without a name. A handler of GraphQL sets it. */
  operation?: string | undefined
}

/**
 * Writes one line and one measurement of each request, once its answer is ready. Neither headers nor bodies: they carry
 * tokens and signatures.
 *
 * @param metrics undefined where nothing is measured
 *
 * @example
 * startChain().use(requestId()).use(routeRules(rules)).use(requestLog(log, Date.now))
 */
export function requestLog(log: Logger, clock: Clock, metrics?: Metrics) {
  return defineMiddleware<LogVariables, RequestIdVariables & Pick<RouteVariables, 'route'>>(
    async (c, next) => {
      const startedAt = clock()
      const began = performance.now()
      const requestId = c.get('requestId')
      try {
        await next({ log: () => log.child({ requestId }), metrics })
      } finally {
        const { method, path } = c.req
        const status = statusOf(c)
        const milliseconds = clock() - startedAt
        log.info({ requestId, method, path: shortPath(path), status, milliseconds }, 'request')
        // By the pattern of the route, never by the path: a client can request any number of paths.
        metrics?.answered(c.get('route'), c.get('operation'), status, (performance.now() - began) / 1000)
      }
    },
  )
}

/** A disconnected client causes a thrown value that is no Error, which no error handler receives. */
export function statusOf(c: Context): number {
  return hasLeft(c) ? CLIENT_LEFT : c.res.status
}

/**
 * The signal of a request is made when it is asked for, which takes longer than its line in the log. Without a
 * connection, as in a test, it is all there is.
 */
function hasLeft({ env, req }: Context): boolean {
  return env?.outgoing ? env.outgoing.destroyed : req.raw.signal.aborted
}

/** Node addresses carry API keys in path or query, and libraries quote them in their errors. */
function secretsOf({
  databaseUrl,
  readDatabaseUrls = [],
  rpcUrls,
  authSecrets,
}: LogConfig): readonly string[] {
  const databases = [databaseUrl, ...readDatabaseUrls]
  const passwords = [...databases, ...rpcUrls].flatMap((text) => {
    const { password } = new URL(text)
    return password ? [password, decodeURIComponent(password)] : []
  })
  const addresses = [...databases, ...rpcUrls.filter(hasMoreThanOrigin)]
  return [...new Set([...addresses, ...passwords, ...authSecrets])].sort((a, b) => b.length - a.length)
}

function hasMoreThanOrigin(url: string): boolean {
  const { origin, href } = new URL(url)
  return href !== `${origin}/`
}

/** @param secrets as JSON writes them in a string */
function blot(line: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line)
}
