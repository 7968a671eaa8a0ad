import { readCommand } from '../../settings/command-line.ts'
import { faultOf } from '../../test/optimizer/checks.ts'
import { answerOf } from './answers.ts'
import { manyClaimsVariant } from './many-claims-variants.ts'

const { positionals } = readCommand(
  'node bench/optimizer/refusals.ts',
  'Checks that random inputs of 13 to 20 claims end in a route or a refusal. Prints both, and processor times.',
  {},
  { instances: 'number of inputs; default: 10000', seed: 'seed of the first one; default: 1' },
)
const [instances = '10000', first = '1'] = positionals
const REPORT_EVERY = 500

const outcomes = new Map<string, number>()
const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
const times: number[] = []
let failures = 0

for (let index = 0; index < Number(instances); index++) {
  const seed = Number(first) + index
  const { variant, input } = manyClaimsVariant(seed)
  const before = process.cpuUsage()
  const result = answerOf(input)
  const { user, system } = process.cpuUsage(before)
  times.push((user + system) / 1000)
  const fault = result === undefined ? 'exhausted' : faultOf(input, result)
  if (fault !== undefined) {
    failures++
    console.log(`seed ${seed}, ${variant}: ${fault}`)
  }
  if (result === undefined) count(`${variant}: exhausted`)
  else if (result.executable) count(`${variant}: route`)
  else
    count(`${variant}: ${result.reason}, maximum ${result.maxAchievableGap === 0n ? 'proven' : 'with a gap'}`)
  if ((index + 1) % REPORT_EVERY === 0) report()
}
report()
process.exitCode = failures === 0 ? 0 : 1

function report(): void {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)
  console.log(`${times.length} instances from seed ${first}: ${failures} exhausted or at fault`)
  console.log(`processor ms: p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, max ${at(1)}`)
  console.log(`peak resident memory: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`)
  for (const [outcome, times] of [...outcomes].sort()) console.log(`  ${outcome}: ${times}`)
}
