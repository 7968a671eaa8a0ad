import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import type { Clock } from '../deps.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AppEnv } from './env.ts'

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
  return destination ? pino(options, destination) : pino(options)
}

/** The status that nginx logs, and never sends, when a client closes its connection before the answer. */
const CLIENT_LEFT = 499

/** One line and one measurement for each request, when its answer is ready. Neither headers nor bodies: they carry tokens and signatures. */
export function requestLog(log: Logger, clock: Clock, metrics?: Metrics) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedAt = clock()
    const began = performance.now()
    if (metrics) c.set('metrics', metrics)
    const requestId = c.get('requestId')
    c.set('log', () => log.child({ requestId }))
    try {
      await next()
    } finally {
      const { method, path } = c.req
      const status = statusOf(c)
      log.info({ requestId, method, path, status, milliseconds: clock() - startedAt }, 'request')
      // By the pattern of the route, never by the path: a client can request any number of paths.
      metrics?.answered(c.get('route'), c.get('operation'), status, (performance.now() - began) / 1000)
    }
  })
}

/** A disconnected client causes a thrown value that is no Error, which no error handler receives. */
export function statusOf({ req, res }: Context<AppEnv>): number {
  return req.raw.signal.aborted ? CLIENT_LEFT : res.status
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
