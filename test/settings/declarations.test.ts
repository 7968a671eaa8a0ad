/** Every setting is declared once, documented, and read by the process that has it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingsDocument } from '../../scripts/settings-document.ts'
import { processes, sections } from '../../settings/processes.ts'

const described = sections.flatMap(([, group]) => Object.values(group))

describe.each(Object.entries(processes))('the settings of %s', (process, group) => {
  it.each(Object.entries(group))('has %s in the document', (variable, schema) => {
    expect(described).toContain(schema)
    const row = new RegExp(
      `^\\| \`${variable}\` \\| [^|]*\\b${process}\\b[^|]* \\| [A-Z\`][^|]+[.)] \\|`,
      'm',
    )
    expect(settingsDocument()).toMatch(row)
  })
})

it('no setting is described that no process reads', () => {
  const read = Object.values(processes).flatMap((group) => Object.values(group))
  expect(described.filter((schema) => !read.some((own) => own === schema))).toEqual([])
})

it('docs/settings.md states the values and the default of each', () => {
  const stated = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8')
  expect(settingsDocument()).toBe(stated)
})
