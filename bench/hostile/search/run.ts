/**
 * Searches for the operation that causes most work per point of its cost. README.md of the folder above has the
 * figures.
 *
 * Writes the worst that it finds to `found.json`, unless the claims are fewer than by default.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../../api/domain/random.ts'
import { schema } from '../../../api/graphql/schema.ts'
import { readCommand } from '../../../settings/command-line.ts'
import { makeLarge } from '../../../test/projection/large.ts'
import { postmasterOf } from '../../processes.ts'
import { startWorld } from '../world.ts'
import { renderFit, renderRatio, renderWorst, scores, worstBy } from './report.ts'
import { readSamples } from './samples.ts'
import { search } from './search.ts'

const CLAIMS = 250_000
const FOUND = join(import.meta.dirname, '../found.json')
/** Operations of each table that are kept for the catalogue. */
const KEPT = 3

const { values } = readCommand(
  'npm run bench:hostile:search --',
  'Searches for the operations that cause most work per point of their cost.',
  {
    claims: { type: 'string', value: 'N', default: `${CLAIMS}`, meaning: 'claims of the table' },
    minutes: { type: 'string', value: 'N', default: '6', meaning: 'duration of the search' },
    seed: { type: 'string', value: 'N', default: '1', meaning: 'seed of the random operations' },
  },
)
const [claims, minutes, seed] = [Number(values.claims), Number(values.minutes), Number(values.seed)]

const world = await startWorld({
  settings: ['autovacuum=off'],
  fill: async (pool, router) => {
    await makeLarge(pool, claims)
    await pool.query('update projection.router set id = $1', [router.toLowerCase()])
    // Index-only scans need the visibility of the rows.
    await pool.query('vacuum (freeze, analyze)')
  },
})
try {
  console.log(`${claims} claims, ${minutes} minutes, seed ${seed}`)
  const draw = { random: seededRandom(seed), schema, samples: await readSamples(world.app) }
  const postmaster = await postmasterOf(world.databaseUrl)
  const { tried, all, worst } = await search({ world, postmaster, draw }, minutes * 60_000)
  console.log(`${tried} operations, ${tried - all.length} of them refused`)
  for (const scored of scores) console.log(renderWorst(scored, worst))
  console.log('')
  for (const scored of scores) console.log(renderRatio(scored, all, worst))
  console.log(renderFit('main thread', all, ({ main }) => main))
  console.log(renderFit('Postgres', all, ({ postgres }) => postgres))
  const kept = new Set(scores.flatMap((scored) => worstBy(scored, worst, KEPT)))
  const lines = [...kept].map(({ written }) => JSON.stringify(written))
  if (claims >= CLAIMS) writeFileSync(FOUND, `[\n${lines.join(',\n')}\n]\n`)
} finally {
  await world.stop()
}
