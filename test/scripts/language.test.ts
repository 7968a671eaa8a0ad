/** The check of the project's vocabulary finds every word of its list and nothing else. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findForbidden, RULES } from '../../scripts/language.ts'

const ROOT = join(import.meta.dirname, '../..')
const words = RULES.flatMap((rule) => rule.words)
const capitalized = (text: string) => text.replace(/^./, (first) => first.toUpperCase())
const camelCase = (text: string) => text.split(' ').map(capitalized).join('')

describe.each(words)('the word "%s"', (word) => {
  it.each([
    ['in a sentence', `The list, ${word} or not.`],
    ['at the start of a sentence', `${capitalized(word)} and more.`],
    ['over two lines of a comment', ` * a\n * ${word.replace(' ', '\n * ')} b`],
    [
      'at the start of an identifier',
      `const ${word.replace(/ (.)/g, (_, letter) => letter.toUpperCase())}Of = 1`,
    ],
    ['at the end of an identifier', `const is${camelCase(word)} = true`],
    ['in a constant', `const MAX_${word.replace(' ', '_').toUpperCase()}_MS = 1`],
    ['in a file name', `./${word.replace(' ', '-')}.ts`],
  ])('is found %s', (_, text) => {
    expect(findForbidden(text)).toHaveLength(1)
  })

  it('is not found as a part of a longer word', () => {
    expect(findForbidden(`x${word}x ${word}x x${word} ${word.toUpperCase()}X`)).toEqual([])
  })
})

it('reports the line, the word and what to use instead', () => {
  const [
    {
      words: [word = ''],
      use,
    } = { words: [], use: '' },
  ] = RULES
  expect(findForbidden(`one\ntwo ${word} three\n`)).toEqual([{ line: 2, word, use }])
})

it.each([
  ['a type conversion in SQL', 'select cast(x as numeric)'],
  ['a rule about type conversions', 'No `any`, no cast to silence the compiler.'],
  ['an option of csv-stringify', 'stringify({ cast: { boolean: String } })'],
  ['longer words', 'returns, broadcast, forecast, intellectual, belligerent, trunk, refuse'],
])('accepts %s', (_, text) => {
  expect(findForbidden(text)).toEqual([])
})

it('finds nothing in this project', () => {
  expect(execFileSync(process.execPath, ['scripts/check-language.ts'], { cwd: ROOT, encoding: 'utf8' })).toBe(
    '',
  )
})
