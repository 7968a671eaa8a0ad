/**
 * Names what changed in the GraphQL schema since its last release, breaking changes first, and what breaks clients of
 * REST. Fails on a breaking change that the CHANGELOG does not name under "Unreleased", as it is printed:
 * `Claim.dueDate`, or for REST with backticks around the place. Released is what the files `released…` in
 * `api/graphql/generated` and `api/rest/generated` hold; `npm run release` writes them.
 *
 *     npm run schema:diff                 since the release
 *     npm run schema:diff -- origin/main  GraphQL since what is committed there
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printSdl } from '../api/graphql/schema.ts'
import { describeApi } from '../api/openapi/openapi.ts'
import { readCommandLine } from '../settings/command-line.ts'
import { describedApp } from './described-app.ts'
import { describeRestChange, restChanges, unrecordedRestChanges } from './rest-changes.ts'
import { readReleasedContract, restContract } from './rest-contract.ts'
import { describeChange, RELEASED_SCHEMA, schemaChanges, unrecorded } from './schema-changes.ts'

const ROOT = join(import.meta.dirname, '..')
const COMMITTED = 'api/graphql/generated/schema.graphql'
const USAGE = `usage: npm run schema:diff -- [REVISION]

Lists the changes of GraphQL and the breaking changes of REST since the release; fails if CHANGELOG.md lacks a breaking one.

  REVISION   compare GraphQL with the schema that is committed there, like origin/main`

const argument = readCommandLine(USAGE, () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  if (positionals.length > 1) throw new Error(`more than one revision: ${positionals.join(', ')}`)
  return positionals[0]
})
const current = restContract.parse(describeApi(describedApp()))

const earlier = argument
  ? execFileSync('git', ['show', `${argument}:${COMMITTED}`], { cwd: ROOT, encoding: 'utf8' })
  : readFileSync(RELEASED_SCHEMA, 'utf8')
const changes = await schemaChanges(earlier, printSdl())
const ofRest = argument ? [] : restChanges(readReleasedContract(), current)
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
const missing = unrecorded(changes, changelog).length + unrecordedRestChanges(ofRest, changelog).length
for (const line of [...changes.map(describeChange), ...ofRest.map(describeRestChange)]) console.log(line)
console.log(
  `${changes.length + ofRest.length} changes, ${missing} breaking ones that CHANGELOG.md does not name`,
)
if (missing > 0) process.exitCode = 1
