import { expect, it } from 'vitest'
import { nextDelay } from '../../indexer/service/supervise.ts'

const BACK_OFF = { firstMs: 1000, longestMs: 30_000, healthyMs: 60_000 }

it('waits twice as long before each further start, up to the longest delay', () => {
  const delays: number[] = []
  for (let restart = 0; restart < 7; restart++) delays.push(nextDelay(BACK_OFF, delays.at(-1), 10))
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

it('begins with the first delay again after a healthy run', () => {
  expect(nextDelay(BACK_OFF, 30_000, 59_999)).toBe(30_000)
  expect(nextDelay(BACK_OFF, 30_000, 60_000)).toBe(1000)
})
