/** Validates the rules of Prometheus and runs their unit tests. Needs promtool of Prometheus. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { refuseOptions } from '../settings/command-line.ts'

refuseOptions('npm run check:alerts', 'Validates the rules of Prometheus and runs their unit tests.')

const FOLDER = join(import.meta.dirname, '../ops/prometheus')

for (const args of [
  ['check', 'config', 'prometheus.yml'],
  ['check', 'rules', 'alerts.yml'],
  ['test', 'rules', 'alerts.test.yml'],
]) {
  const { error, status } = spawnSync('promtool', args, { cwd: FOLDER, stdio: 'inherit' })
  if (error)
    fail(`promtool could not be run (${error.message}). Install Prometheus: apt-get install prometheus.`)
  if (status !== 0) fail(`promtool ${args.join(' ')} failed.`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
