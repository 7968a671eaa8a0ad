/** Packages are installed where they are not those of the lockfile. Without npm, that fails here. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

type Packages = Readonly<Record<string, { version: string; optional?: boolean }>>

const WANTED: Packages = {
  '': { version: '0.1.0' },
  'node_modules/one': { version: '1.0.0' },
  'node_modules/other': { version: '2.0.0', optional: true },
}
const { '': _, ...BOTH } = WANTED
const ONE = { 'node_modules/one': { version: '1.0.0' } }

/** @param installed undefined: there is no folder `node_modules` */
function ensure(installed: Packages | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'claim-financing-installed-'))
  try {
    const write = (file: string, packages: Packages) =>
      writeFileSync(join(folder, file), JSON.stringify({ packages }))
    write('package-lock.json', WANTED)
    if (installed) {
      mkdirSync(join(folder, 'node_modules'))
      write('node_modules/.package-lock.json', installed)
    }
    const args = [join(ROOT, 'scripts/ensure-installed.mjs'), relative(ROOT, folder)]
    const { status, stdout } = spawnSync(process.execPath, args, {
      env: { PATH: '/nowhere' },
      encoding: 'utf8',
    })
    return { status, begins: stdout.startsWith('Installing packages') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it.each([
  ['all of the lockfile are there', BOTH],
  ['an optional one is not there', ONE],
  ['more are there', { ...BOTH, 'node_modules/more': { version: '1.0.0' } }],
])('nothing is installed where %s', (_, installed) => {
  expect(ensure(installed)).toEqual({ status: 0, begins: false })
})

it.each([
  ['nothing is there', undefined],
  ['one is not there', { 'node_modules/other': { version: '2.0.0' } }],
  ['one has another version', { ...BOTH, 'node_modules/one': { version: '1.0.1' } }],
  ['an optional one has another version', { ...ONE, 'node_modules/other': { version: '2.0.1' } }],
])('packages are installed where %s, and a failure ends the command', (_, installed) => {
  expect(ensure(installed)).toEqual({ status: 1, begins: true })
})
