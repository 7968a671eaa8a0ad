/**
 * Names what changed in the GraphQL schema since its last release, breaking changes first, and fails on a breaking one that the
 * CHANGELOG does not name under "Unreleased" (`Claim.dueDate`, as it is printed). Released is what `api/graphql/generated/released.graphql` holds.
 *
 *     npm run schema:diff                 since the release
 *     npm run schema:diff -- origin/main  since what is committed there
 *     npm run schema:release              the current schema becomes the released one
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printSdl } from '../api/graphql/schema.ts'
import { describeChange, schemaChanges, unrecorded, withoutDescriptions } from './schema-changes.ts'

const ROOT = join(import.meta.dirname, '..')
const RELEASED = join(ROOT, 'api/graphql/generated/released.graphql')
const COMMITTED = 'api/graphql/generated/schema.graphql'
const [argument] = process.argv.slice(2)

if (argument === '--release') {
  writeFileSync(RELEASED, withoutDescriptions(printSdl()))
  console.log('api/graphql/generated/released.graphql is the schema as it is now')
} else {
  const earlier = argument
    ? execFileSync('git', ['show', `${argument}:${COMMITTED}`], { cwd: ROOT, encoding: 'utf8' })
    : readFileSync(RELEASED, 'utf8')
  const changes = await schemaChanges(earlier, printSdl())
  for (const change of changes) console.log(describeChange(change))
  const missing = unrecorded(changes, readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'))
  console.log(`${changes.length} changes, ${missing.length} breaking ones that CHANGELOG.md does not name`)
  if (missing.length > 0) process.exitCode = 1
}
