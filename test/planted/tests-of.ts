/** The test files that may notice a fault, the most likely first. */
import { basename, dirname, join, normalize } from 'node:path'
import type { PlacedFault } from './place.ts'
import type { Source } from './sources.ts'

/** By file: those that import it, or name it as one that they start. */
export type Importers = ReadonlyMap<string, readonly string[]>

export function readImporters(sources: readonly Source[]): Importers {
  const edges = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/['"`]([^'"`\n]+\.(?:ts|sol))['"`]/g)].flatMap(({ 1: path = '' }) => [
      { file, imports: join(dirname(file), path) },
      { file, imports: normalize(path) },
    ]),
  )
  const byImported = Map.groupBy(edges, ({ imports }) => imports)
  return new Map([...byImported].map(([imported, by]) => [imported, by.map(({ file }) => file)]))
}

/**
 * Orders the tests: first those that are named, then by the number of imports between test and fault and by the words
 * that the test's path shares with the fault's.
 * @param named base names @param all the files that `npm test` runs
 */
export function testsOf(
  importers: Importers,
  all: readonly string[],
  { name, place }: PlacedFault,
  named: readonly string[],
): string[] {
  const distances = distancesFrom(place.file, importers)
  const words = new Set(wordsOf(`${place.file} ${name}`))
  const farness = (test: string): number =>
    (distances.get(test) ?? UNREACHED) - 3 * wordsOf(test).filter((word) => words.has(word)).length
  const isNamed = (name: string) => (test: string) =>
    basename(test, '.test.ts') === basename(name, '.test.ts')
  const first = named.flatMap((name) => all.filter(isNamed(name)))
  return [...new Set([...first, ...all.toSorted((a, b) => farness(a) - farness(b))])]
}

/** The distance of a test that starts the file as a process of its own, through Ponder or a compiler. */
const UNREACHED = 10

/** By file: the least number of imports between it and `file`. */
function distancesFrom(file: string, importers: Importers): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]])
  for (const [reached, distance] of distances)
    for (const importer of importers.get(reached) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}

const wordsOf = (text: string): string[] =>
  text
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 3 && word !== 'test')
