import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  blockOfOrdinal,
  type EventRow,
  firstOrdinalOf,
  firstRowOf,
  logIndexOfOrdinal,
  ordinalOf,
} from '../../api/domain/ordinal.ts'

const BLOCK_MAX = 2n ** 39n - 1n
const LOG_MAX = 2n ** 22n - 1n
const anyPlace = fc.tuple(
  fc.oneof(fc.bigInt(0n, BLOCK_MAX), fc.bigInt(0n, 3n), fc.constant(BLOCK_MAX)),
  fc.oneof(fc.bigInt(0n, LOG_MAX), fc.bigInt(0n, 3n), fc.constant(LOG_MAX)),
  fc.constantFrom<EventRow[]>(0n, 1n),
)

describe('ordinals', () => {
  it('are in the order of blocks, logs and rows', () => {
    const differing = ([a, b]: readonly (readonly bigint[])[]) => a?.find((part, i) => part !== b?.[i])
    fc.assert(
      fc.property(anyPlace, anyPlace, (one, other) => {
        const isLess = one.reduce((order, part, i) => order || Number(part - (other[i] ?? 0n)), 0)
        const difference = ordinalOf(...one) - ordinalOf(...other)
        expect(Math.sign(Number(difference))).toBe(Math.sign(isLess))
        expect(differing([one, other]) === undefined).toBe(difference === 0n)
      }),
    )
  })

  it('state their place', () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        const ordinal = ordinalOf(...place)
        const [block, logIndex] = place
        expect([blockOfOrdinal(ordinal), logIndexOfOrdinal(ordinal)]).toEqual([block, logIndex])
        expect(firstRowOf(ordinal)).toBe(ordinalOf(block, logIndex))
        expect(ordinal).toBeGreaterThanOrEqual(firstOrdinalOf(block))
        expect(ordinal).toBeLessThan(firstOrdinalOf(block + 1n))
      }),
    )
  })

  it('fit 64 bits with a sign, or do not exist', () => {
    expect(ordinalOf(BLOCK_MAX, LOG_MAX, 1n)).toBe(2n ** 62n - 1n)
    expect(() => ordinalOf(BLOCK_MAX + 1n, 0n)).toThrow(RangeError)
    expect(() => ordinalOf(0n, LOG_MAX + 1n)).toThrow(RangeError)
    expect(firstOrdinalOf(2n ** 64n)).toBe(2n ** 63n - 1n)
  })
})
