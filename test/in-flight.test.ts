import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createInFlight } from '../api/in-flight.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Some 4 KB. */
const makeItem = () => ({ parts: Array.from({ length: 100 }, (_, i) => ({ i })) })
const CONCURRENT = 40
const ITEMS = 60_000
/** Of the 200 MB of all items. With a `Set`, 30 to 90 MB were left in eight runs; with this list, less than 0.1 MB. */
const LEFT_MAX = 5_000_000

const oldBytes = () =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0

describe('what is in flight', () => {
  it('is listed in the order in which it was added, each as often as it was', () => {
    const step = fc.record({ item: fc.integer({ min: 0, max: 5 }), isAdded: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const inFlight = createInFlight<number>()
        let expected: number[] = []
        for (const { item, isAdded } of steps) {
          const last = expected.lastIndexOf(item)
          expected = isAdded ? [...expected, item] : expected.filter((_, at) => at !== last)
          if (isAdded) inFlight.add(item)
          else inFlight.remove(item)
          expect(inFlight.has(item)).toBe(expected.includes(item))
        }
        expect(inFlight.all()).toEqual(expected)
      }),
    )
  })

  it('can be changed while a list of it is read', () => {
    const inFlight = createInFlight<number>()
    for (const item of [1, 2, 3]) inFlight.add(item)
    const read: number[] = []
    for (const item of inFlight.all()) {
      read.push(item)
      inFlight.remove(item)
    }
    expect([read, inFlight.all()]).toEqual([[1, 2, 3], []])
  })

  it('does not outlive its removal until the next full collection of garbage', () => {
    const inFlight = createInFlight<ReturnType<typeof makeItem>>()
    const items = Array.from({ length: CONCURRENT }, makeItem)
    for (const item of items) inFlight.add(item)
    // So that the first ones are old.
    collectGarbage()
    collectGarbage()
    const before = oldBytes()
    let left = 0
    for (let n = 0; n < ITEMS; n++) {
      const at = n % CONCURRENT
      const [ended] = items.splice(at, 1, makeItem())
      if (ended) inFlight.remove(ended)
      const begun = items[at]
      if (begun) inFlight.add(begun)
      if (n % 100 === 0) left = Math.max(left, oldBytes() - before)
    }
    expect(left).toBeLessThan(LEFT_MAX)
  })
})
