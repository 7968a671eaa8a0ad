/** Answers of the desk as CSV files. */
import { expect, it } from 'vitest'
import { csvOf } from '../../explorer/src/desk/csv.ts'

const fieldsOf = (...values: (string | null)[]) => csvOf({ columns: [], rows: [values] }).split('\r\n')[1]

it('an answer has its names and each of its rows in a line', () => {
  const columns = [{ name: 'a' }, { name: 'b, c' }]
  const rows = [
    ['1', '2'],
    [null, ''],
  ]
  expect(csvOf({ columns, rows })).toBe('a,"b, c"\r\n1,2\r\n,\r\n')
})

it('a text with a comma, a quote or a new line stands in quotes', () => {
  expect(fieldsOf('a,b', 'a"b', 'plain')).toBe('"a,b","a""b",plain')
  expect(csvOf({ columns: [], rows: [['a\nb', 'a\rb']] })).toBe('\r\n"a\nb","a\rb"\r\n')
})

it('a text that a spreadsheet would evaluate has an apostrophe in front, and a number has none', () => {
  expect(fieldsOf('=1', '+1', '-a', '@a', '\ta')).toBe("'=1,'+1,'-a,'@a,'\ta")
  expect(fieldsOf(' =1', '\u200b@a', '\uff1d1', '-1.2.3')).toBe("' =1,'\u200b@a,'\uff1d1,'-1.2.3")
  expect(fieldsOf('=a,"b"')).toBe(`"'=a,""b"""`)
  expect(fieldsOf('-1', '-1.5', '1', 'a=1')).toBe('-1,-1.5,1,a=1')
})
