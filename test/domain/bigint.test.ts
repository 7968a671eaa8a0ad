import { expect, it } from 'vitest'
import { compare, least, suffixSums } from '../../api/domain/bigint.ts'

it('sums the rest of a list from each index on, and nothing after its end', () => {
  expect(suffixSums([5n, -2n, 7n])).toEqual([10n, 5n, 7n, 0n])
  expect(suffixSums([])).toEqual([0n])
})

it('finds the smallest of a list, and none in an empty one', () => {
  expect(least([3n, -2n, 7n, -2n])).toBe(-2n)
  expect(least([])).toBeUndefined()
})

it('compares numbers by value and texts by code unit', () => {
  expect([9n, 10n, -1n].toSorted(compare)).toEqual([-1n, 9n, 10n])
  expect(['b', 'B', '10', '9'].toSorted(compare)).toEqual(['10', '9', 'B', 'b'])
  expect([compare(1, 1), compare('a', 'a'), compare(2n, 2n)]).toEqual([0, 0, 0])
})
