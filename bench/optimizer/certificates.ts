import type { OptimizeInput } from '../../api/optimizer/index.ts'
import { leastCostOf } from '../../packages/client/src/certificate.ts'
import { readCommand } from '../../settings/command-line.ts'
import { presented } from '../../test/optimizer/presented-certificate.ts'
import { answerOf } from './answers.ts'
import { edgeFamilies } from './edge-families.ts'
import { families, familiesOfMany, largestMarket } from './families.ts'

const { positionals } = readCommand(
  'node bench/optimizer/certificates.ts',
  'Prints how near to the cost of a route its certificate comes, its size, and the processor times of making and checking it.',
  {},
  {
    instances: 'instances of each family; default: 10',
    family: 'only families whose name has this text; default: all',
  },
)
const [instances = '10', only = ''] = positionals

/** The distance is a share of the advance, in basis points. */
type Run = {
  readonly distance: number
  readonly bytes: number
  readonly multiplierBytes: number
  readonly made: number
  readonly checked: number
}

/** Undefined for an input without a route. */
function run(input: OptimizeInput): Run | undefined {
  const route = timed(() => answerOf(input))
  const { result, milliseconds } = timed(() => answerOf({ ...input, certify: true }))
  if (!result?.executable || result.explanation.certificate === undefined) return undefined
  const certificate = presented(input, result.explanation.certificate)
  const check = timed(() => leastCostOf(certificate, input.targetAdvance))
  if (check.result > result.totalCost) throw new Error('A certificate proves more than the cost of its route')
  return {
    distance: (Number(result.totalCost - check.result) / Number(result.totalAdvance)) * 10_000,
    bytes: JSON.stringify(certificate).length,
    multiplierBytes: JSON.stringify([certificate.multiplier, ...certificate.vaults.map((v) => v.multiplier)])
      .length,
    made: milliseconds - route.milliseconds,
    checked: check.milliseconds,
  }
}

function timed<T>(work: () => T): { readonly result: T; readonly milliseconds: number } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { result, milliseconds: (user + system) / 1000 }
}

const most = (values: readonly number[]): string => Math.max(0, ...values).toFixed(1)

const HEADINGS = [
  'family',
  'routes',
  'within 1 bps',
  'within 10 bps',
  'most bps',
  'bytes most',
  'bytes of multipliers most',
  'CPU to make, most',
  'to check, most',
]
console.log(`${HEADINGS.join(' | ')}\n${HEADINGS.map(() => '---').join(' | ')}`)
for (const { name, claims, vaults, make } of [
  ...families,
  ...familiesOfMany,
  ...edgeFamilies,
  largestMarket,
]) {
  const title = `${name} ${claims}×${vaults}`
  if (!title.includes(only)) continue
  const runs = Array.from({ length: Number(instances) }, (_, index) => run(make(index + 1)))
  const all = runs.filter((one) => one !== undefined)
  console.log(
    [
      title,
      all.length,
      all.filter(({ distance }) => distance <= 1).length,
      all.filter(({ distance }) => distance <= 10).length,
      most(all.map(({ distance }) => distance)),
      most(all.map(({ bytes }) => bytes)),
      most(all.map(({ multiplierBytes }) => multiplierBytes)),
      most(all.map(({ made }) => made)),
      most(all.map(({ checked }) => checked)),
    ].join(' | '),
  )
}
