/**
 * Plants each fault in a copy of the project and runs the tests of `npm test` that may notice it, until one fails. At
 * the end, the files that failed run once more without a fault and must pass.
 *
 * Writes `test/record.json` after each fault. Ends with code 1 if a fault is lost, because its place is not found any
 * more, or not caught.
 */
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readCommand } from '../../settings/command-line.ts'
import { readRecord, writeRecord } from '../record.ts'
import { copyProject } from './copy.ts'
import { plantedFaults } from './faults/index.ts'
import { type Bench, type FaultResult, FILE_LIMIT_MS, measure } from './measure.ts'
import { type PlacedFault, placesOf } from './place.ts'
import { openSession } from './session.ts'
import { readSources } from './sources.ts'
import { readImporters, testsOf } from './tests-of.ts'

const ROOT = join(import.meta.dirname, '../..')
const { values, positionals } = readCommand(
  'npm run test:faults:planted --',
  'Plants faults in a copy of the project, one at a time, and runs the tests that must detect them.',
  {
    check: {
      type: 'boolean',
      default: false,
      meaning: 'list the faults that match no code, and run no test',
    },
    open: { type: 'boolean', default: false, meaning: 'only faults that no assertion is recorded to catch' },
    shard: { type: 'string', value: 'N/M', default: '1/1', meaning: 'part N of M equal parts' },
    seconds: { type: 'string', value: 'N', default: '600', meaning: 'no further test file after this time' },
  },
  { 'part...': 'only faults whose name or file contains one of these texts' },
)
const [part = 1, parts = 1] = values.shard.split('/').map(Number)
const recorded = readRecord().planted
const isCaught = (result = '') => /^(caught|timed out)/.test(result)
/** A test that hangs notices the fault, but does not say what is wrong. */
const isSettled = (result = '') => result.startsWith('caught')

const sources = readSources(ROOT)
const importers = readImporters(sources)
const isChosen = (text: string): boolean => positionals.some((part) => text.includes(part))
const placed = plantedFaults.map((fault) => ({ ...fault, places: placesOf(sources, fault) }))
const selected = placed
  .filter(
    ({ name, places }) =>
      positionals.length === 0 || isChosen(name) || places.some(({ file }) => isChosen(file)),
  )
  .filter(({ name }) => !values.open || !isSettled(recorded[name]))
  .filter((_, index) => index % parts === part - 1)
const lost = selected.filter(({ places }) => places.length !== 1)
const faults = selected.flatMap(({ places, ...fault }): PlacedFault[] => {
  const [place] = places
  return place && places.length === 1 ? [{ ...fault, place }] : []
})
const uncaught = values.check ? 0 : await measureAll()
for (const { name, in: path, places } of lost)
  console.log(`lost      ${name}: ${places.length} places in ${path}: ${places.map(({ file }) => file)}`)
console.log(`${lost.length} of ${selected.length} lost`)
process.exit(lost.length + uncaught > 0 ? 1 : 0)

/** @returns how many faults no test caught */
async function measureAll(): Promise<number> {
  const copy = copyProject(ROOT)
  const bench: Bench = { copy, session: await openSession(copy) }
  const stop = async (): Promise<void> => {
    await bench.session.close()
    rmSync(copy, { recursive: true, force: true })
  }
  // Postgres and the nodes of the session are processes of their own.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop().then(() => process.exit(1)))
  try {
    const results = new Map<PlacedFault, FaultResult>()
    for (const fault of faults) results.set(fault, await measureOne(bench, fault))
    await withdrawUnproven(bench, results)
    const uncaught = [...results.values()].filter(({ outcome }) => !isCaught(outcome)).length
    console.log(`${results.size - uncaught} of ${results.size} caught`)
    return uncaught
  } finally {
    await stop()
  }
}

/** The test files that are recorded to catch faults with these names. */
function catchersOf(names: readonly string[]): string[] {
  return names.flatMap((name) => recorded[name]?.split(': ')[1] ?? [])
}

/**
 * The files that are declared to catch the fault run first, then the one that caught it last, then those that caught
 * other faults in its file.
 */
async function measureOne(bench: Bench, fault: PlacedFault): Promise<FaultResult> {
  const start = Date.now()
  const beside = placed.filter(({ places }) => places.some(({ file }) => file === fault.place.file))
  const named = [...(fault.caughtBy ?? []), ...catchersOf([fault.name, ...beside.map(({ name }) => name)])]
  const tests = testsOf(importers, bench.session.files, fault, named)
  const result = await measure(bench, fault, tests, Number(values.seconds) * 1000)
  write(fault, result, `${((Date.now() - start) / 1000).toFixed(0)} s`)
  return result
}

/** A file that fails without a fault too has caught nothing. */
async function withdrawUnproven(bench: Bench, results: Map<PlacedFault, FaultResult>): Promise<void> {
  const caught = [...results].filter(([, { outcome }]) => isCaught(outcome))
  for (const [by, credited] of Map.groupBy(caught, ([, result]) => result.by ?? '')) {
    const { hangs, failure } = await bench.session.run(by, FILE_LIMIT_MS)
    if (!hangs && !failure) continue
    for (const [fault] of credited) {
      results.set(fault, { outcome: 'survived' })
      write(fault, { outcome: 'survived' }, `${by} fails without a fault`)
    }
  }
}

/** Prints the result and records it. Results of faults that are no longer planted are dropped. */
function write({ name, place }: PlacedFault, { outcome, by, detail }: FaultResult, remark: string): void {
  console.log(`${outcome.padEnd(9)} ${place.file}: ${name}: ${by ?? ''} ${detail ?? ''} (${remark})`)
  const planted = new Set(plantedFaults.map((fault) => fault.name))
  const result = by ? `${outcome}: ${basename(by, '.test.ts')}` : outcome
  const entries = Object.entries({ ...readRecord().planted, [name]: result })
  writeRecord({ planted: Object.fromEntries(entries.filter(([fault]) => planted.has(fault))) })
}
