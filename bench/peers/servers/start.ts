/** How each server is started. */
import { join } from 'node:path'
import { GATEWAY_HEAP } from '../../../devnet/gateway.ts'
import { TEST_SITE } from '../../../test/support/sign-in.ts'
import { CHAIN_ID } from '../../deployed-chain.ts'
import { SCHEMA } from '../data.ts'
import { ask } from '../workloads/graphql.ts'
import { POOL, type Server, startServer } from './server.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** Each connection of the load is a client of its own, and none meets its limit. */
const UNLIMITED = '1000000000'

export type Place = {
  /** One database as each role connects to it. */
  urls: { gateway: string; indexer: string }
  chain: { rpcUrl: string; deployments: string }
}

/** The gateway as `npm run start:gateway` starts it, behind one proxy. @param args of Node */
export function startOurs(
  { urls, chain }: Place,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<Server> {
  return startServer({
    name: 'the gateway',
    args: [...args, ...GATEWAY_HEAP, join(ROOT, 'api/server.ts')],
    probe: { path: '/api/v1/health' },
    env: {
      LOG_LEVEL: 'info',
      SITE_ORIGINS: TEST_SITE,
      DRAIN_LEAD_MS: '0',
      AUTH_SECRETS: 'a secret of the benchmark with well over 32 bytes',
      TRUSTED_PROXIES: '1',
      RATE_LIMIT_DEFAULT: UNLIMITED,
      RATE_LIMIT_COST: UNLIMITED,
      DATABASE_URL: urls.gateway,
      // With the three connections beside the pool that short reads share.
      DATABASE_POOL_SIZE: `${POOL - 3}`,
      RPC_URLS: chain.rpcUrl,
      CHAIN_ID: `${CHAIN_ID}`,
      DEPLOYMENTS_DIR: chain.deployments,
      ...env,
    },
  })
}

/** The gateway that keeps no answer: each request is read. */
export function startUncached(place: Place, args: readonly string[] = []): Promise<Server> {
  return startOurs(place, { KEPT_ANSWERS_SIZE: '0' }, args)
}

export function startPostgraphile({ urls }: Place): Promise<Server> {
  return startServer({
    name: 'PostGraphile',
    args: [join(import.meta.dirname, 'postgraphile.mjs')],
    probe: ask('postgraphile', '{ __typename }', {}),
    env: { GRAPHILE_ENV: 'production', DATABASE_URL: urls.indexer, SCHEMA },
  })
}

/** Ponder's own GraphQL, served from the tables without indexing. */
export function startPonder({ urls, chain }: Place): Promise<Server> {
  const root = join(import.meta.dirname, 'ponder')
  const ponder = join(ROOT, 'node_modules/ponder/dist/esm/bin/ponder.js')
  return startServer({
    name: 'Ponder',
    args: [
      ...['--disable-warning=DeprecationWarning', '--import', join(import.meta.dirname, 'one-graphql.mjs')],
      ...[ponder, 'serve', '--root', root, '--schema', SCHEMA],
      ...['--hostname', '127.0.0.1', '--log-level', 'warn'],
    ],
    probe: { path: '/health' },
    cwd: root,
    env: {
      DATABASE_URL: urls.indexer,
      RPC_URLS: chain.rpcUrl,
      CHAIN_ID: `${CHAIN_ID}`,
      DEPLOYMENTS_DIR: chain.deployments,
    },
  })
}

export function startSql({ urls }: Place): Promise<Server> {
  return startServer({
    name: 'the SQL server',
    args: [join(import.meta.dirname, 'sql-server.ts')],
    probe: { path: '/health' },
    env: { DATABASE_URL: urls.gateway },
  })
}
