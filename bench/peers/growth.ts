/** The gateway over few claims and over many, in turn, with requests of equal work. */
import { readCommand } from '../../settings/command-line.ts'
import { readSamples } from './data.ts'
import { startLoad } from './load.ts'
import { type Figures, figuresOf, type Measurement } from './results.ts'
import { type Entry, entriesOf, measureRounds } from './rounds.ts'
import { type Place, startUncached } from './servers/start.ts'
import { workloads } from './workloads/index.ts'
import { startWorld, type World } from './world.ts'

/** Rows before the page that is read by cursor, at both sizes. */
const DEPTH = 25_000
const GROWING = workloads.filter(({ grows }) => grows)

const { values: given } = readCommand(
  'npm run bench:growth --',
  'Measures the reads of the gateway over few claims and over many, in turn.',
  {
    few: { type: 'string', value: 'N', default: '1000000', meaning: 'claims of the smaller table' },
    many: { type: 'string', value: 'N', default: '10000000', meaning: 'claims of the larger table' },
    rounds: { type: 'string', value: 'N', default: '3', meaning: 'rounds of each read' },
    seconds: { type: 'string', value: 'N', default: '4', meaning: 'duration of each round' },
  },
)
const sizes = [Number(given.few), Number(given.many)]
const world = await startWorld(sizes)
const load = startLoad()
try {
  const sides: Entry[][] = []
  for (const place of world.places) sides.push(await growing(world, place))
  const [few = [], many = []] = sides
  const measured = await measureRounds(interleaved(few, many), {
    load,
    postmaster: world.postmaster,
    seconds: Number(given.seconds),
    rounds: Number(given.rounds),
    report: (step) => console.error(step),
  })
  console.table(measured.filter((_, i) => i % 2 === 0).map((one, i) => row(one, measured[2 * i + 1])))
} finally {
  load.stop()
  await world.stop()
}

async function growing({ keep }: World, place: Place): Promise<Entry[]> {
  const ours = await keep(startUncached(place))
  const samples = await readSamples(place.urls.indexer, Math.min(DEPTH, ...sizes.map((size) => size / 2)))
  const entries: Entry[] = []
  for (const workload of GROWING) entries.push(...(await entriesOf({ ours }, workload, samples)))
  return entries
}

function interleaved<T>(some: readonly T[], others: readonly T[]): T[] {
  return some.flatMap((one, i) => [one, ...others.slice(i, i + 1)])
}

/** Times of both sizes in milliseconds, processor time of Postgres in seconds per 1000 requests. */
function row(few: Measurement, many: Measurement | undefined) {
  if (!many) throw new Error('each read is measured at both sizes')
  const [small, large] = [figuresOf(few.rounds), figuresOf(many.rounds)]
  const ratio = (pick: (figures: Figures) => number) => (pick(large) / pick(small)).toFixed(2)
  const both = (pick: (figures: Figures) => number, digits: number) =>
    `${pick(small).toFixed(digits)} → ${pick(large).toFixed(digits)}`
  return {
    read: GROWING.find(({ id }) => id === few.workload)?.title,
    'p50, ms': both(({ p50 }) => p50, 1),
    'p99, ms': both(({ p99 }) => p99, 1),
    'p99, few = 1': ratio(({ p99 }) => p99),
    Postgres: both(({ postgres }) => postgres, 2),
    'Postgres, few = 1': ratio(({ postgres }) => postgres),
  }
}
