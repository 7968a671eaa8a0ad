import { ceilDiv, smaller } from '../../domain/bigint.ts'
import { type SplitBudget, takeSteps } from '../model/work-budget.ts'
import { type Curve, compareYield } from './curve.ts'
import { type Tuned, tune } from './tune.ts'

/** A purchase with several curves at once, around one marginal curve that absorbs the remainder. */
export type Blend = {
  readonly curves: readonly Curve[]
  readonly marginal: Curve
  readonly others: readonly Tuned[]
  /** Sum of the others' bounds, plus the marginal's offset, in units of advance times marginal.rate. */
  readonly offset: bigint
}

/** A curve is sorted in, tuned and added up. Several legs in one vault are blended anew at each cost of the vault. */
const STEPS_PER_CURVE = 2

/**
 * For any costs c_i summing to C, the advance is at most (offset + marginal.keep * C) / marginal.rate: replace the
 * marginal curve by its linear bound, then each other curve contributes at(c_i) - c_i * keep / rate <= its own maximum.
 * That is a Lagrangian bound with the rounding of every leg but one inside it, and it is attained whenever the marginal
 * curve can absorb the remainder.
 */
export function blend(
  curves: readonly Curve[],
  measure: 'cost' | 'advance',
  amount: bigint,
  work: SplitBudget,
): Blend | undefined {
  takeSteps(work, curves.length * STEPS_PER_CURVE)
  const fill = fillToAmount(curves, measure, amount)
  if (fill === undefined) return undefined
  const { marginal, starts } = fill
  const others: Tuned[] = []
  curves.forEach((curve, index) => {
    if (curve !== marginal) others.push(tune(curve, index, marginal, starts[index] ?? curve.costLo, work))
  })
  const offset = others.reduce((sum, tuned) => sum + tuned.bound, marginal.offset)
  return { curves, marginal, others, offset }
}

/** Buys in order of yield until `amount` is reached; curves of the marginal yield share what is left of it evenly. */
function fillToAmount(curves: readonly Curve[], measure: 'cost' | 'advance', amount: bigint) {
  const span = (curve: Curve): bigint =>
    measure === 'cost' ? curve.costHi - curve.costLo : curve.at(curve.costHi) - curve.at(curve.costLo)
  const base = (curve: Curve): bigint => (measure === 'cost' ? curve.costLo : curve.at(curve.costLo))
  let missing = curves.reduce((left, curve) => left - base(curve), amount)
  const elastic = curves.filter((curve) => curve.costHi > curve.costLo)
  elastic.sort((a, b) => Number(compareYield(b, a)))
  for (let from = 0; from < elastic.length; ) {
    const first = elastic[from]
    if (first === undefined) break
    const tied = elastic.filter((curve) => compareYield(curve, first) === 0n)
    const room = tied.reduce((sum, curve) => sum + span(curve), 0n)
    if (missing <= room || from + tied.length >= elastic.length)
      return placeStarts(curves, tied, missing, room)
    missing -= room
    from += tied.length
  }
  return undefined
}

function placeStarts(curves: readonly Curve[], tied: readonly Curve[], missing: bigint, room: bigint) {
  const marginal = tied.reduce((widest, curve) =>
    curve.costHi - curve.costLo > widest.costHi - widest.costLo ? curve : widest,
  )
  const share = missing < 0n ? 0n : smaller(missing, room)
  const starts = curves.map((curve) => {
    const slope = compareYield(curve, marginal)
    if (slope !== 0n) return slope > 0n ? curve.costHi : curve.costLo
    return room === 0n ? curve.costLo : curve.costLo + ((curve.costHi - curve.costLo) * share) / room
  })
  return { marginal, starts }
}

/** The least total cost that the bound of the blend does not rule out for `need`. */
export function leastCostByBound(mix: Blend, need: bigint): bigint {
  const { marginal, offset } = mix
  const numerator = need * marginal.rate - offset
  return numerator <= 0n ? 0n : ceilDiv(numerator, marginal.keep)
}
