/**
 * Makes the working tree a release: all packages get the version, the section "Unreleased" of each changelog becomes
 * that of the version, and the current GraphQL schema and OpenAPI document become those that `npm run schema:diff`
 * compares with. It commits nothing.
 *
 *     npm run release -- 0.2.0
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printSdl } from '../api/graphql/schema.ts'
import { describeApi } from '../api/openapi/openapi.ts'
import { readCommandLine } from '../settings/command-line.ts'
import { releaseChangelog, unreleasedOf } from './changelog.ts'
import { describedApp } from './described-app.ts'
import { RELEASED_CONTRACT, restContract } from './rest-contract.ts'
import { RELEASED_SCHEMA, withoutDescriptions } from './schema-changes.ts'
import { PACKAGES, ROOT, withVersion } from './versions.ts'

const USAGE = `usage: npm run release -- VERSION

Makes the working tree the release VERSION, like 0.2.0. Commits nothing.`

const version = readCommandLine(USAGE, () => {
  const [given = '', ...others] = parseArgs({ allowPositionals: true }).positionals
  if (others.length > 0 || !/^\d+\.\d+\.\d+$/.test(given)) throw new Error(`"${given}" is no version`)
  return given
})

const date = new Date().toISOString().slice(0, 10)
const changelogs = PACKAGES.map((folder) => {
  const path = join(ROOT, folder, 'CHANGELOG.md')
  return [path, readFileSync(path, 'utf8')] as const
})
if (unreleasedOf(changelogs[0]?.[1] ?? '').trim() === '')
  throw new Error('CHANGELOG.md lists nothing under "Unreleased"')
const released = changelogs.map(([path, text]) => [path, releaseChangelog(text, version, date)] as const)

for (const [path, text] of released) writeFileSync(path, text)
for (const [file, text] of withVersion(version)) writeFileSync(join(ROOT, file), text)
writeFileSync(RELEASED_SCHEMA, withoutDescriptions(printSdl()))
writeFileSync(
  RELEASED_CONTRACT,
  `${JSON.stringify(restContract.parse(describeApi(describedApp())), null, 1)}\n`,
)
console.log(
  `The working tree is release ${version} of ${date}. Run "npm run generate" and "npm test", then commit and tag it v${version}.`,
)
