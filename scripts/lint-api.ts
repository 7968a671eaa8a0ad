/**
 * Lints the OpenAPI document with the OWASP ruleset of Spectral. Fails where it finds an error or a warning:
 * `npm run lint:api`.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeApi } from '../api/openapi/openapi.ts'
import { refuseOptions } from '../settings/command-line.ts'
import { describedApp } from './described-app.ts'

refuseOptions('npm run lint:api', 'Lints the OpenAPI document with the OWASP ruleset of Spectral.')

const FOLDER = join(import.meta.dirname, 'lint-api')
const SPECTRAL = join(FOLDER, 'node_modules/@stoplight/spectral-cli/dist/index.js')
const DOCUMENT = 'openapi.json'

// A file: Spectral fails at a pipe that is not readable yet.
writeFileSync(join(FOLDER, DOCUMENT), JSON.stringify(describeApi(describedApp()), null, 2))
const lint = ['lint', DOCUMENT, '--ruleset', 'ruleset.yaml', '--fail-severity', 'warn']
const { status } = spawnSync(process.execPath, [SPECTRAL, ...lint], { cwd: FOLDER, stdio: 'inherit' })
process.exitCode = status ?? 1
