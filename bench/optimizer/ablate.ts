import type { OptimizeInput } from '../../api/optimizer/index.ts'
import { faultOf } from '../../test/optimizer/checks.ts'
import { type Answer, costOf, isProven } from './answers.ts'
import { type Change, createChangedCopy } from './changed-copy.ts'
import { edgeFamilies } from './edge-families.ts'
import { type Family, families, familiesOfMany } from './families.ts'
import { rules } from './rules.ts'

/** Counts the steps of all budgets. */
const COUNT_STEPS: readonly Change[] = [
  {
    in: 'isSpent',
    find: 'budget.steps <= 0',
    replace: 'budget.steps <= 0\nexport const spent = { steps: 0 }',
  },
  {
    in: 'spend',
    find: 'budget.steps -= STEPS[kind] * amount',
    replace: 'budget.steps -= STEPS[kind] * amount\n  spent.steps += STEPS[kind] * amount',
  },
]

/** Ends at the limit with and without any rule. */
const isHopeless = ({ name }: Family): boolean => /^fixed lots(?! per)|^subset sums/.test(name)

const HEADINGS = ['without', 'proofs lost', 'won', 'steps ×', 'most ×', 'more expensive', 'exhausted more']

/** Prints what each rule saves: all instances once more without it. */
export async function ablate(instances: number, only: string): Promise<void> {
  const inputs = [...families, ...familiesOfMany, ...edgeFamilies]
    .filter((family) => !isHopeless(family))
    .flatMap(({ make }) => Array.from({ length: instances }, (_, index) => make(index + 1)))
  const whole = await runsOf([], inputs)
  console.log(
    `${inputs.length} instances, ${whole.filter(({ result }) => isProven(result)).length} proofs with all rules`,
  )
  console.log(`${HEADINGS.join(' | ')}\n${HEADINGS.map(() => '---').join(' | ')}`)
  for (const { name, off } of rules) {
    if (name.includes(only))
      console.log(`${name} | ${comparison(whole, await runsOf([off], inputs)).join(' | ')}`)
  }
}

type Run = { readonly steps: number; readonly result: Answer }

async function runsOf(changes: readonly Change[], inputs: readonly OptimizeInput[]): Promise<Run[]> {
  const copy = await createChangedCopy([...COUNT_STEPS, ...changes])
  const { spent }: { spent: { steps: number } } = await copy.load('model/work-budget.ts')
  const runs = inputs.map((input) => {
    const before = spent.steps
    const result = copy.resultOf(input)
    const fault = result && faultOf(input, result)
    if (fault !== undefined) throw new Error(fault)
    return { steps: spent.steps - before, result }
  })
  copy.remove()
  return runs
}

function comparison(whole: readonly Run[], without: readonly Run[]): (number | string)[] {
  const pairs = whole.map((run, index) => ({ run, other: without[index] ?? run }))
  const count = (holds: (run: Run, other: Run) => boolean): number =>
    pairs.filter(({ run, other }) => holds(run, other)).length
  const total = (runs: readonly Run[]): number => runs.reduce((sum, { steps }) => sum + steps, 0)
  const ratios = pairs.map(({ run, other }) => other.steps / Math.max(run.steps, 1))
  return [
    count((run, other) => isProven(run.result) && !isProven(other.result)),
    count((run, other) => !isProven(run.result) && isProven(other.result)),
    (total(without) / total(whole)).toFixed(2),
    Math.max(...ratios).toFixed(1),
    count((run, other) => costOf(other.result) > costOf(run.result)),
    count(({ result }, other) => result !== undefined && other.result === undefined),
  ]
}
