/**
 * Compares the optimizer of this checkout with that of another one, on the same inputs.
 *
 *     node bench/optimizer/compare.ts <other checkout> [instances] [family] [repetitions]
 *
 * Both run in turn in one process, and of each input the least processor time of all repetitions counts, so a busy
 * machine changes the ratio little. A ratio above 1 means that this checkout takes longer. Ends with code 1 when a
 * route costs more here, a proof is lost, a gap is wider by a basis point of the cost, or one of both refuses or ends
 * without an answer where the other does not.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type OptimizeInput, optimizeRoute } from '../../api/optimizer/index.ts'
import { type Answer, answerOf, costOf, isProven } from './answers.ts'
import { edgeFamilies } from './edge-families.ts'
import { families, familiesOfMany } from './families.ts'

type Optimize = (input: OptimizeInput) => Answer

const [other, instances = '20', only = '', repetitions = '5'] = process.argv.slice(2)
if (other === undefined) throw new Error('The first argument must be the folder of another checkout')
const { optimizeRoute: optimizeOther }: { optimizeRoute: Optimize } = await import(
  pathToFileURL(resolve(other, 'api/optimizer/index.ts')).href
)

const HEADINGS = [
  'family',
  'inputs',
  'this ms',
  'other ms',
  'this / other',
  'least and greatest ratio of a tenth of the inputs',
  'answers that differ',
  'more expensive',
  'cheaper',
  'proofs lost',
  'won',
  'gaps wider',
  'other kinds of answer',
]
console.log(`${HEADINGS.join(' | ')}\n${HEADINGS.map(() => '---').join(' | ')}`)
for (const family of [...families, ...familiesOfMany, ...edgeFamilies]) {
  const name = `${family.name} ${family.claims}×${family.vaults}`
  if (!name.includes(only)) continue
  const pairs = Array.from({ length: Number(instances) }, (_, index) => measure(family.make(index + 1)))
  const ratios = pairs.map(({ here, there }) => here.milliseconds / there.milliseconds).sort((a, b) => a - b)
  const own = sum(pairs.map(({ here }) => here.milliseconds))
  const others = sum(pairs.map(({ there }) => there.milliseconds))
  const tenths = [0.1, 0.9].map((share) => (ratios[Math.floor(share * ratios.length)] ?? 0).toFixed(2))
  const count = (holds: (here: Answer, there: Answer) => boolean): number =>
    pairs.filter(({ here, there }) => holds(here.answer, there.answer)).length
  const costlier = count((here, there) => isRoute(here) && isRoute(there) && costOf(here) > costOf(there))
  const lost = count((here, there) => isProven(there) && !isProven(here))
  const wider = count((here, there) => gapOf(here) > gapOf(there) + 1)
  const kinds = count((here, there) => here?.executable !== there?.executable)
  console.log(
    [
      name,
      pairs.length,
      own.toFixed(0),
      others.toFixed(0),
      (own / others).toFixed(3),
      tenths.join(' to '),
      count((here, there) => !isDeepStrictEqual(here, there)),
      costlier,
      count((here, there) => isRoute(here) && isRoute(there) && costOf(here) < costOf(there)),
      lost,
      count((here, there) => isProven(here) && !isProven(there)),
      wider,
      kinds,
    ].join(' | '),
  )
  if (costlier + lost + wider + kinds > 0) process.exitCode = 1
}

function isRoute(answer: Answer): boolean {
  return answer?.executable === true
}

/** By how much a route can cost more than the best one, in basis points of its cost; 0 without a route. */
function gapOf(answer: Answer): number {
  if (!answer?.executable || answer.totalCost === 0n) return 0
  return (Number(answer.explanation.provenGap) / Number(answer.totalCost)) * 10_000
}

type Timed = { readonly milliseconds: number; readonly answer: Answer }

/** The answers of both to one input, and the least milliseconds of processor time of each. */
function measure(input: OptimizeInput): { here: Timed; there: Timed } {
  const rounds = Array.from({ length: Number(repetitions) }, (_, round) => {
    // Which of them runs first changes each time: the first one pays for what both use.
    if (round % 2 === 0) return { here: timed(optimizeRoute, input), there: timed(optimizeOther, input) }
    const there = timed(optimizeOther, input)
    return { here: timed(optimizeRoute, input), there }
  })
  return {
    here: rounds.map(({ here }) => here).reduce(faster),
    there: rounds.map(({ there }) => there).reduce(faster),
  }
}

function faster(a: Timed, b: Timed): Timed {
  return b.milliseconds < a.milliseconds ? b : a
}

function timed(optimize: Optimize, input: OptimizeInput): Timed {
  const before = process.cpuUsage()
  const answer = answerOf(input, optimize)
  const { user, system } = process.cpuUsage(before)
  return { milliseconds: (user + system) / 1000, answer }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
