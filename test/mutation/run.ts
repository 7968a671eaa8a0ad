/**
 * Mutation testing with StrykerJS: changes one expression at a time and runs the tests that reach it. The share of
 * changes that the tests notice is compared with `test/record.json`, where it may only rise.
 *
 * Ends with code 1 when a share is below the baseline; writes a higher one into it. The report of each survivor is in
 * `node_modules/.cache/mutation/<part>.json` and printed.
 */
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { readCommand } from '../../settings/command-line.ts'
import { readRecord, writeRecord } from '../record.ts'
import { type Part, parts } from './parts.ts'

const ROOT = join(import.meta.dirname, '../..')
const CACHE = 'node_modules/.cache/mutation'

const { values, positionals } = readCommand(
  'npm run test:mutation --',
  'Changes one expression at a time and runs the tests that reach it.',
  { concurrency: { type: 'string', value: 'N', default: '2', meaning: 'changes that are tested at a time' } },
  { 'part...': `any of ${Object.keys(parts).join(', ')}; default: all` },
)
process.chdir(ROOT)
let isBelow = false
for (const [name, part] of selected(positionals)) {
  const score = await measure(name, part)
  const { mutation } = readRecord()
  const before = mutation[name] ?? 0
  console.log(`${name}: ${score} % of the mutants are noticed, ${before} % before`)
  if (score < before) isBelow = true
  else writeRecord({ mutation: { ...mutation, [name]: score } })
}
process.exit(isBelow ? 1 : 0)

function selected(names: readonly string[]): [string, Part][] {
  const unknown = names.filter((name) => !(name in parts))
  if (unknown.length > 0) throw new Error(`Unknown part ${unknown}; parts are ${Object.keys(parts)}`)
  return Object.entries(parts).filter(([name]) => names.length === 0 || names.includes(name))
}

/** @returns percent of the mutants that a test noticed, rounded down to a tenth */
async function measure(name: string, part: Part): Promise<number> {
  process.env.MUTATION_PART = name
  process.env.MUTATION_SETUP = (part.setup ?? []).join(',')
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    mutate: [...part.mutate],
    ignorePatterns: ['.devnet', '.cache'],
    // Node runs no TypeScript below node_modules.
    tempDirName: `.cache/mutation-${name}`,
    coverageAnalysis: 'perTest',
    // Most strings are words of messages; SQL is in tagged templates, which are not changed.
    mutator: { excludedMutations: ['StringLiteral'] },
    // Code that runs once, as a file is loaded, would need a new process for each mutant.
    ignoreStatic: true,
    concurrency: Number(values.concurrency),
    reporters: ['clear-text', 'json'],
    jsonReporter: { fileName: `${CACHE}/${name}.json` },
    clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
    allowConsoleColors: false,
  }).runMutationTest()
  const counted = results.filter(({ status }) =>
    ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status),
  )
  const noticed = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout')
  return Math.floor((1000 * noticed.length) / counted.length) / 10
}
