import type { OptimizeInput, RouteResult } from '../../api/optimizer/index.ts'
import { readCommand } from '../../settings/command-line.ts'
import { ablate } from './ablate.ts'
import { answerOf } from './answers.ts'
import { edgeFamilies } from './edge-families.ts'
import { families, familiesOfMany, in18Decimals } from './families.ts'
import { limitedFamilies } from './limited-families.ts'
import { createMilpSolver } from './milp.ts'
import { trace } from './trace.ts'

const { values, positionals } = readCommand(
  'npm run bench:optimizer --',
  'Measures the optimizer, and compares its routes with those of a MILP solver.',
  {
    ablate: {
      type: 'boolean',
      default: false,
      meaning: 'measure what each rule saves instead; arguments: instances of each family, part of a rule',
    },
    trace: {
      type: 'boolean',
      default: false,
      meaning: 'print the nodes and bounds of one instance instead; arguments: family, seed',
    },
  },
  {
    instances: 'instances of each family; default: 100',
    'milp-instances': 'instances of each family for the MILP solver; default: 5',
    'milp-seconds': 'time of the MILP solver for each instance; default: 10',
    family:
      'part of the name of families, also of those with more claims and at the edges; default: all others',
    decimals: 'decimals of the token, 6 or 18; default: 6',
  },
)
if (values.ablate) {
  const [count = '1', rule = ''] = positionals
  await ablate(Number(count), rule)
  process.exit()
}
if (values.trace) {
  const [title = '', seed = '1'] = positionals
  await trace(title, Number(seed))
  process.exit()
}
const [instances = '100', milpInstances = '5', milpSeconds = '10', only = '', decimals = '6'] = positionals

type Timed = {
  readonly milliseconds: number
  readonly cpu: number
  readonly outcome: string
  readonly cost: number | undefined
  /** Bounds of the most that can be advanced, as a refusal proves them. */
  readonly maximum: { readonly least: number; readonly most: number } | undefined
}

function timed(input: OptimizeInput): Timed {
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  const result = answerOf(input)
  const milliseconds = performance.now() - start
  const used = process.cpuUsage(cpuBefore)
  const cpu = (used.user + used.system) / 1000
  return { milliseconds, cpu, outcome: outcomeOf(result), ...provedBy(result) }
}

function provedBy(result: RouteResult | undefined): Pick<Timed, 'cost' | 'maximum'> {
  if (result === undefined) return { cost: undefined, maximum: undefined }
  if (result.executable) return { cost: Number(result.totalCost), maximum: undefined }
  const least = Number(result.maxAchievableAdvance)
  return { cost: undefined, maximum: { least, most: least + Number(result.maxAchievableGap) } }
}

function outcomeOf(result: RouteResult | undefined): string {
  if (result === undefined) return 'exhausted'
  return result.executable ? result.approximation : 'proved none'
}

function quantile(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)
}

function tally(outcomes: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
}

const solveMilp = Number(milpInstances) > 0 ? await createMilpSolver() : undefined
console.log(
  'family | n | p50 ms | p99 ms | max ms (seed) | CPU p50 | CPU p99 | outcomes | MILP CPU p50 | MILP / ours, same instances | agree',
)
console.log('--- | --- | --- | --- | --- | --- | --- | --- | --- | --- | ---')

const measured =
  only === '' ? families : [...families, ...familiesOfMany, ...edgeFamilies, ...limitedFamilies]
for (const family of decimals === '18' ? measured.map(in18Decimals) : measured) {
  const name = `${family.name} ${family.claims}×${family.vaults}`
  if (!name.includes(only)) continue
  timed(family.make(0))
  const runs = Array.from({ length: Number(instances) }, (_, index) => timed(family.make(index + 1)))
  const sorted = runs.map((run) => run.milliseconds).sort((a, b) => a - b)
  const slowest = runs.findIndex((run) => run.milliseconds === sorted.at(-1)) + 1
  const cpu = runs.map((run) => run.cpu).sort((a, b) => a - b)
  const cpuTimes = `${quantile(cpu, 0.5)} | ${quantile(cpu, 0.99)}`
  const times = `${quantile(sorted, 0.5)} | ${quantile(sorted, 0.99)} | ${quantile(sorted, 1)} (${slowest})`
  console.log(
    `${name} | ${runs.length} | ${times} | ${cpuTimes} | ${tally(runs.map((run) => run.outcome))} | ${compareWithMilp(family.make, runs)}`,
  )
}
console.log(
  `peak resident memory of this process, MILP solver included: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
)

function compareWithMilp(make: (seed: number) => OptimizeInput, runs: readonly Timed[]): string {
  if (solveMilp === undefined) return '- | - | -'
  const answers = runs.slice(0, Number(milpInstances)).map((run, index) => {
    const answer = solveMilp(make(index + 1), Number(milpSeconds))
    const agrees =
      run.cost === undefined
        ? answer.status !== 'Optimal' && isWithin(answer.maximum, run.maximum)
        : Math.abs(answer.cost - run.cost) <= toleranceOf(run.cost)
    return {
      ratio: answer.milliseconds / run.cpu,
      milliseconds: answer.milliseconds,
      agrees,
      status: answer.status,
    }
  })
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const solved = answers.filter((answer) => answer.status === 'Optimal' || answer.status === 'Infeasible')
  const speed = middle(answers.map((answer) => answer.ratio)).toFixed(1)
  const agreeing = solved.filter((answer) => answer.agrees).length
  return `${middle(answers.map((answer) => answer.milliseconds)).toFixed(0)} | ${speed}× | ${agreeing} of ${solved.length} solved`
}

/** Units that rounding and the tolerance of the solver can make. */
function toleranceOf(amount: number): number {
  return 16 + amount * 1e-6
}

/** Whether a maximum is one that a refusal leaves possible. One that either does not have differs from nothing. */
function isWithin(maximum: number | undefined, proved: Timed['maximum']): boolean {
  if (maximum === undefined || proved === undefined) return true
  const tolerance = toleranceOf(maximum)
  return proved.least - tolerance <= maximum && maximum <= proved.most + tolerance
}
