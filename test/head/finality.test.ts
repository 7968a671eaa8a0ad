/** How long blocks take to become final is observed on the clock of the chain. */
import { describe, expect, it } from 'vitest'
import { createFinality } from '../../api/head/finality.ts'
import type { Header } from '../../api/head/header.ts'

const SLOT = 12n
const block = (number: bigint): Header => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  parentHash: `0x${(number - 1n).toString(16).padStart(64, '0')}`,
  timestamp: number * SLOT,
})
const branch = (from: bigint, to: bigint) =>
  Array.from({ length: Number(to - from) + 1 }, (_, place) => block(from + BigInt(place)))

describe('the observed finality', () => {
  it('is the age of the finalized block before any block was seen to become final', () => {
    expect(createFinality()(branch(1n, 80n), block(16n))).toBe(64n * SLOT)
  })

  it('is the median delay of the blocks that became final', () => {
    const observe = createFinality()
    observe(branch(1n, 95n), block(0n))
    // An epoch of 32 slots becomes final at once: its blocks waited 64 to 95 slots.
    expect(observe(branch(1n, 96n), block(32n))).toBe(80n * SLOT)
  })

  it('forgets what is long ago', () => {
    const observe = createFinality()
    observe(branch(1n, 200n), block(0n))
    observe(branch(1n, 200n), block(100n))
    for (let finalized = 101n; finalized < 400n; finalized += 1n)
      observe(branch(finalized - 5n, finalized + 2n), block(finalized))
    expect(observe(branch(395n, 402n), block(400n))).toBe(2n * SLOT)
  })
})
