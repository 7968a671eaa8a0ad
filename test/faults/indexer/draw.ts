/** Draws that a seed determines. */

/** `draw(n)` is a number from 0 to n - 1. */
export type Draw = (n: number) => number

/** A linear congruential generator (Numerical Recipes): sufficient to select moments, and the same on every machine. */
export function random(seed: number): Draw {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

/** Draws each value once before any of them again. */
export function deckOf<T>(values: readonly T[], draw: Draw): () => T {
  let left: T[] = []
  return () => {
    if (left.length === 0) left = [...values]
    const [drawn] = left.splice(draw(left.length), 1)
    if (drawn === undefined) throw new Error('the deck has no values')
    return drawn
  }
}
