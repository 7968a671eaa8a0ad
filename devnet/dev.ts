/** `npm run dev`: the whole system on this machine, on real parts. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readCommandLine } from '../settings/command-line.ts'
import { isOrigin } from '../settings/origin.ts'
import { createConsole } from './console.ts'
import { FINALITY_SECONDS } from './live-chain.ts'
import { startRun } from './run.ts'
import type { RunOptions } from './run-options.ts'
import { DEMO_SCALE, SMALL_SCALE } from './world/plan-world.ts'

const USAGE = `usage: npm run dev -- [--fresh] [--watch] [--finality N] [--scale demo|small] [--folder PATH] [--port-base N] [--origin URL]...

  --fresh         delete the persisted world and make a new one
  --watch         restart the gateway when one of its files changes
  --finality N    make a block every 12 s, final N seconds later, as on Ethereum (900): 24 to 3600. Without it, a block
                  is final after seconds
  --scale NAME    size of a new world: demo (default) or small
  --folder PATH   where data are kept (default .devnet in the project)
  --port-base N   use the ports N to N + 4 for gateway, documentation, chain, Postgres and indexer, to run a second
                  system beside another, with a --folder of its own (default 4000, 4001, 8545, 5433, 42069)
  --origin URL    origin of a page that calls the gateway and signs in there, like http://192.168.1.5:5173;
                  repeatable. Pages of localhost, 127.0.0.1 and [::1] need none`

const PORTS = { gateway: 4000, documentation: 4001, rpc: 8545, postgres: 5433, indexer: 42069 }
const SCALES = { demo: DEMO_SCALE, small: SMALL_SCALE }

function readOptions(): RunOptions {
  const { values } = parseArgs({
    options: {
      fresh: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      finality: { type: 'string' },
      scale: { type: 'string', default: 'demo' },
      folder: { type: 'string', default: join(import.meta.dirname, '../.devnet') },
      'port-base': { type: 'string' },
      origin: { type: 'string', multiple: true, default: [] },
    },
  })
  const scale = values.scale === 'demo' || values.scale === 'small' ? SCALES[values.scale] : undefined
  if (!scale) throw new Error(`--scale must be demo or small, not ${values.scale}`)
  const unreadable = values.origin.find((origin) => !isOrigin(origin))
  if (unreadable !== undefined) {
    throw new Error(`--origin must be an origin like http://localhost:5173 (no path), not ${unreadable}`)
  }
  const { fresh, watch, origin: origins } = values
  const ports = portsFrom(values['port-base'])
  const finalitySeconds = finalityOf(values.finality)
  return { folder: resolve(values.folder), fresh, watch, scale, finalitySeconds, origins, ports }
}

function finalityOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const { min, max } = FINALITY_SECONDS
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (seconds < min || seconds > max)
    throw new Error(`--finality must be a number of seconds from ${min} to ${max}, not ${text}`)
  return seconds
}

/** Ports from 65,536 do not exist, and those below 1,024 need a privilege. */
function portsFrom(base: string | undefined): RunOptions['ports'] {
  if (base === undefined) return PORTS
  const first = /^\d{1,5}$/.test(base) ? Number(base) : 0
  if (first < 1024 || first + 4 > 65_535)
    throw new Error(`--port-base must be a number from 1024 to 65531, not ${base}`)
  return { gateway: first, documentation: first + 1, rpc: first + 2, postgres: first + 3, indexer: first + 4 }
}

async function main(): Promise<void> {
  const out = createConsole(process.stdout, () => performance.now())
  // A closed terminal must not prevent the stop of the services.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  const options = readCommandLine(USAGE, readOptions)
  out.print('Starting the claim financing devnet …')
  const asked = untilAsked()
  const run = await startRun(options, out)
  try {
    const outcome = await Promise.race([run.ready.then(() => 'ready'), asked])
    if (outcome === 'ready') await Promise.race([run.lost, asked])
    out.print('\nStopping …')
  } finally {
    await run.stop()
  }
  out.print('Everything is stopped.')
}

/** Resolves on a stop request: a signal, or the exit of the npm process that started this one. */
function untilAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    if (process.env.npm_lifecycle_event === undefined) return
    const npm = process.ppid
    setInterval(() => process.ppid !== npm && resolve(), 1_000).unref()
  })
}

main().then(
  () => process.exit(),
  (problem) => {
    console.error(`\n${problem instanceof Error ? problem.message : problem}`)
    process.exit(1)
  },
)
