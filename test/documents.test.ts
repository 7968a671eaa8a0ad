/** The form of all documents: tables that Markdown would silently change, and links to files and headings. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const documents = globSync('**/*.md', { cwd: ROOT, exclude: ['**/node_modules', '.devnet'] })

const textOf = (document: string) => readFileSync(join(ROOT, document), 'utf8')
const withoutCode = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, '')

/** Runs of lines that begin with a bar, outside of code. */
function tables(text: string): string[][] {
  const prose = withoutCode(text)
  return [...prose.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => table.trimEnd().split('\n'))
}

/** Cells of a row; a bar in code or after a backslash separates nothing. */
const cellsOf = (row = '') => row.replace(/`[^`]*`|\\\|/g, '').split('|').length

it.each(documents)(
  'every table of %s has a header, a delimiter row, and rows of as many cells',
  (document) => {
    for (const [header, delimiter, ...rows] of tables(textOf(document))) {
      expect(delimiter, header).toMatch(/^\|(?: ?:?-+:? ?\|)+$/)
      for (const row of [delimiter, ...rows]) expect([row, cellsOf(row)]).toEqual([row, cellsOf(header)])
    }
  },
)

type Link = { file: string; anchor: string | undefined }

/** Links to files of the project. */
function linksOf(document: string): Link[] {
  const targets = [...withoutCode(textOf(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, target = '']) => target,
  )
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#')
      return { file: path === '' ? document : relative(ROOT, join(ROOT, dirname(document), path)), anchor }
    })
}

/** The anchors of the headings, as GitHub and VitePress name them. */
function anchorsOf(document: string): string[] {
  const text = withoutCode(textOf(document))
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, name = '']) => name)
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
  return [...named, ...headings]
}

it.each(documents)('every link of %s leads to a file, and to a heading of it', (document) => {
  const links = linksOf(document)
  expect(links.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([])
  const toHeadings = links.filter(({ anchor }) => anchor !== undefined)
  expect(toHeadings.filter(({ file, anchor = '' }) => !anchorsOf(file).includes(anchor))).toEqual([])
})

it.each(documents.filter((document) => document.startsWith('docs/')))(
  'every link of %s stays within docs/, which is published without the project',
  (document) => {
    expect(linksOf(document).filter(({ file }) => !file.startsWith('docs/'))).toEqual([])
  },
)
