import { EXACT_SUM_ERROR } from '../model/tolerances.ts'
import { spend } from '../model/work-budget.ts'
import { complete, mostGain, newCompletion, payingClaims } from './completion.ts'
import type { CostsOf, Pattern } from './patterns.ts'
import type { Shape } from './shape.ts'
import { eachDisjoint } from './subsets.ts'
import { countBits, type ExactTables, type Workspace } from './workspace.ts'

/**
 * A whole number is kept as high * RADIX + low, with 0 <= low < RADIX: two doubles that hold 93 bits exactly, and are
 * added and compared without making an object of every sum.
 */
const RADIX_BITS = 40n
const RADIX = 2 ** 40
export const EXACT_BITS = 93

const highOf = (reducedCost: bigint): number => Number(reducedCost >> RADIX_BITS)
const lowOf = (reducedCost: bigint): number => Number(reducedCost & (BigInt(RADIX) - 1n))

/** The least reduced cost over every assignment, to the last digit; undefined when there is none. */
export function exactMinimum(
  shape: Shape,
  reducedCosts: CostsOf<bigint>,
  space: Workspace,
): bigint | undefined {
  const { exact } = space.tables
  const size = 1 << shape.width
  exact.high.fill(Number.POSITIVE_INFINITY, 0, size)
  exact.high[0] = 0
  exact.low[0] = 0
  exact.reached[0] = 0
  let count = 1
  for (const [vault, patterns] of reducedCosts.patterns.entries()) {
    exact.highBefore.set(exact.high.subarray(0, size))
    exact.lowBefore.set(exact.low.subarray(0, size))
    exact.reachedBefore.set(exact.reached.subarray(0, count))
    const sets = exact.reachedBefore.subarray(0, count)
    if ((shape.vaults[vault]?.legs.least ?? 0) > 0) {
      exact.high.fill(Number.POSITIVE_INFINITY, 0, size)
      count = 0
    }
    for (const pattern of patterns) count = addPattern(shape, pattern, sets, count, space)
  }
  return leastCompleted(shape, reducedCosts.free, count, space)
}

function addPattern(
  shape: Shape,
  pattern: Pattern<bigint>,
  sets: Uint16Array,
  reachedSoFar: number,
  { budget, tables: { exact } }: Workspace,
): number {
  const { mask, members, reducedCost } = pattern
  const { high, low, highBefore, lowBefore, reached } = exact
  const [ownHigh, ownLow] = [highOf(reducedCost), lowOf(reducedCost)]
  const room = shape.maxLegs - members.length
  let count = reachedSoFar
  eachDisjoint(shape, pattern, sets, budget, (set) => {
    const lowSum = (lowBefore[set] as number) + ownLow
    const carry = lowSum >= RADIX ? 1 : 0
    const newHigh = (highBefore[set] as number) + ownHigh + carry
    const newLow = lowSum - carry * RADIX
    const grown = set | mask
    const known = high[grown] as number
    if (newHigh > known || (newHigh === known && newLow >= (low[grown] as number))) return
    if (newHigh === Number.POSITIVE_INFINITY || countBits(set) > room) return
    if (known === Number.POSITIVE_INFINITY) reached[count++] = grown
    high[grown] = newHigh
    low[grown] = newLow
  })
  return count
}

/** Sets that doubles prove to have a higher reduced cost are skipped; the others are added up in bigint. */
function leastCompleted(
  shape: Shape,
  free: CostsOf<bigint>['free'],
  count: number,
  { budget, tables: { exact } }: Workspace,
): bigint | undefined {
  const paying = payingClaims(free)
  // Which claims complete a set depends on their order and on the signs of their reduced costs, and doubles keep both.
  const rough = free.map((own) => (own === undefined ? Number.POSITIVE_INFINITY : Number(own)))
  const gain = mostGain(rough)
  const completion = newCompletion()
  let least: bigint | undefined
  spend(budget, 'set', count)
  let completed = 0
  for (let index = 0; index < count; index++) {
    const served = exact.reached[index] as number
    const base = (exact.high[served] as number) * RADIX + (exact.low[served] as number)
    if (least !== undefined && isAbove(base, gain, Number(least))) continue
    completed++
    complete(shape, rough, paying, served, completion)
    if (completion.reducedCost === Number.POSITIVE_INFINITY) continue
    const total = exactly(exact, served) + sumOf(free, completion.taken)
    if (least === undefined || total < least) least = total
  }
  spend(budget, 'completion', completed)
  return least
}

const isAbove = (base: number, gain: number, least: number): boolean =>
  base + gain - EXACT_SUM_ERROR * (Math.abs(base) + Math.abs(gain) + Math.abs(least)) > least

const exactly = ({ high, low }: ExactTables, set: number): bigint =>
  (BigInt(high[set] as number) << RADIX_BITS) + BigInt(low[set] as number)

const sumOf = (free: CostsOf<bigint>['free'], taken: number): bigint =>
  free.reduce<bigint>((sum, own = 0n, claim) => ((taken & (1 << claim)) === 0 ? sum : sum + own), 0n)
