import { describe, expect, it } from 'vitest'
import { type Line, meeting, pastCeiling } from '../../api/optimizer/relaxation/lines.ts'
import { diceOf, seededRandom } from './small-instances.ts'

const SEED = 4_714
const TARGET = 100

const heightAt = ({ cost, advance }: Line, worth: number): number => cost + worth * (TARGET - advance)

describe(`lines of assignments (seed ${SEED})`, () => {
  it('meet where the lowest of them all is highest, flat ones and equal ones included', () => {
    const dice = diceOf(seededRandom(SEED))
    let met = 0
    for (let round = 0; round < 2_000; round++) {
      const lines = Array.from({ length: dice.between(1, 6) }, (): Line => {
        const advance = dice.pick([40, 60, 90, TARGET, 110, 150])
        return { chosen: [], advance, cost: dice.between(0, advance) }
      })
      const found = meeting(lines, TARGET)
      const lowestAt = (worth: number) => Math.min(...lines.map((line) => heightAt(line, worth)))
      const isTwoSided =
        lines.some(({ advance }) => advance < TARGET) && lines.some(({ advance }) => advance >= TARGET)
      expect(found !== undefined).toBe(isTwoSided)
      if (found === undefined) continue
      met++
      const worths = [
        0,
        ...lines.flatMap((a) => lines.map((b) => (a.cost - b.cost) / (a.advance - b.advance))),
      ]
      const tried = worths.filter((worth) => worth >= 0 && Number.isFinite(worth))
      expect(lowestAt(found.worth)).toBeCloseTo(Math.max(...tried.map(lowestAt)), 9)
      expect(found.worth > 0 ? found.height : lowestAt(0)).toBeCloseTo(lowestAt(found.worth), 9)
    }
    expect(met).toBeGreaterThan(1_000)
  })

  it('are left for a worth at which they exceed the ceiling, or are not worth following', () => {
    const rising: Line = { chosen: [], advance: 60, cost: 10 }
    const falling: Line = { chosen: [], advance: 140, cost: 30 }
    const next = pastCeiling(rising, TARGET, 30, 0.1) ?? 0
    expect(heightAt(rising, next)).toBeGreaterThan(30)
    const back = pastCeiling(falling, TARGET, 20, 0.5) ?? 1
    expect(heightAt(falling, back)).toBeGreaterThan(20)
    expect(pastCeiling(falling, TARGET, 50, 0.5)).toBe(0)
    expect(pastCeiling(rising, TARGET, Number.POSITIVE_INFINITY, 0.1)).toBeUndefined()
    expect(pastCeiling({ ...rising, advance: TARGET }, TARGET, 30, 0.1)).toBeUndefined()
  })
})
