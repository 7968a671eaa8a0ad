/**
 * Writes docs/settings.md from the declarations in `settings/`. With `--check` it writes nothing and fails when the
 * document is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isCheck } from '../settings/command-line.ts'
import { settingsDocument } from './settings-document.ts'

const file = join(import.meta.dirname, '../docs/settings.md')
const document = settingsDocument()

if (!isCheck('scripts/write-settings.ts', 'docs/settings.md')) {
  writeFileSync(file, document)
  console.log('wrote docs/settings.md')
} else if (readFileSync(file, 'utf8') === document) {
  console.log('docs/settings.md is current')
} else {
  throw new Error('docs/settings.md is out of date. Run "npm run generate" and commit the result.')
}
