import { expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { exactMinimum } from '../../api/optimizer/relaxation/exact-subsets.ts'
import type { CostsOf, Pattern } from '../../api/optimizer/relaxation/patterns.ts'
import type { Shape } from '../../api/optimizer/relaxation/shape.ts'
import { newWorkspace } from '../../api/optimizer/relaxation/workspace.ts'
import { type Dice, diceOf } from '../support/dice.ts'

const SEED = 4_715
const ROUNDS = 3_000

/** Sizes about the seams: of a low half, of what a double holds, and of both halves together. */
const SIZES = [0n, 3n, 1n << 40n, 1n << 53n, 1n << 80n] as const

const drawWeight = (dice: Dice): bigint => {
  const size = dice.pick(SIZES) + BigInt(dice.between(-3, 3))
  return dice.chance(0.6) ? -size : size
}

type Drawn = { shape: Shape; reducedCosts: CostsOf<bigint> }

/** The first claims compete for vaults, and some of all have a free option. */
function draw(dice: Dice): Drawn {
  const [width, claims] = [dice.between(0, 4), dice.between(4, 5)]
  const patternOf = (): Pattern<bigint> => {
    const mask = dice.between(1, (1 << width) - 1)
    const count = mask.toString(2).replaceAll('0', '').length
    return { mask, reducedCost: drawWeight(dice), members: Array.from({ length: count }, () => member) }
  }
  const vault = () => Array.from({ length: dice.between(0, 6) }, patternOf)
  const patterns = width === 0 ? [] : Array.from({ length: dice.between(1, 3) }, vault)
  const shape: Shape = {
    width,
    bits: Array.from({ length: claims }, (_, claim) => (claim < width ? claim : -1)),
    vaults: [],
    free: [],
    required: Array.from({ length: claims }, () => dice.chance(0.2)),
    maxLegs: dice.between(1, 5),
    most: 0,
  }
  const free = shape.bits.map(() => (dice.chance(0.6) ? drawWeight(dice) : undefined))
  return { shape, reducedCosts: { patterns, free } }
}

const option = {
  ...{
    claim: 0,
    vault: 0,
    group: undefined,
    rate: 0n,
    keep: 1n,
    minFace: 0n,
    lo: 0n,
    hi: 0n,
    costLo: 0n,
    costHi: 0n,
  },
  ...{ slope: 0, loFloat: 0, hiFloat: 0, costHiFloat: 0 },
}
const member = { option, bit: 0, blockers: 0 }

/** Every assignment, in bigint. */
function leastByEnumeration({ shape, reducedCosts }: Drawn): bigint | undefined {
  let least: bigint | undefined
  const freely = (claim: number, served: number, legs: number, sum: bigint): void => {
    if (legs > shape.maxLegs) return
    if (claim === shape.bits.length) {
      if (least === undefined || sum < least) least = sum
      return
    }
    const isServed = claim < shape.width && (served & (1 << claim)) !== 0
    if (isServed || !shape.required[claim]) freely(claim + 1, served, legs, sum)
    const reducedCost = reducedCosts.free[claim]
    if (!isServed && reducedCost !== undefined) freely(claim + 1, served, legs + 1, sum + reducedCost)
  }
  const together = (vault: number, served: number, legs: number, sum: bigint): void => {
    const patterns = reducedCosts.patterns[vault]
    if (patterns === undefined) {
      freely(0, served, legs, sum)
      return
    }
    together(vault + 1, served, legs, sum)
    for (const { mask, reducedCost, members } of patterns) {
      if ((served & mask) === 0) together(vault + 1, served | mask, legs + members.length, sum + reducedCost)
    }
  }
  together(0, 0, 0, 0n)
  return least
}

it(`the least reduced cost is exact to the last digit, of 80 bits and more (seed ${SEED}, ${ROUNDS} instances)`, () => {
  const dice = diceOf(seededRandom(SEED))
  const space = newWorkspace(newWorkBudget())
  let none = 0
  for (let round = 0; round < ROUNDS; round++) {
    const drawn = draw(dice)
    const expected = leastByEnumeration(drawn)
    expect(exactMinimum(drawn.shape, drawn.reducedCosts, space)).toBe(expected)
    if (expected === undefined) none++
  }
  expect(none).toBeGreaterThan(20)
  expect(none).toBeLessThan(ROUNDS / 2)
})
