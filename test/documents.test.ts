/** What Markdown silently shows in another way than it was meant. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const documents = globSync('**/*.md', { cwd: ROOT, exclude: ['**/node_modules', '.devnet'] })

/** Runs of lines that begin with a bar, outside of code. */
function tables(text: string): string[][] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => table.trimEnd().split('\n'))
}

/** Cells of a row; a bar in code or after a backslash separates nothing. */
const cellsOf = (row = '') => row.replace(/`[^`]*`|\\\|/g, '').split('|').length

it.each(documents)(
  'every table of %s has a header, a delimiter row, and rows of as many cells',
  (document) => {
    for (const [header, delimiter, ...rows] of tables(readFileSync(join(ROOT, document), 'utf8'))) {
      expect(delimiter, header).toMatch(/^\|(?: ?:?-+:? ?\|)+$/)
      for (const row of [delimiter, ...rows]) expect([row, cellsOf(row)]).toEqual([row, cellsOf(header)])
    }
  },
)
