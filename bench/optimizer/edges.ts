import type { OptimizeInput, RouteResult } from '../../api/optimizer/index.ts'
import { readCommand } from '../../settings/command-line.ts'
import { faultOf } from '../../test/optimizer/checks.ts'
import { answerOf } from './answers.ts'
import { edgeFamilies } from './edge-families.ts'
import { limitedFamilies } from './limited-families.ts'

const { positionals } = readCommand(
  'node bench/optimizer/edges.ts',
  'Prints what each family at the edge of the proofs ends in: gaps of routes in basis points of the cost, and processor times.',
  {},
  {
    instances: 'instances of each family; default: 32',
    family: 'only families whose name has this text; default: all',
  },
)
const [instances = '32', only = ''] = positionals

type Run = { readonly seed: number; readonly cpu: number; readonly result: RouteResult | undefined }

function run(input: OptimizeInput, seed: number): Run {
  const before = process.cpuUsage()
  const result = answerOf(input)
  const { user, system } = process.cpuUsage(before)
  const fault = result && faultOf(input, result)
  if (fault !== undefined) throw new Error(`seed ${seed}: ${fault}`)
  return { seed, cpu: (user + system) / 1000, result }
}

/** In basis points; a route without cost has no gap. */
function gapOf(result: RouteResult | undefined): number[] {
  if (!result?.executable || result.explanation.provenGap === 0n) return []
  return [(Number(result.explanation.provenGap) / Number(result.totalCost)) * 10_000]
}

function isRefusalWithGap(result: RouteResult | undefined): boolean {
  if (result === undefined || result.executable) return false
  return result.maxAchievableGap > 0n || (result.bestFeasiblePartial?.provenGap ?? 0n) > 0n
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

const HEADINGS = [
  'family',
  'routes',
  'gaps',
  'gap p50',
  'gap most',
  'refused',
  'of them with a gap',
  'exhausted',
  'CPU p50',
  'p90',
  'most (seed)',
]
console.log(HEADINGS.join(' | '))
console.log(HEADINGS.map(() => '---').join(' | '))
for (const { name, claims, vaults, make } of [...edgeFamilies, ...limitedFamilies]) {
  const title = `${name} ${claims}×${vaults}`
  if (!title.includes(only)) continue
  const runs = Array.from({ length: Number(instances) }, (_, index) => run(make(index + 1), index + 1))
  const results = runs.map(({ result }) => result)
  const gaps = results.flatMap(gapOf)
  const times = runs.map(({ cpu }) => cpu)
  const slowest = runs.reduce((most, one) => (one.cpu > most.cpu ? one : most))
  console.log(
    [
      title,
      results.filter((result) => result?.executable).length,
      gaps.length,
      quantile(gaps, 0.5).toPrecision(3),
      quantile(gaps, 1).toPrecision(3),
      results.filter((result) => result?.executable === false).length,
      results.filter(isRefusalWithGap).length,
      results.filter((result) => result === undefined).length,
      quantile(times, 0.5).toFixed(0),
      quantile(times, 0.9).toFixed(0),
      `${slowest.cpu.toFixed(0)} (${slowest.seed})`,
    ].join(' | '),
  )
}
