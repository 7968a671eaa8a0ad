/** Ponder as a child process: one app that writes one schema. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Hash } from 'viem'
import type { KnownBlock } from '../../nodes/identity.ts'
import { ERROR_LEVEL, forEachLine, parseLogLine } from './ponder-log.ts'

const EXIT_WITH_PARENT = new URL('../../scripts/exit-with-parent.ts', import.meta.url).href
const MODULE_FORMATS = new URL('./module-formats.ts', import.meta.url).href
const REMEMBERED_ERRORS = 5

export type PonderOptions = {
  chainId: number
  rpcUrls: readonly string[]
  databaseUrl: string
  /** Folder of `node_modules/ponder`. */
  project: string
  /** Folder of ponder.config.ts. */
  root: string
  schema: string
  /** Hash of the chain's first block, which every node must have. */
  genesis: Hash
  /** A block that every node must have. */
  known: KnownBlock | undefined
  deploymentsDir: string
  pollingIntervalMs: number
  /**
   * Requests per second to begin with. Ponder raises it to at most 500 while requests succeed, and lowers it after an
   * HTTP 429.
   */
  requestsPerSecond: number
  /** Address of Ponder's own server (`/metrics`, `/status`). */
  host: string
  /** Its port, 0 for any free one; when it is taken, the next free one is used. */
  port: number
  /** Gets every log line (JSON). */
  onLog: (line: string) => void
}

export type PonderExit = {
  code: number | null
  signal: NodeJS.Signals | null
  /** The last errors that it logged; empty after an orderly stop. */
  errors: readonly string[]
}

export type PonderProcess = {
  pid: number
  /** Resolves once all blocks that were final at the start are indexed; rejects if the process exits before. */
  ready: Promise<void>
  /** SIGINT stops it gracefully. */
  end: (signal: 'SIGINT' | 'SIGKILL') => void
  exited: Promise<PonderExit>
}

/** @throws Error when the process cannot be started */
export function startPonder(options: PonderOptions): PonderProcess {
  const child = spawn(process.execPath, programArguments(options), {
    cwd: options.root,
    // A process group of its own: Ctrl-C in a terminal signals only the parent, which then stops this process.
    detached: true,
    env: environment(options),
    // The IPC channel closes when the parent ends, and the child then exits.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  return handleOf(child, options.onLog)
}

function programArguments({ project, root, schema, host, port }: PonderOptions): string[] {
  return [
    ...['--disable-warning=DeprecationWarning', '--import', EXIT_WITH_PARENT, '--import', MODULE_FORMATS],
    ...[`${project}/node_modules/ponder/dist/esm/bin/ponder.js`, 'start', '--root', root, '--schema', schema],
    ...['--hostname', host, '--port', String(port), '--log-format', 'json'],
  ]
}

function environment(options: PonderOptions): NodeJS.ProcessEnv {
  // Ponder prefers PORT to --port, and DATABASE_SCHEMA to --schema.
  const { PORT: _port, DATABASE_SCHEMA: _schema, ...inherited } = process.env
  return {
    ...inherited,
    CHAIN_ID: String(options.chainId),
    GENESIS_HASH: options.genesis,
    ...(options.known && { KNOWN_BLOCK: `${options.known.number}:${options.known.hash}` }),
    RPC_URLS: options.rpcUrls.join(','),
    DATABASE_URL: options.databaseUrl,
    DEPLOYMENTS_DIR: options.deploymentsDir,
    POLLING_INTERVAL_MS: String(options.pollingIntervalMs),
    RPC_REQUESTS_PER_SECOND: String(options.requestsPerSecond),
    // Saves a second of each start. It is stored beside the code, where only users who may change the code can write.
    NODE_COMPILE_CACHE: `${options.project}/node_modules/.cache/node-compile`,
  }
}

function handleOf(child: ChildProcess, onLog: PonderOptions['onLog']): PonderProcess {
  const { pid, stdout, stderr } = child
  if (pid === undefined || !stdout || !stderr) throw new Error('the indexer could not be spawned')
  const errors: string[] = []
  const exited = new Promise<PonderExit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, errors: errors.slice(-REMEMBERED_ERRORS) }))
  })
  const ready = new Promise<void>((resolve, reject) => {
    forEachLine([stdout, stderr], (line) => {
      onLog(line)
      const { level, msg, error, endpoint } = parseLogLine(line)
      if (level >= ERROR_LEVEL) errors.push(error?.message ?? msg)
      if (endpoint === '/ready') resolve()
    })
    void exited.then(({ code, signal, errors }) =>
      reject(new Error(`the indexer exited (${signal ?? code}) before it was ready: ${errors.join(' | ')}`)),
    )
  })
  // A rejection without a listener would end this process.
  ready.catch(() => {})
  return { pid, ready, end: (signal) => void child.kill(signal), exited }
}
