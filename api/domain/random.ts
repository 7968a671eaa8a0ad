/** Random numbers that a seed determines, the same on every machine: for samples and test data, not for security. */

/** Numbers in [0, 1), each a multiple of 2^-32. */
export type Random = () => number

/** Tommy Ettinger's mulberry32: 32 bits of state. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws an integer from `from` to `to`, both included. */
export function drawBetween(random: Random, from: bigint, to: bigint): bigint {
  return from + BigInt(Math.floor(random() * Number(to - from + 1n)))
}
