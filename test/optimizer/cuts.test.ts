import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { type Cut, lowestIntersection, pastCeiling } from '../../api/optimizer/relaxation/cuts.ts'
import { diceOf } from '../support/dice.ts'

const SEED = 4_714
const TARGET = 100

const heightAt = ({ cost, advance }: Cut, multiplier: number): number =>
  cost + multiplier * (TARGET - advance)

describe(`cuts of assignments (seed ${SEED})`, () => {
  it('meet where the lowest of them all is highest, flat ones and equal ones included', () => {
    const dice = diceOf(seededRandom(SEED))
    let met = 0
    for (let round = 0; round < 2_000; round++) {
      const cuts = Array.from({ length: dice.between(1, 6) }, (): Cut => {
        const advance = dice.pick([40, 60, 90, TARGET, 110, 150])
        return { chosen: [], advance, cost: dice.between(0, advance) }
      })
      const found = lowestIntersection(cuts, TARGET)
      const lowestAt = (multiplier: number) => Math.min(...cuts.map((cut) => heightAt(cut, multiplier)))
      const isTwoSided =
        cuts.some(({ advance }) => advance < TARGET) && cuts.some(({ advance }) => advance >= TARGET)
      expect(found !== undefined).toBe(isTwoSided)
      if (found === undefined) continue
      met++
      const multipliers = [
        0,
        ...cuts.flatMap((a) => cuts.map((b) => (a.cost - b.cost) / (a.advance - b.advance))),
      ]
      const tried = multipliers.filter((multiplier) => multiplier >= 0 && Number.isFinite(multiplier))
      expect(lowestAt(found.multiplier)).toBeCloseTo(Math.max(...tried.map(lowestAt)), 9)
      expect(found.multiplier > 0 ? found.height : lowestAt(0)).toBeCloseTo(lowestAt(found.multiplier), 9)
    }
    expect(met).toBeGreaterThan(1_000)
  })

  it('are left for a multiplier at which they exceed the ceiling, or are not followed', () => {
    const rising: Cut = { chosen: [], advance: 60, cost: 10 }
    const falling: Cut = { chosen: [], advance: 140, cost: 30 }
    const next = pastCeiling(rising, TARGET, 30, 0.1) ?? 0
    expect(heightAt(rising, next)).toBeGreaterThan(30)
    const back = pastCeiling(falling, TARGET, 20, 0.5) ?? 1
    expect(heightAt(falling, back)).toBeGreaterThan(20)
    expect(pastCeiling(falling, TARGET, 50, 0.5)).toBe(0)
    expect(pastCeiling(rising, TARGET, Number.POSITIVE_INFINITY, 0.1)).toBeUndefined()
    expect(pastCeiling({ ...rising, advance: TARGET }, TARGET, 30, 0.1)).toBeUndefined()
  })
})
