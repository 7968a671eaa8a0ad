/**
 * Blocks of Postgres that the gateway's reads take at several sizes of the tables, and the sizes: unlike times, they do
 * not depend on the load of the machine.
 *
 * Postgres counts the blocks of a connection 10 s after its last statement, so each read takes half a minute.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { readCommand } from '../../settings/command-line.ts'
import { readSamples, SCHEMA } from './data.ts'
import { sendTo } from './read.ts'
import { type Entry, entriesOf } from './rounds.ts'
import { type Place, startUncached } from './servers/start.ts'
import { workloads } from './workloads/index.ts'
import { startWorld } from './world.ts'

const DEFAULT_CLAIMS = [10_000, 100_000, 1_000_000]
const REQUESTS = 500
const WARM_UP = 30
/** Rows before the page that is read by cursor, as a share of the smallest table. */
const DEPTH_SHARE = 0.5
const COUNTED_AFTER_MS = 12_000

const SIZES = `
  select relname as table, pg_table_size(oid) / 1000000 as rows, pg_indexes_size(oid) / 1000000 as indexes
  from pg_class where relkind = 'r' and relname in ('claim', 'allocation') and relnamespace = '${SCHEMA}'::regnamespace order by 1`
const BLOCKS =
  'select blks_hit + blks_read as blocks from pg_stat_database where datname = current_database()'

const { positionals } = readCommand(
  'npm run bench:blocks --',
  'Counts the blocks of Postgres that the reads of the gateway take at several sizes of the tables.',
  {},
  { 'claims...': `claims of each table; default: ${DEFAULT_CLAIMS.join(' ')}` },
)
const given = positionals.map(Number)
const sizes = given.length > 0 ? given : DEFAULT_CLAIMS
const world = await startWorld(sizes)
try {
  for (const [index, place] of world.places.entries()) await measurePlace(sizes[index] ?? 0, place)
} finally {
  await world.stop()
}

async function measurePlace(claims: number, place: Place): Promise<void> {
  const ours = await world.keep(startUncached(place))
  const samples = await readSamples(place.urls.indexer, Math.min(...sizes) * DEPTH_SHARE)
  const database = new pg.Client({ connectionString: place.urls.indexer })
  await database.connect()
  const { rows } = await database.query(SIZES)
  for (const { table, rows: own, indexes } of rows)
    console.log(`${claims} claims: ${table} ${own} MB, indexes ${indexes} MB`)
  for (const workload of workloads.filter(({ grows }) => grows)) {
    for (const entry of await entriesOf({ ours }, workload, samples))
      console.log(`${claims} claims: ${workload.title}: ${await blocksOf(database, entry)} blocks`)
  }
  await database.end()
}

/** Blocks that one request touches, without those of the counting itself. */
async function blocksOf(database: pg.Client, entry: Entry): Promise<string> {
  await send(entry, WARM_UP)
  const first = await countBlocks(database)
  const second = await countBlocks(database)
  await send(entry, REQUESTS)
  const third = await countBlocks(database)
  return ((third - second - (second - first)) / REQUESTS).toFixed(1)
}

async function send({ server, requests, status }: Entry, many: number): Promise<void> {
  for (let i = 0; i < many; i += 1) {
    const request = requests[i % requests.length]
    if (!request) throw new Error('there are no requests')
    const response = await sendTo(server.url, request)
    await response.arrayBuffer()
    if (response.status !== status) throw new Error(`${request.path} answers ${response.status}`)
  }
}

async function countBlocks(database: pg.Client): Promise<number> {
  await pause(COUNTED_AFTER_MS)
  const { rows } = await database.query<{ blocks: string }>(BLOCKS)
  return Number(rows[0]?.blocks)
}
