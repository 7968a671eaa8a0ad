import { expect, it } from 'vitest'
import { suffixSums } from '../../api/domain/bigint.ts'

it('sums the rest of a list from each index on, and nothing after its end', () => {
  expect(suffixSums([5n, -2n, 7n])).toEqual([10n, 5n, 7n, 0n])
  expect(suffixSums([])).toEqual([0n])
})
