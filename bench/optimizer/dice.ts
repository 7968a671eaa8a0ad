/** mulberry32: a small seeded generator, so that an instance is named by its family and one number. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export type Dice = {
  unit(): number
  between(low: number, high: number): number
  chance(probability: number): boolean
}

export function diceOf(random: () => number): Dice {
  return {
    unit: random,
    between: (low, high) => low + Math.floor(random() * (high - low + 1)),
    chance: (probability) => random() < probability,
  }
}
