/**
 * Compares the optimizer of this checkout with that of another one, on the same inputs.
 *
 *     node bench/optimizer/compare.ts <other checkout> [instances] [family] [repetitions]
 *
 * Both run in turn in one process, and of each input the least processor time of all repetitions counts, so a busy
 * machine changes the ratio little. A ratio above 1 means that this checkout takes longer. Ends with code 1 when two
 * routes differ.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type OptimizeInput, optimizeRoute } from '../../api/optimizer/index.ts'
import { families } from './families.ts'

type Optimize = (input: OptimizeInput) => unknown

const [other, instances = '20', only = '', repetitions = '5'] = process.argv.slice(2)
if (other === undefined) throw new Error('The first argument must be the folder of another checkout')
const { optimizeRoute: optimizeOther }: { optimizeRoute: Optimize } = await import(
  pathToFileURL(resolve(other, 'api/optimizer/index.ts')).href
)

console.log(
  'family | inputs | this ms | other ms | this / other | least and greatest ratio of a tenth of the inputs',
)
console.log('--- | --- | --- | --- | --- | ---')
for (const family of families) {
  const name = `${family.name} ${family.claims}×${family.vaults}`
  if (!name.includes(only)) continue
  const pairs = Array.from({ length: Number(instances) }, (_, index) => measure(family.make(index + 1)))
  const ratios = pairs.map((pair) => pair.own / pair.other).sort((a, b) => a - b)
  const own = sum(pairs.map((pair) => pair.own))
  const others = sum(pairs.map((pair) => pair.other))
  const tenths = [0.1, 0.9].map((share) => (ratios[Math.floor(share * ratios.length)] ?? 0).toFixed(2))
  console.log(
    [
      name,
      pairs.length,
      own.toFixed(0),
      others.toFixed(0),
      (own / others).toFixed(3),
      tenths.join(' to '),
    ].join(' | '),
  )
}

/** Milliseconds of processor time for one input, by both. */
function measure(input: OptimizeInput): { own: number; other: number } {
  const times = { own: Number.POSITIVE_INFINITY, other: Number.POSITIVE_INFINITY }
  for (let round = 0; round < Number(repetitions); round += 1) {
    // Which of them runs first changes each time: the first one pays for what both use.
    const first = round % 2 === 0 ? timed(optimizeRoute, input) : timed(optimizeOther, input)
    const second = round % 2 === 0 ? timed(optimizeOther, input) : timed(optimizeRoute, input)
    const [own, others] = round % 2 === 0 ? [first, second] : [second, first]
    if (!isDeepStrictEqual(own.result, others.result)) {
      console.log('The two answer differently:', own.result, others.result)
      process.exitCode = 1
    }
    times.own = Math.min(times.own, own.milliseconds)
    times.other = Math.min(times.other, others.milliseconds)
  }
  return times
}

function timed(optimize: Optimize, input: OptimizeInput): { milliseconds: number; result: unknown } {
  const before = process.cpuUsage()
  const result = resultOf(optimize, input)
  const { user, system } = process.cpuUsage(before)
  return { milliseconds: (user + system) / 1000, result }
}

/** An input that the search gives up on has the name of the error as its result. */
function resultOf(optimize: Optimize, input: OptimizeInput): unknown {
  try {
    return optimize(input)
  } catch (error) {
    return error instanceof Error ? error.name : error
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
