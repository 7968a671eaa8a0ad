import { expect, it } from 'vitest'
import { nextDelay } from '../../indexer/service/supervise.ts'

it('waits twice as long before each further start, up to 5 s', () => {
  const delays: number[] = []
  for (let restart = 0; restart < 5; restart++) delays.push(nextDelay(delays.at(-1), 10))
  expect(delays).toEqual([1000, 2000, 4000, 5000, 5000])
})

it('begins with the first delay again after a healthy run', () => {
  expect(nextDelay(5000, 59_999)).toBe(5000)
  expect(nextDelay(5000, 60_000)).toBe(1000)
})
