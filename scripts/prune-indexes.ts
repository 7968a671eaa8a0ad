/**
 * Schemas of former versions of the indexer: `npm run prune:indexes` lists them, `npm run prune:indexes -- --drop`
 * drops those that nobody writes. The published version and later ones are never listed. `DATABASE_URL` is that of the
 * indexer.
 */
import { parseArgs } from 'node:util'
import { dropFormer, findFormer } from '../indexer/service/prune.ts'
import { readCommandLine } from '../settings/command-line.ts'
import { indexerSettings } from '../settings/indexer.ts'
import { readSettings } from '../settings/read.ts'

const MEGABYTE = 1_000_000n

const USAGE = `usage: npm run prune:indexes -- [--drop]

Lists the schemas of former versions of the indexer. DATABASE_URL is that of the indexer.

  --drop   drop those that no indexer writes`

const options = { drop: { type: 'boolean', default: false } } as const
const { values } = readCommandLine(USAGE, () => parseArgs({ options }))

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
