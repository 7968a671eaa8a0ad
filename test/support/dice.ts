import type { Random } from '../../api/domain/random.ts'

/** Draws for random instances. A seed names an instance, so that one that fails can be drawn again. */
export type Dice = {
  /** From 0 to 1, exclusive. */
  unit(): number
  /** An integer; both ends are included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
}

export function diceOf(random: Random): Dice {
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
  return {
    unit: random,
    between,
    chance: (probability) => random() < probability,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
  }
}
