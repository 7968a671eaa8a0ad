/**
 * One run of the indexer: the only writer of its schema, which it publishes as the stable views once it is complete.
 */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Hash } from 'viem'
import type { KnownBlock } from '../../nodes/identity.ts'
import { blockHashes } from '../block-hashes.ts'
import { checkPatch, installedPonder } from './patch.ts'
import { type PonderExit, startPonder } from './ponder-process.ts'
import { type BlockHashAt, discardIndex, findIndexedBlock, prepareDatabase } from './prepare-database.ts'
import { IncompleteIndex, type Publication, type Verify } from './publish.ts'
import { publishWhenReady } from './publish-when-ready.ts'
import { indexerSchema } from './schema-name.ts'
import { serviceLog } from './service-log.ts'
import { registerVersion, type Version } from './version.ts'
import { takeWriterLock, type WriterLock } from './writer-lock.ts'

export const PROJECT = join(import.meta.dirname, '../..')
const POLLING_INTERVAL_MS = 1000
const REQUESTS_PER_SECOND = 20

export type IndexerOptions = {
  chainId: number
  rpcUrls: readonly string[]
  databaseUrl: string
  /** Address of Ponder's own server (`/metrics`, `/status`). Default: 127.0.0.1. */
  host?: string
  /** Its port, 0 for any free one; when it is taken, the next free one is used. */
  port: number
  /** Hash of the chain's first block, which every node must have. Default: that of the first node that answers. */
  genesis?: Hash | undefined
  /**
   * Starts without a request to a node, so `genesis` is required; requests wait for the first node. Only for an empty
   * database. Default: false.
   */
  nodesStartLater?: boolean
  /** Folder of `<chainId>.json`. Default: `deployments/` of the project. */
  deploymentsDir?: string
  /** Milliseconds. Default: 1000. */
  pollingIntervalMs?: number
  /** Requests per second to begin with, 1 to 500. Default: 20. */
  requestsPerSecond?: number
  /** Schema to write. Default: a name derived from all inputs that determine its rows. */
  schema?: string
  /** Folder of ponder.config.ts. Default: the project. */
  root?: string
  /**
   * Whether no other version uses this database. If so, Ponder's cache of an earlier chain with the same id is dropped;
   * else nodes that lack the highest block of the cache are not used. Default: false.
   */
  soleWriter?: boolean
  /** Publishes although a later version was published. Default: false. */
  republish?: boolean
  verify?: Verify
  /** Gets every log line (JSON). */
  onLog?: (line: string) => void
  /** Ends the wait for another writer. */
  signal?: AbortSignal
}

export type IndexerExit = PonderExit

export type Indexer = {
  /** Process id of Ponder. */
  pid: number
  /** The schema it writes. */
  schema: string
  /**
   * Resolves once all blocks that were final at the start are indexed and the version is published or superseded;
   * rejects if the process exits before.
   */
  ready: () => Promise<Publication>
  /** Stops it gracefully. */
  stop: () => Promise<IndexerExit>
  /** `kill -9`, as a crash would. */
  kill: () => Promise<IndexerExit>
  /** Resolves once another writer can take over. */
  exited: Promise<IndexerExit>
}

/**
 * Starts one run. Resolves as soon as the process runs, after any other writer of the schema has ended.
 *
 * @throws Error when Ponder is not patched; errors of the nodes and of the database; the abort reason of the signal
 */
export async function startIndexer(options: IndexerOptions): Promise<Indexer> {
  checkPatch(PROJECT)
  const { databaseUrl, chainId, genesis } = options
  const known = options.soleWriter ? undefined : await findIndexedBlock(databaseUrl, chainId)
  const hashAt = blockHashes(options.rpcUrls, chainId, { genesis, known })
  const version = await versionOf(options, hashAt)
  const log = serviceLog(options.onLog)
  const lock = await takeWriterLock({
    databaseUrl,
    schema: version.schema,
    onWait: () =>
      log.warn({ alarm: 'STANDBY', schema: version.schema }, 'another indexer writes this schema; waiting'),
    signal: options.signal,
  })
  try {
    await prepareDatabase(databaseUrl, version, options.soleWriter ? hashAt : undefined)
    await registerVersion(databaseUrl, version)
    return runUnderLock({ ...options, known }, version, lock, log)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function versionOf(options: IndexerOptions, hashAt: BlockHashAt): Promise<Version> {
  const { chainId } = options
  const genesis = options.nodesStartLater ? options.genesis : await hashAt(0n)
  if (!genesis) {
    const reason = 'an indexer that starts before its nodes needs the hash of the genesis block'
    throw new Error(options.nodesStartLater ? reason : 'the node has no genesis block')
  }
  const manifestFile = join(deploymentsDir(options), `${chainId}.json`)
  const named = () =>
    indexerSchema({ root: PROJECT, manifestFile, genesis, ponderVersion: installedPonder(PROJECT) })
  return { schema: options.schema ?? named(), chainId, genesis }
}

type Run = IndexerOptions & { known: KnownBlock | undefined }

function runUnderLock(options: Run, version: Version, lock: WriterLock, log: Logger): Indexer {
  const { schema } = version
  const ponder = startPonder({
    chainId: options.chainId,
    rpcUrls: options.rpcUrls,
    databaseUrl: options.databaseUrl,
    project: PROJECT,
    root: options.root ?? PROJECT,
    schema,
    genesis: version.genesis,
    known: options.known,
    deploymentsDir: deploymentsDir(options),
    pollingIntervalMs: options.pollingIntervalMs ?? POLLING_INTERVAL_MS,
    requestsPerSecond: options.requestsPerSecond ?? REQUESTS_PER_SECOND,
    host: options.host ?? '127.0.0.1',
    port: options.port,
    onLog: options.onLog ?? (() => {}),
  })
  log.info({ schema, pid: ponder.pid }, 'Ponder runs')
  // Without the lock another process may write.
  void lock.lost.then(() => ponder.end('SIGKILL'))
  const { databaseUrl, republish = false, verify } = options
  const ready = publishWhenReady(ponder, { databaseUrl, republish, verify }, version, log)
  let isIncomplete = false
  ready.catch((error: unknown) => {
    isIncomplete = error instanceof IncompleteIndex
  })
  const exited = ponder.exited
    .finally(() => (isIncomplete ? discardIndex(databaseUrl, schema) : undefined))
    .finally(() => lock.release())
  const end = (signal: 'SIGINT' | 'SIGKILL') => {
    ponder.end(signal)
    return exited
  }
  return {
    pid: ponder.pid,
    schema,
    ready: () => ready,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    exited,
  }
}

function deploymentsDir(options: IndexerOptions): string {
  return options.deploymentsDir ?? join(PROJECT, 'deployments')
}
