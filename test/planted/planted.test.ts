import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withFault } from './copy.ts'
import { plantedFaults } from './faults/index.ts'
import { countedFaults, RATE_MIN, rateOf } from './report.ts'
import { readResults } from './results.ts'

const ROOT = join(import.meta.dirname, '../..')

it('finds the text of every planted fault exactly once in its file', () => {
  for (const fault of plantedFaults) {
    const source = readFileSync(join(ROOT, fault.file), 'utf8')
    expect(withFault(source, fault), fault.name).not.toBe(source)
  }
})

it('names each fault once, and tests that exist', () => {
  const names = plantedFaults.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const named = plantedFaults.flatMap(({ caughtBy = [] }) => caughtBy)
  expect(named.filter((test) => !existsSync(join(ROOT, test)))).toEqual([])
})

it('records at least 95 % of the faults as caught', () => {
  expect(rateOf(countedFaults, readResults(ROOT))).toBeGreaterThanOrEqual(RATE_MIN)
})
