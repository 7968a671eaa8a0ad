/** Draws that a seed determines. */
import { seededRandom } from '../../../api/domain/random.ts'

/** `draw(n)` is a number from 0 to n - 1. */
export type Draw = (n: number) => number

export function random(seed: number): Draw {
  const next = seededRandom(seed)
  return (n) => Math.floor(next() * n)
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
