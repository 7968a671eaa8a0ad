import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { larger } from '../../api/domain/bigint.ts'
import { advanceOf } from '../../api/domain/discount.ts'
import { seededRandom } from '../../api/domain/random.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import type { Option } from '../../api/optimizer/model/problem.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { bundleCoupled } from '../../api/optimizer/split/bundles.ts'
import { legCurve } from '../../api/optimizer/split/curve.ts'
import { cheapestSplit } from '../../api/optimizer/split/split.ts'
import { surplus, tune } from '../../api/optimizer/split/tune.ts'
import { type Dice, diceOf } from '../support/dice.ts'
import { NO_CAPS } from './cases.ts'

const SEED = 95
const RUNS = 3_000
const UNBOUNDED = 1n << 200n
type Rates = readonly [number, ...number[]]
const RATES: readonly [Rates, ...Rates[]] = [
  [500],
  [5_000, 5_001],
  [0, 3_333],
  [400, 500, 2_500],
  [9_000, 9_500],
  [1_200, 1_300, 7_000],
]

type Legs = { candidates: Lot[]; liquidity: ReadonlyMap<Lot['vault'], bigint>; target: bigint }
type Lot = {
  claimId: `0x${string}`
  vault: `0x${string}`
  rateBps: bigint
  minFace: bigint
  maxFace: bigint
}

/** One lot per claim, in one or two vaults that they may fill. */
function drawLegs(dice: Dice): Legs {
  const rates = dice.pick(RATES)
  const size = dice.pick([8, 30, 120] as const)
  const candidates = Array.from({ length: dice.between(1, 4) }, (_, claim): Lot => {
    const [least, wide] = [dice.between(1, size), dice.between(0, 11)]
    const vault = dice.chance(0.6) ? '0xa0' : '0xa1'
    const rateBps = BigInt(dice.pick(rates))
    return { claimId: `0xc${claim}`, vault, rateBps, minFace: BigInt(least), maxFace: BigInt(least + wide) }
  })
  const reachOf = (vault?: Lot['vault']): number =>
    candidates.reduce((sum, lot) => {
      return vault === undefined || lot.vault === vault
        ? sum + Number(advanceOf(lot.maxFace, lot.rateBps))
        : sum
    }, 0)
  const liquidity = new Map(
    (['0xa0', '0xa1'] as const).map((vault) => [
      vault,
      BigInt(Math.max(0, reachOf(vault) - dice.between(0, 6))),
    ]),
  )
  return { candidates, liquidity, target: BigInt(Math.max(1, reachOf() - dice.between(0, 14))) }
}

/** The least cost over every face of every leg. */
function leastCost({ candidates, liquidity, target }: Legs): bigint | undefined {
  let least: bigint | undefined
  const left = new Map(liquidity)
  const step = (index: number, cost: bigint, advance: bigint): void => {
    const lot = candidates[index]
    if (lot === undefined) {
      if (advance >= target && (least === undefined || cost < least)) least = cost
      return
    }
    for (let face = lot.minFace; face <= lot.maxFace; face++) {
      const more = advanceOf(face, lot.rateBps)
      const room = left.get(lot.vault) ?? 0n
      if (more > room || more === 0n) continue
      left.set(lot.vault, room - more)
      step(index + 1, cost + face - more, advance + more)
      left.set(lot.vault, room)
    }
  }
  step(0, 0n, 0n)
  return least
}

describe(`the inner problem against every face of every leg (seed ${SEED}, ${RUNS} instances)`, () => {
  it('is solved to the last unit, within the liquidity of each vault', () => {
    let found = 0
    const property = fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (seed) => {
      const legs = drawLegs(diceOf(seededRandom(seed)))
      const { candidates, liquidity: vaultLiquidity, target } = legs
      const problem = buildProblem({ candidates, vaultLiquidity, targetAdvance: target })
      const options = problem.options.flat()
      if (options.length < candidates.length) return
      const split = cheapestSplit(problem, options, { target, ...NO_CAPS }, newWorkBudget())
      expect(split.kind === 'route' ? split.route.cost : undefined).toBe(leastCost(legs))
      if (split.kind !== 'route') return
      found++
      problem.liquidity.forEach((liquidity, vault) => {
        const used = options.reduce(
          (sum, option, leg) => sum + usedOf(option, vault, split.route.advances[leg]),
          0n,
        )
        expect(used <= liquidity).toBe(true)
      })
    })
    fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
    expect(found).toBeGreaterThan(RUNS / 3)
  })

  it('takes steps for each cost at which the legs of a vault share its liquidity', () => {
    const lots = ['0xc0', '0xc1'] as const
    const problem = buildProblem({
      candidates: lots.map((claimId) => ({
        claimId,
        vault: '0xa0',
        rateBps: 333n,
        minFace: 1n,
        maxFace: 1n << 128n,
      })),
      vaultLiquidity: new Map([['0xa0', 1n << 128n]]),
      targetAdvance: 1n << 127n,
    })
    const work = { steps: 10_000, inconclusive: false }
    const [bundle] = bundleCoupled(
      problem,
      problem.options.flat(),
      { vaults: new Set([0]), groups: new Set() },
      work,
    )
    const before = work.steps
    for (let cost = 1n; cost <= 100n; cost++) bundle?.curve.at(cost)
    expect(before - work.steps).toBeGreaterThanOrEqual(200)
  })

  it('is bounded even where the steps run out before the best cost of a leg is found', () => {
    const lot = { vault: '0xa0', claimId: '0xc0', minFace: 1n, maxFace: 4_000n } as const
    const problem = buildProblem({
      candidates: [
        { ...lot, rateBps: 700n },
        { ...lot, claimId: '0xc1', rateBps: 699n },
      ],
      vaultLiquidity: new Map([['0xa0', 8_000n]]),
      targetAdvance: 1n,
    })
    const [expensive, cheap] = problem.options.flat().map(legCurve)
    if (expensive === undefined || cheap === undefined) throw new Error('the example has two legs')
    const costs = Array.from(
      { length: Number(expensive.costHi - expensive.costLo) + 1 },
      (_, more) => expensive.costLo + BigInt(more),
    )
    const most = costs.reduce((best, cost) => larger(best, surplus(expensive, cheap, cost)), -UNBOUNDED)
    for (const steps of [0, 1, 2, 5, 1_000]) {
      const { bound } = tune(expensive, 0, cheap, expensive.costLo, { steps, inconclusive: false })
      expect(bound >= most).toBe(true)
    }
  })
})

const usedOf = (option: Option, vault: number, advance = 0n): bigint =>
  option.vault === vault ? advance : 0n
