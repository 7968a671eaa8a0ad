/** Columns of text that the desk gives to DuckDB. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textVector } from '../../explorer/src/desk/arrow.ts'

it('a column of text has each text and each null, also those that are empty', () => {
  expect([...textVector(['', null, 'é漢𝒳'])]).toEqual(['', null, 'é漢𝒳'])
  const text = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 20 }))
  fc.assert(
    fc.property(fc.array(fc.option(text), { maxLength: 40 }), (values) => {
      const vector = textVector(values)
      expect([...vector]).toEqual(values)
      expect(vector.nullCount).toBe(values.filter((value) => value === null).length)
    }),
  )
})
