import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withFault } from './copy.ts'
import { plantedFaults } from './faults/index.ts'
import { testsOf } from './tests-of.ts'

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
  for (const { name, file, caughtBy = testsOf(file) } of plantedFaults) {
    expect(caughtBy.length, name).toBeGreaterThan(0)
    expect(
      caughtBy.filter((test) => !existsSync(join(ROOT, test))),
      name,
    ).toEqual([])
  }
})
