/** The share of faults that tests caught, per folder and in total. */
import type { PlantedFault } from './fault.ts'
import { plantedFaults } from './faults/index.ts'
import { type FaultResult, readResults } from './results.ts'

export const RATE_MIN = 0.95

type Results = ReadonlyMap<string, FaultResult>

/** Faults that change behaviour: those that can be caught. */
export const countedFaults = plantedFaults.filter(({ survives }) => survives === undefined)

/** Prints the recorded results. @returns whether at least 95 % of the faults are caught */
export function report(root: string): boolean {
  const results = readResults(root)
  const folders = Map.groupBy(countedFaults, ({ file }) => folderOf(file))
  for (const [folder, faults] of [...folders].sort()) console.log(lineOf(folder, faults, results))
  console.log(lineOf('all', countedFaults, results))
  const timedOut = countedFaults.filter(({ name }) => results.get(name)?.timedOut)
  console.log(`caught by the time limit of a test: ${timedOut.length}`)
  for (const { name, file } of countedFaults) {
    const { outcome = 'not measured', by } = results.get(name) ?? {}
    if (outcome !== 'caught') console.log(`${outcome}: ${file}: ${name}${by ? ` (${by})` : ''}`)
  }
  return rateOf(countedFaults, results) >= RATE_MIN
}

/** The share of the faults that are caught, 0 to 1. One that is not measured is not caught. */
export function rateOf(faults: readonly PlantedFault[], results: Results): number {
  return withOutcome(['caught'], faults, results).length / faults.length
}

const measuredOf = (faults: readonly PlantedFault[], results: Results) =>
  withOutcome(['caught', 'survived', 'hangs'], faults, results)

function withOutcome(
  outcomes: readonly FaultResult['outcome'][],
  faults: readonly PlantedFault[],
  results: Results,
) {
  return faults.filter(({ name }) => {
    const outcome = results.get(name)?.outcome
    return outcome !== undefined && outcomes.includes(outcome)
  })
}

function lineOf(folder: string, faults: readonly PlantedFault[], results: Results): string {
  const caught = withOutcome(['caught'], faults, results).length
  const measured = measuredOf(faults, results).length
  return `${folder.padEnd(20)} ${caught} of ${measured} caught, ${faults.length - measured} not measured`
}

/** `api/optimizer` of `api/optimizer/route.ts`, `src` of `src/ClaimRegistry.ts`. */
const folderOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/')
