/**
 * Runs `npm ci` when node_modules is missing or differs from package-lock.json, so that `npm run dev` and `npm test`
 * are the only commands a fresh clone needs. Plain JavaScript: it runs on the machine's own Node, before any install.
 *
 * Usage: node scripts/ensure-installed.mjs [folder with a lockfile of its own]
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', process.argv[2] ?? '')

if (isInstalled()) process.exit(0)
console.log('Installing packages (npm ci) …')
try {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' })
} catch {
  console.error(
    'The packages could not be installed. Correct the error that npm reports above, and run the command again.',
  )
  process.exit(1)
}

/** Whether what npm recorded as installed has the versions of package-lock.json. */
function isInstalled() {
  const wanted = readPackages('package-lock.json')
  const installed = readPackages('node_modules/.package-lock.json')
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    return found ? found.version === entry.version : entry.optional === true
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}
