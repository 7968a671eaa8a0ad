/** Text of others, such as the name of a vault, that somebody opens in a spreadsheet. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCsv } from '../../api/rest/shared/csv.ts'
import { readCsv } from './csv.ts'

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
const BLANKS = [' ', '   ', '\t', '\r', '\n', '\r\n', '\u00a0', '\u3000', '\u2028', '\v', '\f']
const INVISIBLE = ['\u0000', '\u200b', '\u200e', '\u2060', '\ufeff', '\u00ad', '\u0085']

const cellOf = (value: unknown) => readCsv(toCsv([['first', value, 'last']]))[0]?.[1]

describe('a cell', () => {
  it('that a spreadsheet would calculate is preceded by an apostrophe, also after what spreadsheets skip', () => {
    for (const sign of SIGNS) {
      for (const before of ['', ...BLANKS, ...INVISIBLE]) {
        const text = `${before}${sign}HYPERLINK("https://evil.example";A1)`
        expect(cellOf(text)).toBe(`'${text}`)
      }
    }
    for (const first of ['\t', '\r', '\n']) expect(cellOf(`${first}1`)).toBe(`'${first}1`)
  })

  it('that begins like a negative number and is none is preceded by an apostrophe', () => {
    for (const text of [
      '-1+1',
      '-1.5*A1',
      '-1 ',
      '-1\n',
      '-1.',
      '-.5',
      '-1.5.2',
      '-1e5',
      '-1,5',
      '--1',
      '-',
      '-a',
    ])
      expect(cellOf(text)).toBe(`'${text}`)
  })

  it('with half a line break in it stays one cell of one line', () => {
    for (const text of ['a\n=1', 'a\r=1', 'a\r\n=1', '\n', 'a"\n"b']) {
      const [line, ...others] = readCsv(toCsv([['first', `x${text}`, 'last']]))
      expect([line, others]).toEqual([['first', `x${text}`, 'last'], []])
    }
  })

  it('of other text is written as it is', () => {
    for (const text of [
      '',
      'a-b',
      'Vault = 1',
      ' x=1',
      "'=1",
      '"=1"',
      ',=1',
      '1e5',
      '-15',
      '-0.000015',
      '0x=',
      '2026-01-31T12:00:00Z',
    ]) {
      expect(cellOf(text)).toBe(text)
    }
  })

  it('of a number, a boolean or nothing is written as it is', () => {
    expect([-1, 0, 1.5, true, false, null, undefined].map(cellOf)).toEqual([
      '-1',
      '0',
      '1.5',
      'true',
      'false',
      '',
      '',
    ])
  })

  it('never begins with a sign after its blanks, whatever the text, and loses nothing', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom(...SIGNS, ...BLANKS, ...INVISIBLE, ',', '"', "'", 'a', '1', '.'))
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (given) => {
        const cell = cellOf(given) ?? 'no cell'
        fc.pre(!/^-\d+(\.\d+)?$/.test(given))
        expect(cell.replace(/^[\s\p{C}]+/u, '')).not.toMatch(/^[=+\-@＝＋－＠]/)
        expect([given, `'${given}`]).toContain(cell)
      }),
      { numRuns: 2000 },
    )
  })
})
