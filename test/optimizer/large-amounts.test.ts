import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { type Candidate, type OptimizeInput, optimizeRoute } from '../../api/optimizer/index.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import { wholeDomain } from '../../api/optimizer/model/domain.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { exactAdvanceBound } from '../../api/optimizer/relaxation/exact-node-bound.ts'
import { exactMinimum } from '../../api/optimizer/relaxation/exact-subsets.ts'
import { relax } from '../../api/optimizer/relaxation/lagrangian.ts'
import { shapeOf } from '../../api/optimizer/relaxation/shape.ts'
import { newWorkspace } from '../../api/optimizer/relaxation/workspace.ts'
import { type Dice, diceOf } from '../support/dice.ts'

const SEED = 18
const RUNS = 600
const RATE_SETS: readonly [Rates, ...Rates[]] = [[500], [500, 501], [3, 700, 1_999], [3_333, 3_334]]
const ATTO = 10n ** 18n

type Rates = readonly [number, ...number[]]
type Found = { cost: bigint; legs: number; face: bigint; advance: bigint; pairs: string }

/**
 * Every route over every face, in bigint: lots are a few units wide, however large. Shares no code with the optimizer.
 */
function bestByEnumeration(input: OptimizeInput): Found | undefined {
  const claims = [...new Set(input.candidates.map(({ claimId }) => claimId))].sort()
  const left = new Map(input.vaultLiquidity)
  let best: Found | undefined
  const step = (index: number, legs: readonly Candidate[], cost: bigint, face: bigint): void => {
    const claim = claims[index]
    if (claim === undefined) {
      const advance = face - cost
      const pairs = legs.map(({ claimId, vault }) => `${claimId}@${vault}`).join(' ')
      const route = { cost, legs: legs.length, face, advance, pairs }
      if (advance >= input.targetAdvance && (best === undefined || ranksBefore(route, best))) best = route
      return
    }
    step(index + 1, legs, cost, face)
    for (const one of input.candidates.filter(({ claimId }) => claimId === claim)) {
      for (let lot = one.minFace; lot <= one.maxFace; lot++) {
        const discount = (lot * one.rateBps) / 10_000n + ((lot * one.rateBps) % 10_000n === 0n ? 0n : 1n)
        const room = left.get(one.vault) ?? 0n
        if (lot - discount > room) break
        if (cost + discount > (input.maxTotalCost ?? cost + discount)) break
        if (face + lot > (input.maxTotalFace ?? face + lot)) break
        left.set(one.vault, room - lot + discount)
        step(index + 1, [...legs, one], cost + discount, face + lot)
        left.set(one.vault, room)
      }
    }
  }
  step(0, [], 0n, 0n)
  return best
}

function ranksBefore(a: Found, b: Found): boolean {
  if (a.cost !== b.cost) return a.cost < b.cost
  if (a.legs !== b.legs) return a.legs < b.legs
  return a.face !== b.face ? a.face < b.face : a.pairs < b.pairs
}

/** Amounts of 10^18 to 10^27 whose lowest digits decide; every bound within a few units of what some route needs. */
function drawInput(dice: Dice): OptimizeInput {
  const rates = dice.pick(RATE_SETS)
  const size = ATTO * 10n ** BigInt(dice.between(0, 9))
  const vaults = ['0xa0', '0xa1', '0xa2'] as const
  const amount = () => (size * BigInt(dice.between(500, 1_000))) / 1_000n + BigInt(dice.between(0, 9_999))
  const candidates = Array.from({ length: dice.between(1, 4) }, (_, claim) => {
    const face = amount()
    return vaults.flatMap((vault): Candidate[] => {
      if (dice.chance(0.2)) return []
      const minFace = dice.chance(0.5) ? face : amount()
      const maxFace = minFace + BigInt(dice.between(0, 2))
      const rateBps = BigInt(dice.pick(rates))
      return [{ claimId: `0xc${claim}`, vault, rateBps, minFace, maxFace }]
    })
  }).flat()
  const near = (exact: bigint) => exact + BigInt(dice.between(-2, 2))
  const chosen = candidates.filter(() => dice.chance(0.5))
  const advanceOf = ({ maxFace, rateBps }: Candidate) => (maxFace * (10_000n - rateBps)) / 10_000n
  const advance = chosen.reduce((sum, one) => sum + advanceOf(one), 0n)
  const face = chosen.reduce((sum, one) => sum + one.maxFace, 0n)
  const used = (vault: string) =>
    chosen.reduce((sum, one) => (one.vault === vault ? sum + advanceOf(one) : sum), 0n)
  const target = near(advance)
  return {
    candidates,
    vaultLiquidity: new Map(
      vaults.map((vault) => {
        const liquidity = dice.chance(0.5) ? near(used(vault)) : 10n * size
        return [vault, liquidity < 0n ? 0n : liquidity]
      }),
    ),
    targetAdvance: target < 1n ? 1n : target,
    ...(dice.chance(0.3) ? { maxTotalFace: near(face) < 0n ? 0n : near(face + 2n) } : {}),
    ...(dice.chance(0.3) ? { maxTotalCost: near(face - advance + 2n) } : {}),
  }
}

function bestByOptimizer(input: OptimizeInput): Found | undefined {
  const result = optimizeRoute(input)
  if (!result.executable) return undefined
  expect(result.approximation).toBe('exact')
  const pairs = result.legs.map(({ claimId, vault }) => `${claimId}@${vault}`).join(' ')
  const { totalCost: cost, totalFace: face, totalAdvance: advance } = result
  return { cost, legs: result.legs.length, face, advance, pairs }
}

describe(`amounts of tokens with 18 decimals (seed ${SEED}, ${RUNS} instances)`, () => {
  it('are optimized to the last unit, under every constraint', () => {
    let [executable, capped] = [0, 0]
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (instanceSeed) => {
        const input = drawInput(diceOf(seededRandom(instanceSeed)))
        const expected = bestByEnumeration(input)
        expect(bestByOptimizer(input)).toEqual(expected)
        if (expected === undefined) return
        executable++
        if (input.maxTotalCost !== undefined || input.maxTotalFace !== undefined) capped++
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    )
    expect(executable).toBeGreaterThan(RUNS / 5)
    expect(capped).toBeGreaterThan(RUNS / 20)
  })

  it('never advance more than the advance bound says, though a double of the sum does not show the smallest lot', () => {
    const lots = [1n << 80n, 1_000n, 1n << 79n]
    expect(Number(1n << 80n) + 1_000).toBe(Number(1n << 80n))
    const liquidity = lots.reduce((sum, lot) => sum + lot, -1n)
    const problem = buildProblem({
      candidates: lots.map((lot, index) => ({
        claimId: `0xc${index}`,
        vault: '0xa0',
        rateBps: 0n,
        minFace: 1n,
        maxFace: lot,
      })),
      vaultLiquidity: new Map([['0xa0', liquidity]]),
      targetAdvance: 1n,
    })
    const most = exactAdvanceBound(
      shapeOf(wholeDomain(problem), 8),
      newWorkspace(newWorkBudget()),
      exactMinimum,
    )
    expect(most >= liquidity).toBe(true)
  })

  it('are served together when their least lots fill a vault to the last unit, whatever floats make of the sum', () => {
    const dice = diceOf(seededRandom(SEED))
    let above = 0
    for (let round = 0; round < 300; round++) {
      const lots = Array.from(
        { length: 3 },
        () => ATTO * BigInt(dice.between(1, 999)) + BigInt(dice.between(0, 999_999)),
      )
      const liquidity = lots.reduce((sum, lot) => sum + lot, 0n)
      if (lots.reduce((sum, lot) => sum + Number(lot), 0) > Number(liquidity)) above++
      const problem = buildProblem({
        candidates: lots.map((lot, claim) => {
          return {
            claimId: `0xc${claim}`,
            vault: '0xa0',
            rateBps: 0n,
            minFace: lot,
            maxFace: lot + 1n,
          } as const
        }),
        vaultLiquidity: new Map([['0xa0', liquidity]]),
        targetAdvance: liquidity,
      })
      const shape = shapeOf({ ...wholeDomain(problem), required: [true, true, true] }, 8)
      expect(shape.vaults).toHaveLength(1)
      expect(relax(shape, 0.05, 'cost', newWorkspace(newWorkBudget()))).toBeDefined()
    }
    expect(above).toBeGreaterThan(10)
  })
})
