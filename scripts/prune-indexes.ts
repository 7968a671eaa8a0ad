/**
 * Schemas of former versions of the indexer: `npm run prune:indexes` lists them, `npm run prune:indexes -- --drop`
 * drops those that nobody writes. The published version and later ones are never listed. `DATABASE_URL` is that of the
 * indexer.
 */
import { dropFormer, findFormer } from '../indexer/service/prune.ts'
import { readCommand } from '../settings/command-line.ts'
import { indexerSettings } from '../settings/indexer.ts'
import { readSettings } from '../settings/read.ts'

const MEGABYTE = 1_000_000n

const { values } = readCommand(
  'npm run prune:indexes --',
  'Lists the schemas of former versions of the indexer. DATABASE_URL is that of the indexer.',
  { drop: { type: 'boolean', default: false, meaning: 'drop those that no indexer writes' } },
)

try {
  const { DATABASE_URL: databaseUrl } = readSettings(
    indexerSettings.pick({ DATABASE_URL: true }),
    process.env,
  )
  const former = await findFormer(databaseUrl)
  if (former.length === 0) console.log('No schema of a former version.')
  for (const { schema, publishedAt, size, isWritten } of former) {
    const isDropped = values.drop && !isWritten && (await dropFormer(databaseUrl, schema))
    const state = isDropped ? 'dropped' : isWritten ? 'kept: an indexer writes it' : 'not dropped'
    const published = publishedAt ? `published ${publishedAt.toISOString()}` : 'never published'
    console.log(`${schema}  ${size / MEGABYTE} MB  ${published}  ${state}`)
  }
  if (former.length > 0 && !values.drop) console.log('Run it with --drop to drop them.')
} catch (error) {
  console.error(`No schema was dropped: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
