import type { Classes } from './classes.ts'
import type { Half } from './window.ts'

/** Shares of the largest advance; enough to separate the middle, where most routes are, from the ends. */
const BUCKETS = 128

/** Numbers of partial routes: by legs, and within that by bucket of advance. */
type Histogram = Float64Array

/**
 * About how many routes of at most `maxLegs` legs there are per unit of advance around `advance`, cost and liquidity
 * left out of account. It says where to look first, and decides nothing.
 */
export function routesPerUnit(
  halves: readonly Half[],
  maxLegs: number,
  mostAdvance: number,
  advance: number,
): number {
  const width = Math.max(1, mostAdvance / (BUCKETS - 1))
  const routes = halves
    .flatMap(({ first, second }) => [first, second])
    .map((list) => histogramOf(list, maxLegs, width))
    .reduce((some, more) => combine(some, more, maxLegs))
  const near = Math.round(advance / width)
  let count = 0
  for (let at = 0; at < routes.length; at++)
    if (Math.abs((at % BUCKETS) - near) <= 1) count += routes[at] as number
  return count / (3 * width)
}

function histogramOf({ size, advance, legs }: Classes, maxLegs: number, width: number): Histogram {
  const counts = new Float64Array((maxLegs + 1) * BUCKETS)
  for (let row = 0; row < size; row++) {
    const at = (legs[row] as number) * BUCKETS + Math.round((advance[row] as number) / width)
    counts[at] = (counts[at] as number) + 1
  }
  return counts
}

function combine(a: Histogram, b: Histogram, maxLegs: number): Histogram {
  const sums = new Float64Array(a.length)
  for (let one = 0; one < a.length; one++) {
    const count = a[one] as number
    if (count === 0) continue
    const legsLeft = maxLegs - Math.floor(one / BUCKETS)
    const bucketsLeft = BUCKETS - (one % BUCKETS)
    for (let legs = 0; legs <= legsLeft; legs++) {
      for (let other = legs * BUCKETS; other < legs * BUCKETS + bucketsLeft; other++) {
        sums[one + other] = (sums[one + other] as number) + count * (b[other] as number)
      }
    }
  }
  return sums
}
