/**
 * Plants each fault in a copy of the project and runs the tests of `npm test` that may notice it, until one fails. At the end, the files
 * that failed run once more without a fault and must pass.
 *
 * Usage: npm run test:faults:planted -- [--open] [--wide] [--seconds=600] [part of a name or file]
 *
 * --open: only faults that are not recorded as caught. --wide: also the tests of the layers above the fault's own. --seconds: after this time, no
 * further test file is tried for a fault.
 *
 * Writes `results.json` after each fault and prints the share of faults caught per folder. Ends with code 1 below 95 %, and for a
 * survivor without a reason.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyProject } from './copy.ts'
import type { PlantedFault } from './fault.ts'
import { plantedFaults } from './faults/index.ts'
import { type Bench, FILE_LIMIT_MS, measure } from './measure.ts'
import { report } from './report.ts'
import { type FaultResult, readResults, writeResult } from './results.ts'
import { openSession } from './session.ts'
import { testsOf } from './tests-of.ts'

const ROOT = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    open: { type: 'boolean', default: false },
    wide: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '600' },
  },
})
const only = positionals[0] ?? ''
const recorded = readResults(ROOT)
const faults = plantedFaults
  .filter(({ name, file }) => name.includes(only) || file.includes(only))
  .filter(({ name }) => !values.open || recorded.get(name)?.outcome !== 'caught')

const copy = copyProject(ROOT)
const bench: Bench = { copy, session: await openSession(copy) }
// Postgres and the nodes of the session are processes of their own.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop().then(() => process.exit(1)))
try {
  const results: FaultResult[] = []
  for (const fault of faults) results.push(await record(fault))
  await withdrawUnproven(results)
} finally {
  await stop()
}
process.exit(report(ROOT) ? 0 : 1)

async function stop(): Promise<void> {
  await bench.session.close()
  rmSync(copy, { recursive: true, force: true })
}

async function record(fault: PlantedFault): Promise<FaultResult> {
  const start = Date.now()
  const result = await measure(bench, fault, testsFor(fault), Number(values.seconds) * 1000)
  writeResult(ROOT, result)
  const { outcome, file, by } = result
  const seconds = ((Date.now() - start) / 1000).toFixed(0)
  console.log(`${outcome.padEnd(8)} ${file}: ${fault.name}${by ? ` (${by})` : ''}, ${seconds} s`)
  return result
}

/** A file that fails without a fault too has caught nothing. */
async function withdrawUnproven(results: readonly FaultResult[]): Promise<void> {
  const caught = Map.groupBy(results, ({ outcome, by }) => (outcome === 'caught' ? by : undefined))
  for (const [by, credited] of caught) {
    if (by === undefined) continue
    const { hangs, failure } = await bench.session.run(by, FILE_LIMIT_MS)
    if (!hangs && !failure) continue
    console.log(`fails without a fault: ${by}`)
    for (const { fault, file } of credited) writeResult(ROOT, { fault, file, outcome: 'survived' })
  }
}

/** The file that caught the fault before runs first. */
function testsFor(fault: PlantedFault): string[] {
  const by = recorded.get(fault.name)?.by
  const others = testsOf(ROOT, bench.session.files, fault, values.wide)
  return [...new Set([...(by ? [by] : []), ...others])]
}
