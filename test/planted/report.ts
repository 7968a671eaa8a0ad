/** The share of faults that tests caught, per folder and in total. */
import type { PlantedFault } from './fault.ts'
import { plantedFaults } from './faults/index.ts'
import { type FaultResult, readResults } from './results.ts'

export const RATE_MIN = 0.95

/** Faults that change behaviour: those that can be caught. */
export const countedFaults = plantedFaults.filter(({ survives }) => survives === undefined)

/** Prints the recorded results. @returns whether at least 95 % of all faults are caught */
export function report(root: string): boolean {
  const results = readResults(root)
  const folders = Map.groupBy(countedFaults, ({ file }) => folderOf(file))
  for (const [folder, faults] of [...folders].sort()) console.log(lineOf(folder, faults, results))
  console.log(lineOf('all', countedFaults, results))
  const timedOut = [...results.values()].filter((result) => result.timedOut)
  console.log(`by the time limit of a test: ${timedOut.length}`)
  for (const { name, file } of countedFaults) {
    const { outcome = 'not measured', by } = results.get(name) ?? {}
    if (outcome !== 'caught') console.log(`${outcome}: ${file}: ${name}${by ? ` (${by})` : ''}`)
  }
  return rateOf(countedFaults, results) >= RATE_MIN
}

/** The share of these faults that are recorded as caught, 0 to 1. */
export function rateOf(faults: readonly PlantedFault[], results: ReadonlyMap<string, FaultResult>): number {
  return caughtOf(faults, results).length / faults.length
}

const caughtOf = (faults: readonly PlantedFault[], results: ReadonlyMap<string, FaultResult>) =>
  faults.filter(({ name }) => results.get(name)?.outcome === 'caught')

function lineOf(
  folder: string,
  faults: readonly PlantedFault[],
  results: ReadonlyMap<string, FaultResult>,
): string {
  const caught = caughtOf(faults, results).length
  const percent = (rateOf(faults, results) * 100).toFixed(1)
  return `${folder.padEnd(20)} ${caught} of ${faults.length} caught, ${percent} %`
}

/** `api/optimizer` of `api/optimizer/route.ts`, `src` of `src/ClaimRegistry.ts`. */
const folderOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/')
