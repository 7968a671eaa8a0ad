/**
 * How fast the indexer indexes what is already there, beside the same Ponder config with handlers that do nothing.
 *
 * Cold: the events are fetched from the node. Warm: they are in Ponder's own cache, as after a change of the handlers.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startWorldChain } from '../../devnet/chain.ts'
import { freePort } from '../../devnet/ports.ts'
import { buildWorld } from '../../devnet/world/build-world.ts'
import { planWorld } from '../../devnet/world/plan-world.ts'
import { readCommand } from '../../settings/command-line.ts'
import { openEnvelope } from './envelope.ts'
import { type Measurement, measureBackfill, type Range } from './measure.ts'
import { startPostgres } from './postgres.ts'

const SEED = 1
const WARM_RUNS = 5
/** Makes about 20 000 events. */
const DEFAULT_CLAIMS = 2400
/**
 * The sizes of all tables of a schema together, and of those with the most bytes; and how many rows were updated, and
 * how many of them without a new entry in any index (HOT).
 */
const SIZES = `
  select coalesce(c.relname::text, 'all') as table, sum(reltuples)::int as rows,
    round(sum(pg_table_size(oid)) / 1000000, 1) as "rows, MB",
    round(sum(pg_indexes_size(oid)) / 1000000, 1) as "indexes, MB",
    (sum(pg_total_relation_size(oid)) / nullif(sum(reltuples), 0))::int as "bytes of a row",
    sum(n_tup_upd)::int as updates, sum(n_tup_hot_upd)::int as "HOT"
  from pg_class c join pg_stat_user_tables on relid = oid
  where relkind = 'r' and relnamespace = $1::regnamespace
  group by rollup (c.relname) order by sum(pg_total_relation_size(oid)) desc limit 16`
const EMPTY_HANDLERS = join(import.meta.dirname, 'empty')

const { positionals, values } = readCommand(
  'npm run bench:indexer --',
  'Measures the indexer on a finished chain, beside the same configuration of Ponder without handlers.',
  { first: { type: 'boolean', default: false, meaning: 'only the first index, by tenths of its events' } },
  { claims: `claims of the chain; default: ${DEFAULT_CLAIMS}` },
)
const claims = Number(positionals[0] ?? DEFAULT_CLAIMS)
const plan = planWorld({
  seed: SEED,
  scale: { claims, vaults: 40, days: 150, wallets: 20, blockHours: 24 },
  now: Math.floor(Date.now() / 1000),
})
const folder = await mkdtemp(join(tmpdir(), 'claim-financing-bench-manifest-'))
const chain = await startWorldChain(plan, await freePort(), ['--no-request-size-limit'])
const postgres = await startPostgres()
try {
  const { manifest } = await buildWorld(
    chain.rpcUrl,
    plan,
    reportProgress('building the world'),
    openEnvelope,
  )
  await writeFile(join(folder, `${manifest.chainId}.json`), JSON.stringify(manifest))
  const common = { chainId: manifest.chainId, rpcUrls: [chain.rpcUrl], deploymentsDir: folder }
  const measure = async (database: string, schema: string, root?: string) =>
    measureBackfill({
      ...common,
      ...(root && { root }),
      schema,
      databaseUrl: (await postgres.database(database)).indexer,
      port: await freePort(),
    })

  if (values.first) {
    printTenths(await measure('ours', 'first'))
    await printSizes((await postgres.database('ours')).owner, 'first')
  } else await compare(measure)
} finally {
  await postgres.stop()
  await chain.stop()
  await rm(folder, { recursive: true, force: true })
}

type Measure = (database: string, schema: string, root?: string) => Promise<Measurement>

async function compare(measure: Measure): Promise<void> {
  const cold = { ours: await measure('ours', 'cold'), empty: await measure('empty', 'cold', EMPTY_HANDLERS) }
  const warm: { ours: Measurement[]; empty: Measurement[] } = { ours: [], empty: [] }
  // In turn, so that whatever else the machine does falls on both.
  for (let run = 0; run < WARM_RUNS; run++) {
    warm.ours.push(await measure('ours', `warm_${run}`))
    warm.empty.push(await measure('empty', `warm_${run}`, EMPTY_HANDLERS))
  }
  print(cold, warm)
}

/** Whether the index of the last events is slower than that of the first. */
function printTenths({ ranges, events, secondsToReady, peakMegabytes }: Measurement): void {
  console.log(
    `${events} events, ${secondsToReady.toFixed(0)} s to ready, ${Math.round(peakMegabytes)} MB at most`,
  )
  const tenths = tenthsOf(ranges, events)
  console.table(
    tenths.map((tenth, i) => {
      const seconds = (tenth.at(-1)?.endedAt ?? 0) - (tenths[i - 1]?.at(-1)?.endedAt ?? 0)
      const own = sum(tenth, (range) => range.events)
      return {
        events: own,
        'events/s': Math.round(own / seconds),
        'events/s of the handlers': Math.round(own / sum(tenth, (range) => range.handlers)),
      }
    }),
  )
}

async function printSizes(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('vacuum analyze')
    const { rows } = await client.query(SIZES, [schema])
    console.table(rows)
  } finally {
    await client.end()
  }
}

function tenthsOf(ranges: readonly Range[], events: number): Range[][] {
  const tenths: Range[][] = Array.from({ length: 10 }, () => [])
  let before = 0
  for (const range of ranges) {
    tenths[Math.min(9, Math.floor((10 * before) / events))]?.push(range)
    before += range.events
  }
  return tenths.filter((tenth) => tenth.length > 0)
}

function sum(ranges: readonly Range[], pick: (range: Range) => number): number {
  return ranges.reduce((total, range) => total + pick(range), 0)
}

function print(
  cold: { ours: Measurement; empty: Measurement },
  warm: { ours: Measurement[]; empty: Measurement[] },
): void {
  const [ours, empty] = [median(warm.ours), median(warm.empty)]
  const row = (kind: string, a: Measurement, b: Measurement) => ({
    run: kind,
    events: a.events,
    'events/s': Math.round(a.eventsPerSecond),
    'events/s, empty handlers': Math.round(b.eventsPerSecond),
    ratio: (a.eventsPerSecond / b.eventsPerSecond).toFixed(2),
    'start to ready, s': a.secondsToReady.toFixed(1),
    'peak memory, MB': Math.round(a.peakMegabytes),
    'peak, empty handlers': Math.round(b.peakMegabytes),
  })
  console.table([row('cold', cold.ours, cold.empty), row(`warm, median of ${WARM_RUNS}`, ours, empty)])
}

function median(runs: readonly Measurement[]): Measurement {
  const sorted = [...runs].sort((a, b) => a.eventsPerSecond - b.eventsPerSecond)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('nothing was measured')
  return middle
}

function reportProgress(what: string): (done: number, total: number) => void {
  let shown = -1
  return (done, total) => {
    const tenth = Math.floor((10 * done) / total)
    if (tenth > shown) console.error(`${what}: ${tenth * 10} %`)
    shown = tenth
  }
}
