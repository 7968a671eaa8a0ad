/**
 * The system under mixed load: whether it fails, and whether what it holds grows.
 *
 * Starts `npm run dev` in a folder of its own, with a new block every two seconds. Six readers, eight subscribers, one
 * reader of exports, two wallets that sign in and ask for routes, and one that goes from an invoice to its settlement
 * use it. Ends with code 1 after an error, or where memory, file descriptors or connections grew from the second
 * quarter of the time to the last.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { seededRandom } from '../../api/domain/random.ts'
import { freePort } from '../../devnet/ports.ts'
import { readCommand } from '../../settings/command-line.ts'
import { diceOf } from '../../test/support/dice.ts'
import { childrenOf, type Endpoints, startDev } from '../dev-system.ts'
import { processorSeconds } from '../processes.ts'
import { runClients, type Tally } from './clients.ts'
import { growthOf, renderTable } from './report.ts'
import { type Sample, takeSample } from './samples.ts'

const SAMPLE_MS = 5_000
const KINDS_SHOWN = 20

const { values } = readCommand(
  'npm run soak --',
  'Runs the system under mixed load. Fails after an error, or if memory, file descriptors or connections grow.',
  {
    minutes: { type: 'string', value: 'N', default: '10', meaning: 'duration of the load' },
    seed: { type: 'string', value: 'N', default: '1', meaning: 'seed of the random requests' },
  },
)
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error(`--minutes is ${values.minutes}, and must be a number above 0`)

const parent = mkdtempSync(join(tmpdir(), 'claim-financing-soak-'))
// Postgres runs as a user of its own.
chmodSync(parent, 0o755)
const folder = join(parent, 'devnet')
const metricsPort = await freePort()
// All clients have one address.
const unlimited = ['SIGN_IN', 'PREPARE', 'QUOTE', 'COST'].map((policy) => [
  `RATE_LIMIT_${policy}`,
  '1000000000',
])
const { endpoints, stop } = await startDev(folder, ['--fresh'], {
  ...Object.fromEntries(unlimited),
  GATEWAY_METRICS_PORT: `${metricsPort}`,
})
try {
  console.log(`${minutes} minutes of load, seed ${values.seed}`)
  await soak(endpoints)
} finally {
  await stop()
  rmSync(parent, { recursive: true, force: true })
}

async function soak({ databaseUrls }: Endpoints): Promise<void> {
  const [gateway, indexer] = [pidOf('gateway'), pidOf('indexer')]
  const database = new pg.Client({ connectionString: databaseUrls.indexer })
  await database.connect()
  const tally: Tally = { done: new Map(), faults: [] }
  const stopping = new AbortController()
  const before = [processorSeconds(gateway), processorSeconds(indexer)]
  const dice = diceOf(seededRandom(Number(values.seed)))
  const clients = runClients({ endpoints, tally, dice, signal: stopping.signal })
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  const samples: Sample[] = []
  const began = performance.now()
  try {
    for (let second = 0; second < minutes * 60; second = (performance.now() - began) / 1000) {
      samples.push(await takeSample({ gateway, indexer, metricsUrl, database }, second))
      await pause(SAMPLE_MS)
    }
  } finally {
    stopping.abort()
    await clients
    await database.end()
  }
  const after = [processorSeconds(gateway), processorSeconds(indexer)]
  report(
    samples,
    tally,
    after.map((end, i) => end - (before[i] ?? 0)),
  )
}

function pidOf(name: string): number {
  const pid = childrenOf(folder).get(name)
  if (pid === undefined) throw new Error(`the development system has no process ${name}`)
  return pid
}

function report(
  samples: readonly Sample[],
  { done, faults }: Tally,
  [gateway = 0, indexer = 0]: number[],
): void {
  console.log(`\n${renderTable(samples)}\n`)
  for (const [kind, many] of done) console.log(`${kind}: ${many}`)
  console.log(`processor time: gateway ${gateway.toFixed(0)} s, indexer ${indexer.toFixed(0)} s`)
  const growth = growthOf(samples)
  for (const { title, before, after, isFlat } of growth)
    console.log(`${title}: ${before}, then ${after}: ${isFlat ? 'flat' : 'grew'}`)
  console.log(`${faults.length} errors`)
  for (const [kind, many] of kindsOf(faults).slice(0, KINDS_SHOWN)) console.log(`  ${many} × ${kind}`)
  if (faults.length > 0 || growth.some(({ isFlat }) => !isFlat)) process.exitCode = 1
}

/** Errors that differ in numbers and hashes only are of one kind. */
function kindsOf(faults: readonly string[]): [kind: string, many: number][] {
  const kinds = new Map<string, number>()
  for (const fault of faults) {
    const kind = fault.replaceAll(/0x[0-9a-f]+|\d+/g, '#')
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  return [...kinds].toSorted(([, one], [, other]) => other - one)
}
