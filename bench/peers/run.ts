/**
 * The gateway beside PostGraphile 5, Ponder's own GraphQL and one SQL statement through a bare handler, over the same
 * database. A run of all reads at a million claims writes `results.json` and the tables of `bench/README.md`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommand } from '../../settings/command-line.ts'
import { isMissed } from './aims.ts'
import { readSamples } from './data.ts'
import { checkEquality } from './equality.ts'
import { CONNECTIONS, startLoad } from './load.ts'
import { profileAll } from './profile-missed.ts'
import type { Sample } from './read.ts'
import { insertReport, renderReport } from './report.ts'
import { type Measurement, type Results, resultsShape } from './results.ts'
import { type Entry, entriesOf, measureRounds, type Options } from './rounds.ts'
import { POOL } from './servers/server.ts'
import { describeMachine, loadAverage, readVersions } from './versions.ts'
import { workloads } from './workloads/index.ts'
import { type Servers, startServers, startWorld } from './world.ts'

const DEFAULT_CLAIMS = 1_000_000
/** 500 pages of 50, or half of a smaller table. */
const DEPTH = 25_000
const SAMPLES_COMPARED = 20
const RESULTS = join(import.meta.dirname, 'results.json')
const README = join(import.meta.dirname, '../README.md')

const { values: given } = readCommand(
  'npm run bench:peers --',
  'Measures the reads of the gateway beside PostGraphile, the GraphQL of Ponder, and single SQL statements.',
  {
    claims: { type: 'string', value: 'N', default: `${DEFAULT_CLAIMS}`, meaning: 'claims of the table' },
    rounds: { type: 'string', value: 'N', default: '3', meaning: 'rounds of each read' },
    seconds: { type: 'string', value: 'N', default: '4', meaning: 'duration of each round' },
    only: { type: 'string', value: 'READS', meaning: 'only these reads, like list,claim' },
    profile: { type: 'boolean', default: false, meaning: 'profile the reads that miss their aim' },
    render: { type: 'boolean', default: false, meaning: 'only write the tables of bench/README.md' },
  },
)
const claims = Number(given.claims)
const only = given.only?.split(',')
const selected = workloads.filter(({ id }) => !only || only.includes(id))

if (given.render) writeReport(resultsShape.parse(JSON.parse(readFileSync(RESULTS, 'utf8'))))
else await run()

async function run(): Promise<void> {
  report(`making ${claims} claims`)
  const world = await startWorld([claims])
  const load = startLoad()
  try {
    const [place] = world.places
    if (!place) throw new Error('there is no database')
    const servers = await startServers(world, place)
    const samples = await readSamples(place.urls.indexer, Math.min(DEPTH, claims / 2))
    const loadBefore = loadAverage()
    const rounds = Number(given.rounds)
    const options = { load, postmaster: world.postmaster, seconds: Number(given.seconds), rounds, report }
    const results: Results = {
      date: new Date().toISOString().slice(0, 10),
      machine: describeMachine([loadBefore, loadBefore]),
      versions: readVersions(),
      claims,
      connections: CONNECTIONS,
      pool: POOL,
      measurements: await measureAll(servers, samples, options),
    }
    results.machine.load[1] = loadAverage()
    if (given.profile) {
      const missed = selected.filter((workload) => isMissed(workload, results))
      results.profiles = await profileAll(world, { place, samples, workloads: missed, options })
    }
    finish(results)
  } finally {
    load.stop()
    await world.stop()
  }
}

async function measureAll(
  servers: Servers,
  samples: readonly Sample[],
  options: Options,
): Promise<Measurement[]> {
  for (const workload of selected) await checkEquality(servers, workload, samples.slice(0, SAMPLES_COMPARED))
  report('all answers are equal')
  const entries: Entry[] = []
  for (const workload of selected) entries.push(...(await entriesOf(servers, workload, samples)))
  return measureRounds(entries, options)
}

function finish(results: Results): void {
  console.log(renderReport(results))
  if (claims !== DEFAULT_CLAIMS || only) return
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`)
  writeReport(results)
}

function writeReport(results: Results): void {
  writeFileSync(README, insertReport(readFileSync(README, 'utf8'), renderReport(results)))
}

function report(step: string): void {
  console.error(`${Math.round(performance.now() / 1000)} s: ${step}`)
}
