import { seededRandom } from '../../api/domain/random.ts'

/**
 * A small seeded generator, the same on every machine: integers only. Each use takes a stream of its own (`label`), so
 * that drawing more in one place changes nothing elsewhere.
 */
export type Random = {
  /** Uniform in `0 … bound - 1`. */
  below: (bound: number) => number
  /** Uniform in `low … high`, both included. */
  between: (low: number, high: number) => number
  /** True in `percent` of 100 cases. */
  chance: (percent: number) => boolean
  pick: <Item>(items: readonly Item[]) => Item
}

export function createRandom(seed: number, label: string): Random {
  const next = seededRandom(seed ^ fnv1a(label))
  const below = (bound: number) => Number((BigInt(next() * 2 ** 32) * BigInt(bound)) >> 32n)
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (percent) => below(100) < percent,
    pick: (items) => at(items, below(items.length)),
  }
}

/** The element at `index`; throws where a list is too short, which is a bug of the caller. */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`no element ${index} in a list of ${items.length}`)
  return item
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
