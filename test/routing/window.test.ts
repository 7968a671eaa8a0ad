import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { latestOf, planningWindow, preparedDeadline, userDeadline } from '../../api/routing/window.ts'

const block = { timestamp: 1_800_000_000n }
const deadlines = fc.integer({ min: 60, max: 3600 })

describe('the window that a route is planned for', () => {
  it('holds every deadline that the route can be prepared with', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -60, max: 100_000 }),
        deadlines,
        fc.integer({ min: 0, max: 119 }),
        (age, seconds, wait) => {
          const now = latestOf((Number(block.timestamp) + age) * 1000, block)
          const deadline = preparedDeadline(userDeadline(now, seconds), now + BigInt(wait))
          const { start, end } = planningWindow(block, now, seconds)
          expect(start).toBe(block.timestamp)
          expect(deadline).toBeLessThanOrEqual(end)
          expect(end - deadline).toBeLessThan(900n + 360n)
        },
      ),
    )
  })

  it('is the same whenever the request comes while the block is young', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 420n }), deadlines, (age, seconds) => {
        expect(planningWindow(block, block.timestamp + age, seconds).end).toBe(block.timestamp + 900n)
      }),
    )
  })

  it('ends a step later at the second from which the deadline could lie beyond it', () => {
    expect(planningWindow(block, block.timestamp + 481n, 300).end).toBe(block.timestamp + 900n)
    expect(planningWindow(block, block.timestamp + 481n, 420).end).toBe(block.timestamp + 1800n)
    expect(planningWindow(block, block.timestamp + 601n, 300).end).toBe(block.timestamp + 1800n)
  })
})

describe('the deadline of a prepared route', () => {
  it('is the nearer of what the user asked for and five minutes', () => {
    expect(preparedDeadline(1_060n, 1_000n)).toBe(1_060n)
    expect(preparedDeadline(1_420n, 1_000n)).toBe(1_300n)
    expect(preparedDeadline(userDeadline(1_000n, 3_600), 1_119n)).toBe(1_419n)
  })
})
