import { type SplitBudget, splitSteps, takeSteps } from '../model/work-budget.ts'
import type { Purchase } from './buy.ts'
import { type Curve, reachOf } from './curve.ts'

/** Maximum steps of the innermost loop. Up to this number, a table decides a purchase faster than the search. */
const TABLE_STEPS = 200_000

/** Whether a table can hold all costs up to the ceiling. */
export function fitsTable(curves: readonly Curve[], ceiling: bigint): boolean {
  const spare = spareOf(curves, ceiling)
  if (spare < 0n || spare > TABLE_STEPS) return false
  return reachOf(curves) <= Number.MAX_SAFE_INTEGER && stepsOf(curves, Number(spare) + 1) <= TABLE_STEPS
}

/**
 * Returns the cheapest purchase of at least `need` for at most `ceiling`, by dynamic programming over the cost.
 * Undefined if none exists, which is proven unless a curve marks the work inconclusive. With small amounts, the result
 * depends on rounding, which the bounds of the search ignore.
 */
export function purchaseByTable(
  curves: readonly Curve[],
  need: bigint,
  ceiling: bigint,
  work: SplitBudget,
): Purchase | undefined {
  const size = Number(spareOf(curves, ceiling)) + 1
  takeSteps(work, splitSteps(stepsOf(curves, size)))
  const layers = curves.map((curve) => valuesOf(curve, widthOf(curve, size)))
  return trace(curves, fill(layers, size), Number(need))
}

const spareOf = (curves: readonly Curve[], ceiling: bigint): bigint =>
  curves.reduce((spare, { costLo }) => spare - costLo, ceiling)

/** Returns the number of costs of a curve that are within the table. */
const widthOf = ({ costLo, costHi }: Curve, size: number): number =>
  Math.min(Number(costHi - costLo) + 1, size)

const stepsOf = (curves: readonly Curve[], size: number): number =>
  curves.reduce((sum, curve) => sum + widthOf(curve, size) * size, 0)

/** Returns the advance that each cost from `costLo` buys. */
function valuesOf({ costLo, at }: Curve, width: number): Float64Array {
  return Float64Array.from({ length: width }, (_, more) => Number(at(costLo + BigInt(more))))
}

/** Per cost above the least, the most advance that all curves buy together, and the part that each curve spends. */
type FilledTable = { readonly most: Float64Array; readonly spent: readonly Int32Array[] }

function fill(layers: readonly Float64Array[], size: number): FilledTable {
  let most = new Float64Array(size)
  const spent = layers.map((values) => {
    const [next, choice] = addCurve(most, values)
    most = next
    return choice
  })
  return { most, spent }
}

function addCurve(most: Float64Array, values: Float64Array): [Float64Array<ArrayBuffer>, Int32Array] {
  const next = new Float64Array(most.length).fill(-1)
  const choice = new Int32Array(most.length)
  for (let cost = 0; cost < most.length; cost++)
    for (let more = Math.min(values.length - 1, cost); more >= 0; more--) {
      const advance = (most[cost - more] as number) + (values[more] as number)
      if (advance <= (next[cost] as number)) continue
      next[cost] = advance
      choice[cost] = more
    }
  return [next, choice]
}

function trace(curves: readonly Curve[], { most, spent }: FilledTable, need: number): Purchase | undefined {
  let left = most.findIndex((advance) => advance >= need)
  if (left < 0) return undefined
  const advance = BigInt(most[left] as number)
  const costs = curves.map(({ costLo }) => costLo)
  for (let index = curves.length - 1; index >= 0; index--) {
    const more = spent[index]?.[left] as number
    costs[index] = (costs[index] as bigint) + BigInt(more)
    left -= more
  }
  return { advance, costs }
}
