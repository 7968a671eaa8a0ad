import { pino } from 'pino'
import { createApp } from '../api/app.ts'
import { createChain } from '../api/chain/client.ts'
import { parseConfig } from '../api/config/config.ts'
import { NO_HEAD } from '../api/head/watch-head.ts'
import { connectControl } from '../api/projection/session/control.ts'
import { createPool, createProjectionDb } from '../api/projection/session/database.ts'
import { connectPipelines } from '../api/projection/session/pipeline.ts'
import { watchProjection } from '../api/projection/session/watch.ts'
import { createStore } from '../api/store/database.ts'
import { NO_DOCUMENTS } from '../deployments/documents.ts'
import { loadLabels } from '../deployments/labels.ts'
import { loadManifest } from '../deployments/manifest.ts'

/** The app with nothing behind it: it only describes itself. */
export function describedApp() {
  const config = parseConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://127.0.0.1',
    RPC_URLS: 'http://127.0.0.1',
    CHAIN_ID: '31337',
  })
  const pool = createPool(config.databaseUrl, 1)
  const log = pino({ level: 'silent' })
  return createApp({
    config,
    db: createProjectionDb(pool),
    pipeline: connectPipelines(config.databaseUrl, config.databaseTimeoutMs),
    replicas: [],
    head: NO_HEAD,
    control: connectControl(config.databaseUrl, config.databaseTimeoutMs, log),
    watch: watchProjection(config.databaseUrl, log),
    store: createStore(pool),
    chain: createChain({ urls: config.rpcUrls, timeout: config.rpcTimeoutMs }),
    optimize: () => Promise.reject(new Error('only described')),
    deployment: loadManifest(config.chainId),
    documents: NO_DOCUMENTS,
    labels: loadLabels(config.chainId),
    clock: Date.now,
    random: (bytes) => new Uint8Array(bytes),
    log,
    stopping: new AbortController().signal,
  })
}
