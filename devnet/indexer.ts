/** The indexer as a child process: one Ponder app that writes the projection and publishes it as stable views. */
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { BlockNotFoundError, createPublicClient, fallback, http } from 'viem'
import { z } from 'zod'
import { PROJECTION_SCHEMA } from '../api/projection/database.ts'
import { type BlockHashAt, prepareDatabase } from './indexer-database.ts'
import { indexerSchema } from './indexer-schema.ts'

const PROJECT = join(import.meta.dirname, '..')
const PONDER = join(PROJECT, 'node_modules/ponder')
const PONDER_PROGRAM = join(PONDER, 'dist/esm/bin/ponder.js')
const EXIT_WITH_PARENT = new URL('./exit-with-parent.ts', import.meta.url).href
const REMEMBERED_ERRORS = 5

export type IndexerOptions = {
  chainId: number
  rpcUrls: readonly string[]
  databaseUrl: string
  /** A loopback port for Ponder's own server (`/metrics`, `/status`); when it is taken, the next free one is used. */
  port: number
  /** Folder of `<chainId>.json`; the project's own when left out. */
  deploymentsDir?: string
  pollingIntervalMs?: number
  /** Schema of the stable views; the one the gateway reads when left out. */
  viewsSchema?: string
  /** Schema to write; when left out, the one named after everything that decides what the rows will be. */
  schema?: string
  /** Folder of another ponder.config.ts; the project when left out. */
  root?: string
  /**
   * Whether no other indexer can be alive on this database. One that was killed leaves its schema locked, and its
   * successor would wait half a minute; the only writer may break that lock. It also drops what Ponder has cached of an
   * earlier chain of the same id.
   */
  soleWriter?: boolean
  /** Gets every log line (JSON). */
  onLog?: (line: string) => void
}

export type IndexerExit = {
  code: number | null
  signal: NodeJS.Signals | null
  /** What it last complained about; empty after an orderly stop. */
  errors: readonly string[]
}

export type Indexer = {
  pid: number
  /** The schema it writes; the views point there once the first index is complete. */
  schema: string
  /** Resolves once everything that was final at the start is indexed and the views are up; rejects if it exits before. */
  ready: () => Promise<void>
  /** Base URL of Ponder's server; rejects if it exits before there is one. */
  serverUrl: () => Promise<string>
  /** Orderly stop, which leaves no lock. */
  stop: () => Promise<IndexerExit>
  /** `kill -9`, as a crash would. */
  kill: () => Promise<IndexerExit>
  exited: Promise<IndexerExit>
}

/** Starts the indexer; resolves as soon as the process runs. */
export async function startIndexer(options: IndexerOptions): Promise<Indexer> {
  const root = options.root ?? PROJECT
  const deploymentsDir = options.deploymentsDir ?? join(PROJECT, 'deployments')
  const hashAt = blockHashes(options.rpcUrls)
  const schema = options.schema ?? (await currentSchema(options.chainId, deploymentsDir, hashAt))
  if (options.soleWriter) await prepareDatabase(options.databaseUrl, schema, options.chainId, hashAt)

  const child = spawn(process.execPath, programArguments(options, root, schema), {
    cwd: root,
    // A group of its own: Ctrl-C in a terminal reaches the parent alone, which then stops it in due order.
    detached: true,
    env: environment(options, deploymentsDir),
    // The channel is what tells the child that its parent is gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  return handleOf(child, schema, options.onLog ?? (() => {}))
}

async function currentSchema(chainId: number, deploymentsDir: string, hashAt: BlockHashAt): Promise<string> {
  const genesis = await hashAt(0n)
  if (!genesis) throw new Error('the node has no genesis block')
  return indexerSchema({
    root: PROJECT,
    manifestFile: join(deploymentsDir, `${chainId}.json`),
    genesis,
    ponderVersion: ponderVersion(),
  })
}

function programArguments({ port, viewsSchema }: IndexerOptions, root: string, schema: string): string[] {
  return [
    ...[
      '--disable-warning=DeprecationWarning',
      '--import',
      EXIT_WITH_PARENT,
      PONDER_PROGRAM,
      'start',
      '--root',
      root,
    ],
    ...['--schema', schema, '--views-schema', viewsSchema ?? PROJECTION_SCHEMA],
    ...['--hostname', '127.0.0.1', '--port', String(port), '--log-format', 'json'],
  ]
}

function environment(options: IndexerOptions, deploymentsDir: string): NodeJS.ProcessEnv {
  // PORT would win over --port, and DATABASE_SCHEMA is none of Ponder's business here.
  const { PORT: _port, DATABASE_SCHEMA: _schema, ...inherited } = process.env
  return {
    ...inherited,
    CHAIN_ID: String(options.chainId),
    RPC_URLS: options.rpcUrls.join(','),
    DATABASE_URL: options.databaseUrl,
    DEPLOYMENTS_DIR: deploymentsDir,
    POLLING_INTERVAL_MS: String(options.pollingIntervalMs ?? 1000),
    PONDER_TELEMETRY_DISABLED: '1',
  }
}

function handleOf(child: ChildProcess, schema: string, onLog: (line: string) => void): Indexer {
  const { pid, stdout, stderr } = child
  if (pid === undefined || !stdout || !stderr) throw new Error('the indexer could not be spawned')
  const errors: string[] = []
  const log = new EventEmitter<{ entry: [LogEntry] }>()
  forEachLine([stdout, stderr], (line) => {
    onLog(line)
    const entry = parseLogLine(line)
    if (entry.level >= ERROR_LEVEL) errors.push(entry.error?.message ?? entry.msg)
    log.emit('entry', entry)
  })
  const exited = new Promise<IndexerExit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, errors: errors.slice(-REMEMBERED_ERRORS) }))
  })
  const ready = milestone(log, exited, ({ endpoint }) => endpoint === '/ready' || undefined)
  const serverUrl = milestone(log, exited, ({ msg, port }) =>
    msg === 'Created HTTP server' ? `http://127.0.0.1:${port}` : undefined,
  )
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return {
    pid,
    schema,
    ready: async () => void (await ready),
    serverUrl: () => serverUrl,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    exited,
  }
}

/** The first thing that `pick` finds in the log; rejects when the process exits before. */
function milestone<T>(
  log: EventEmitter<{ entry: [LogEntry] }>,
  exited: Promise<IndexerExit>,
  pick: (entry: LogEntry) => T | undefined,
): Promise<T> {
  const reached = new Promise<T>((resolve, reject) => {
    log.on('entry', (entry) => {
      const found = pick(entry)
      if (found !== undefined) resolve(found)
    })
    void exited.then(({ code, signal, errors }) =>
      reject(new Error(`the indexer exited (${signal ?? code}) before it was ready: ${errors.join(' | ')}`)),
    )
  })
  // Nobody has to wait for it.
  reached.catch(() => {})
  return reached
}

const ERROR_LEVEL = 50
const logEntry = z.object({
  level: z.number(),
  msg: z.string().default(''),
  endpoint: z.string().optional(),
  port: z.number().optional(),
  error: z.object({ message: z.string() }).optional(),
})
type LogEntry = z.output<typeof logEntry>

/** What is not a log entry was printed by Node itself, which is never good news. */
function parseLogLine(line: string): LogEntry {
  const unformatted = { level: ERROR_LEVEL, msg: line }
  try {
    return logEntry.safeParse(JSON.parse(line)).data ?? unformatted
  } catch {
    return unformatted
  }
}

function forEachLine(streams: readonly Readable[], visit: (line: string) => void): void {
  for (const input of streams) createInterface({ input }).on('line', visit)
}

function blockHashes(rpcUrls: readonly string[]): BlockHashAt {
  const client = createPublicClient({ transport: fallback(rpcUrls.map((url) => http(url))) })
  return async (blockNumber) => {
    try {
      return (await client.getBlock({ blockNumber })).hash
    } catch (error) {
      if (error instanceof BlockNotFoundError) return undefined
      throw error
    }
  }
}

function ponderVersion(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(PONDER, 'package.json'), 'utf8')))
  return version
}
