import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPace, EVENT_POINTS_PER_SECOND } from '../api/graphql/serve/pace.ts'

/** A clock that only waits and the test move. */
function paceOf(costs: readonly number[]) {
  let now = 0
  const move = (milliseconds: number) => {
    now += milliseconds
  }
  const paces = costs.map(() =>
    createPace({
      costOf: () => costs.reduce((sum, cost) => sum + cost, 0),
      clock: () => now,
      wait: async (milliseconds) => move(milliseconds),
    }),
  )
  return { paces, now: () => now, move }
}

it('the first event waits for nothing, and the next one as long as the points of all take', async () => {
  const { paces, now } = paceOf([EVENT_POINTS_PER_SECOND, EVENT_POINTS_PER_SECOND])
  const [pace = async () => {}] = paces
  await pace()
  expect(now()).toBe(0)
  await pace()
  expect(now()).toBe(2000)
})

it('an event after a long block waits for nothing', async () => {
  const { paces, now, move } = paceOf([EVENT_POINTS_PER_SECOND / 2])
  const [pace = async () => {}] = paces
  await pace()
  move(500)
  await pace()
  expect(now()).toBe(500)
})

it('no client has events of more points than the pace allows, and one event of each more', async () => {
  const costs = fc.array(fc.integer({ min: 1, max: 8000 }), { minLength: 1, maxLength: 20 })
  const gaps = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(costs, gaps, async (costs, gaps) => {
      const { paces, now, move } = paceOf(costs)
      let points = 0
      for (const gap of gaps) {
        move(gap)
        for (const [i, pace] of paces.entries()) {
          await pace()
          points += costs[i] ?? 0
        }
      }
      const total = costs.reduce((sum, cost) => sum + cost, 0)
      expect(points).toBeLessThanOrEqual(total + (EVENT_POINTS_PER_SECOND * now()) / 1000 + 1e-6)
    }),
    { numRuns: 200 },
  )
})
