/**
 * A supervised child process: keeps the last lines of its output, stops it by signal, and kills it after a grace
 * period.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type StopSignal = 'SIGINT' | 'SIGTERM'

export type Exit = { code: number | null; signal: NodeJS.Signals | null; lastWords: readonly string[] }

export type Child = {
  pid: number
  /** Makes it shut down in order. */
  stopSignal: StopSignal
  exited: Promise<Exit>
  /** Resolves with the first line that matches; rejects when the process exits before. */
  line: (pattern: RegExp) => Promise<string>
  /** Signals, waits, kills after the grace; may be called again. */
  stop: () => Promise<Exit>
  /** Whether `stop` was called, so that its exit is expected. */
  isStopping: () => boolean
}

export type ChildOptions = {
  name: string
  program: string
  args: readonly string[]
  stopSignal: StopSignal
  onLine?: (line: string) => void
  spawn?: SpawnOptions
}

const REMEMBERED_LINES = 12
/** Far above what an orderly end takes on a busy machine: what is killed loses what it was about to write. */
const GRACE_MS = 60_000

/**
 * Starts the program in a process group of its own: Ctrl-C in a terminal reaches only the supervisor, which then stops
 * its children in the right order.
 */
export function startChild(options: ChildOptions): Child {
  const child = spawn(options.program, options.args, {
    detached: true,
    ...options.spawn,
    stdio: options.spawn?.stdio ?? ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  const lines: string[] = []
  const watchers = new Set<(line: string) => void>()
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue
    createInterface({ input }).on('line', (line) => {
      lines.push(line)
      if (lines.length > REMEMBERED_LINES) lines.shift()
      options.onLine?.(line)
      for (const watcher of watchers) watcher(line)
    })
  }
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`${options.name} cannot be started`, { cause })))
    child.once('close', (code, signal) => resolve({ code, signal, lastWords: lines }))
  })
  // A parent that exits without stopping its children leaves none behind.
  const stopOnExit = () => child.kill(options.stopSignal)
  process.once('exit', stopOnExit)
  // A failure rejects `exited` for its callers; without any, it is not an unhandled rejection.
  exited.catch(() => {}).finally(() => process.off('exit', stopOnExit))
  if (pid === undefined) throw new Error(`${options.name} cannot be started: ${options.program}`)
  let stopping = false
  return {
    pid,
    stopSignal: options.stopSignal,
    exited,
    line: (pattern) => lineOf(options.name, pattern, watchers, exited),
    stop: () => {
      stopping = true
      return stop(child, exited, options)
    },
    isStopping: () => stopping,
  }
}

async function lineOf(
  name: string,
  pattern: RegExp,
  watchers: Set<(line: string) => void>,
  exited: Promise<Exit>,
): Promise<string> {
  const seen = new Promise<string>((resolve) => {
    watchers.add((line) => pattern.test(line) && resolve(line))
  })
  const gone = exited.then((exit) => {
    throw new Error(`${name} ${describeExit(exit)}`)
  })
  return Promise.race([seen, gone])
}

async function stop(child: ChildProcess, exited: Promise<Exit>, options: ChildOptions): Promise<Exit> {
  child.kill(options.stopSignal)
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  try {
    return await exited
  } finally {
    clearTimeout(timer)
  }
}

/** "exited with code 1: <its last lines>" */
export function describeExit({ code, signal, lastWords }: Exit): string {
  const how = signal ? `was ended by ${signal}` : `exited with code ${code}`
  return lastWords.length > 0 ? `${how}; last lines of its output:\n  ${lastWords.join('\n  ')}` : how
}
