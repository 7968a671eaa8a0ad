import { expect, it } from 'vitest'
import { createConcurrencyLimit } from '../../api/limits/concurrency-limit.ts'

it('work of a larger amount takes that much room, up to the last unit, and gives all of it back', () => {
  const { tryAcquire, amountOf } = createConcurrencyLimit()
  const take = (amount: number) => tryAcquire([{ key: 'cost', max: 10, amount }])
  const release = take(7)
  expect([take(4), amountOf('cost')]).toEqual([undefined, 7])
  expect(take(3)).toBeDefined()
  expect(amountOf('cost')).toBe(10)
  release?.()
  expect([amountOf('cost'), amountOf('another')]).toEqual([3, 0])
})
