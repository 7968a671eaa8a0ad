/**
 * Plants each fault in a copy of the project and runs the tests that must fail. First, these tests must pass without the fault.
 *
 * Usage: npm run test:faults:planted -- [part of a name or file]
 *
 * Prints each survivor, and the share of faults that were caught. Ends with code 1 below 95 %, and for a survivor without a reason.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyProject, plant } from './copy.ts'
import type { PlantedFault } from './fault.ts'
import { plantedFaults } from './faults/index.ts'
import { testsOf } from './tests-of.ts'

const ROOT = join(import.meta.dirname, '../..')
const RATE_MIN = 0.95
const only = process.argv[2] ?? ''

const passing = new Map<string, boolean>()
const faults = plantedFaults.filter(({ name, file }) => name.includes(only) || file.includes(only))
const copy = copyProject(ROOT)
try {
  process.exitCode = report(faults.filter((fault) => !isCaught(fault)))
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function isCaught(fault: PlantedFault): boolean {
  const tests = fault.caughtBy ?? testsOf(fault.file)
  if (!passes(tests)) throw new Error(`fails without a fault: ${tests.join(', ')}`)
  const takeOut = plant(copy, fault)
  try {
    const isCompiled = !fault.file.endsWith('.sol') || compiles()
    if (!isCompiled) throw new Error(`does not compile: ${fault.name}`)
    const isCaught = !runs(tests)
    console.log(`${isCaught ? 'caught  ' : 'SURVIVED'} ${fault.file}: ${fault.name}`)
    return isCaught
  } finally {
    takeOut()
    if (fault.file.endsWith('.sol')) compiles()
  }
}

/** Whether the tests pass on the project as it is; each list of tests is run once. */
function passes(tests: readonly string[]): boolean {
  const key = tests.join(' ')
  const known = passing.get(key) ?? runs(tests)
  passing.set(key, known)
  return known
}

function runs(tests: readonly string[]): boolean {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  return succeeds([vitest, 'run', ...tests, '--bail=1', '--maxWorkers=1', '--silent', '--reporter=dot'])
}

const compiles = (): boolean => succeeds(['scripts/compile-contracts.ts'])

function succeeds(args: readonly string[]): boolean {
  const { status, signal } = spawnSync(process.execPath, args, { cwd: copy, stdio: 'ignore' })
  if (status === null) throw new Error(`${args[0]} was ended by ${signal}`)
  return status === 0
}

/** @returns the exit code */
function report(survivors: readonly PlantedFault[]): number {
  const rate = faults.length === 0 ? 0 : 1 - survivors.length / faults.length
  console.log(
    `\n${faults.length - survivors.length} of ${faults.length} faults caught, ${(rate * 100).toFixed(1)} %`,
  )
  for (const { name, survives } of survivors) console.log(`  survived: ${name}: ${survives ?? 'unexplained'}`)
  const isExplained = survivors.every(({ survives }) => survives !== undefined)
  return rate >= RATE_MIN && isExplained ? 0 : 1
}
