import { greedyRoute } from '../../api/optimizer/greedy.ts'
import type { RouteResult } from '../../api/optimizer/index.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import { boundsOf } from '../../api/optimizer/model/goal.ts'
import type { OptimizeInput } from '../../api/optimizer/model/types.ts'
import { answerOf } from './answers.ts'
import { familiesOfMany } from './families.ts'

/**
 * Usage: node bench/optimizer/beyond-greedy.ts [instances per family] [family]: routes of 16 and 20 claims against the
 * specification's fill. Prints how much cheaper they are, in basis points of the advance, how many are proven the best,
 * and the processor time in milliseconds.
 */
const [instances = '200', only = ''] = process.argv.slice(2)
const MAX_LEGS = 8

type Measured = {
  readonly cpu: number
  readonly result: RouteResult | undefined
  readonly saved: number | undefined
}

function measured(input: OptimizeInput): Measured {
  const before = process.cpuUsage()
  const result = answerOf(input)
  const { user, system } = process.cpuUsage(before)
  const filled = greedyRoute(buildProblem(input), boundsOf(input, MAX_LEGS))
  const saved =
    result?.executable && filled !== undefined
      ? Number(((filled.cost - result.totalCost) * 1_000_000n) / input.targetAdvance) / 100
      : undefined
  return { cpu: (user + system) / 1000, result, saved }
}

function quantiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return [0.5, 0.9, 0.99, 1].map((share) => at(share).toFixed(1)).join(' | ')
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined

console.log(
  'family | n | cheaper p50 | p90 | p99 | most | CPU p50 | p90 | p99 | most | routes | gap 0 | without a fill | refused | exhausted',
)
console.log('--- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | ---')
for (const { name, claims, vaults, make } of familiesOfMany) {
  const title = `${name} ${claims}×${vaults}`
  if (!title.includes(only)) continue
  const runs = Array.from({ length: Number(instances) }, (_, index) => measured(make(index + 1)))
  const routes = runs
    .map(({ result }) => result)
    .filter(isDefined)
    .filter((result) => result.executable)
  const saved = runs.map((run) => run.saved).filter(isDefined)
  const proven = routes.filter(({ explanation }) => explanation.provenGap === 0n).length
  const exhausted = runs.filter(({ result }) => result === undefined).length
  const refused = runs.length - routes.length - exhausted
  const times = quantiles(runs.map(({ cpu }) => cpu))
  console.log(
    `${title} | ${runs.length} | ${quantiles(saved)} | ${times} | ${routes.length} | ${proven} | ${routes.length - saved.length} | ${refused} | ${exhausted}`,
  )
}
