import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { latestOf } from '../../api/domain/window.ts'
import {
  planningWindow,
  preparedDeadline,
  refuseLatePlan,
  userDeadline,
} from '../../api/routing/planning-window.ts'
import { code } from '../support/coded.ts'

const block = { number: 7n, timestamp: 1_800_000_000n }
const DELAY = 1320
const deadlines = fc.integer({ min: 60, max: 3600 })
/** Milliseconds by the clock of a gateway when the block is `age` seconds old. */
const clockAt = (age: number) => (Number(block.timestamp) + age) * 1000

describe('the window that a route is planned for', () => {
  it('holds every deadline that the route can be prepared with, whatever the clock, or the plan is refused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -86_400, max: DELAY }),
        fc.integer({ min: 0, max: 999 }),
        deadlines,
        fc.integer({ min: 0, max: 119 }),
        (age, milliseconds, seconds, wait) => {
          const clock = clockAt(age) + milliseconds
          refuseLatePlan(block, DELAY, clock)
          const now = latestOf(clock, block)
          const user = userDeadline(now, seconds)
          const { start, end } = planningWindow(block, DELAY, seconds)
          expect(start).toBe(block.timestamp)
          expect(user).toBeLessThanOrEqual(end)
          expect(preparedDeadline(user, now + BigInt(wait), block)).toBeLessThanOrEqual(end)
        },
      ),
    )
  })

  it('is tight: the deadline of a route that is stored at the last second allowed is its end', () => {
    fc.assert(
      fc.property(deadlines, (seconds) => {
        const now = latestOf(clockAt(DELAY) + 999, block)
        expect(userDeadline(now, seconds)).toBe(planningWindow(block, DELAY, seconds).end)
      }),
    )
  })

  it('ends no later for a deadline than the route can ever have: 120 s to prepare it and 300 s from then', () => {
    expect(planningWindow(block, DELAY, 60).end).toBe(block.timestamp + 1380n)
    expect(planningWindow(block, DELAY, 420).end).toBe(block.timestamp + 1740n)
    expect(planningWindow(block, DELAY, 3600).end).toBe(block.timestamp + 1740n)
  })

  it('is refused from the second on in which the block is older than the bound', () => {
    refuseLatePlan(block, DELAY, clockAt(DELAY) + 999)
    expect(code(() => refuseLatePlan(block, DELAY, clockAt(DELAY + 1)))).toBe('CHAIN_BEHIND')
  })
})

describe('the deadline of a prepared route', () => {
  const at = { timestamp: 1_000n }

  it('is the nearer of what the user asked for and five minutes', () => {
    expect(preparedDeadline(1_060n, 1_000n, at)).toBe(1_060n)
    expect(preparedDeadline(1_420n, 1_000n, at)).toBe(1_300n)
    expect(preparedDeadline(userDeadline(1_000n, 3_600), 1_119n, at)).toBe(1_419n)
  })

  it('is at most what the router accepts in the pinned block and in every later one, however old that block is', () => {
    expect(preparedDeadline(9_000n, 8_900n, at)).toBe(4_600n)
  })
})
