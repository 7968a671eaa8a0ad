/** The nearest of several names, to correct one that is not known. */

/** @param names at least one */
export function nearestOf(name: string, names: Iterable<string>): { nearest: string; distance: number } {
  const found = Array.from(names, (nearest) => ({ nearest, distance: distanceOf(name, nearest) }))
  return found.reduce((best, one) => (one.distance < best.distance ? one : best))
}

/** The number of letters to insert, remove or replace (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
