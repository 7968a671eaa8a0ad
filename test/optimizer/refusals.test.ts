import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { type OptimizeInput, optimizeRoute } from '../../api/optimizer/index.ts'
import { manyClaimsVariant } from '../../bench/optimizer/many-claims-variants.ts'
import { type Dice, diceOf } from '../support/dice.ts'
import { faultOf } from './checks.ts'
import { type OracleInput, solveByEnumeration } from './oracle.ts'
import { toOptimizeInput } from './small-instances.ts'

const SEED = Number(process.env.OPTIMIZER_SEED ?? 13_20)
const MANY = 5
const SMALL = 60

/** Whole dollars of a token with 6 decimals. */
const USD = 1_000_000n

type Vault = { rate: bigint; min: bigint; max: bigint; liquidity: bigint }

/** Claims of one face, due on one day: to a vault they are all alike. */
function series(
  claims: number,
  face: bigint,
  vaults: readonly Vault[],
  bounds: Partial<OptimizeInput>,
): OptimizeInput {
  const vaultOf = (index: number) => `0xa${index}` as const
  return {
    candidates: Array.from({ length: claims }, (_, claim) =>
      vaults.map(({ rate, min, max }, vault) => ({
        claimId: `0xc${claim.toString(36)}` as const,
        vault: vaultOf(vault),
        rateBps: rate,
        minFace: min * USD,
        maxFace: (max < face ? max : face) * USD,
      })),
    ).flat(),
    vaultLiquidity: new Map(vaults.map(({ liquidity }, vault) => [vaultOf(vault), liquidity * USD])),
    targetAdvance: 1n,
    ...bounds,
  }
}

const TWO: readonly Vault[] = [
  { rate: 105n, min: 100n, max: 60_000n, liquidity: 346_555n },
  { rate: 125n, min: 100n, max: 400_000n, liquidity: 1_141_326n },
]

describe('a refusal of 13 and more claims', () => {
  it('states the maximum where a cost cap cannot be met', () => {
    const input = series(13, 100_000n, TWO, { targetAdvance: 500_000n * USD, maxTotalCost: 1_000n * USD })
    const result = optimizeRoute(input)
    expect(faultOf(input, result)).toBeUndefined()
    expect(result).toMatchObject({ executable: false, reason: 'MAX_COST_EXCEEDED' })
    // At 105 bps, 1,000 of cost buy 1,000 * 9895 / 105 of advance, less what rounding takes.
    if (!result.executable) expect(result.maxAchievableAdvance / USD).toBe((1_000n * 9_895n) / 105n)
  })

  it('states the maximum where a face cap cannot be met', () => {
    const input = series(13, 100_000n, TWO, { targetAdvance: 500_000n * USD, maxTotalFace: 501_000n * USD })
    const result = optimizeRoute(input)
    expect(faultOf(input, result)).toBeUndefined()
    expect(result).toMatchObject({ executable: false, reason: 'TARGET_UNSATISFIABLE' })
  })

  it('counts the legs that scarce vaults need: eight claims of 100 do not fill three vaults of 250', () => {
    const vault = { rate: 0n, min: 1n, max: 100n, liquidity: 250n }
    const input = series(13, 100n, [vault, vault, vault], { targetAdvance: 701n * USD })
    expect(optimizeRoute(input)).toMatchObject({
      executable: false,
      reason: 'TARGET_UNSATISFIABLE',
      shortfallAdvance: USD,
      maxAchievableAdvance: 700n * USD,
      maxAchievableGap: 0n,
    })
    const reached = optimizeRoute({ ...input, targetAdvance: 700n * USD })
    expect(reached).toMatchObject({ executable: true, approximation: 'greedy', totalAdvance: 700n * USD })
  })
})

describe('a refusal of up to 12 claims', () => {
  it.each([150_000n, 200_000n])(
    'states the maximum of a series of %d, with the best partial route known',
    (face) => {
      const input = series(12, face, TWO, { targetAdvance: 100_000_000n * USD })
      const result = optimizeRoute(input)
      expect(faultOf(input, result)).toBeUndefined()
      expect(result).toMatchObject({
        executable: false,
        reason: 'TARGET_UNSATISFIABLE',
        maxAchievableGap: 0n,
      })
    },
  )
})

describe('a target over 13 or more claims that a first search does not decide', () => {
  it.each([
    [1874, 'a cost cap one unit below what a relaxation proves'],
    [3402, 'a face cap one unit below what a relaxation proves'],
    [2805, 'amounts so small that rounding decides every split'],
    [3503, 'a face cap that scarce liquidity and large lots put out of reach'],
    [3679, 'a cost cap that only the last, longer search decides'],
  ])('is decided: input %d, %s', (seed) => {
    const { input } = manyClaimsVariant(seed)
    expect(faultOf(input, optimizeRoute(input))).toBeUndefined()
  })
})

describe(`random inputs of 13 to 20 claims (seed ${SEED}, ${MANY} instances)`, () => {
  it('end in a route or a refusal that keeps every bound, whatever the order of the candidates', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0x7fffffff }), (seed) => {
        const { input } = manyClaimsVariant(seed)
        const result = optimizeRoute(input)
        expect(faultOf(input, result)).toBeUndefined()
        const reversed = {
          ...input,
          candidates: [...input.candidates].reverse(),
          vaultLiquidity: new Map([...input.vaultLiquidity].reverse()),
        }
        expect(optimizeRoute(reversed)).toEqual(result)
      }),
      { seed: SEED, numRuns: MANY, endOnFailure: true },
    )
  })
})

/** 13 to 16 claims with a lot or two each: few enough routes for plain enumeration. */
function drawSmall(dice: Dice): OracleInput {
  const claims = dice.between(13, 16)
  const vaults = dice.between(1, 4)
  const [scale, alike] = [dice.pick([3, 30, 500]), dice.chance(0.5)]
  const lot = dice.between(1, scale)
  const rates = Array.from({ length: vaults }, () => dice.pick([0, 105, 125, 500, 3333]))
  const candidates = Array.from({ length: claims }, (_, claim) => {
    const vault = dice.between(0, vaults - 1)
    const min = alike ? lot : dice.between(1, scale)
    const max = min + (claim < 2 ? dice.between(0, 3) : 0)
    return { claim: `0xc${claim.toString(36)}`, vault: `0xa${vault}`, rate: rates[vault] ?? 0, min, max }
  })
  const total = candidates.reduce((sum, { max }) => sum + max, 0)
  const liquidity = Object.fromEntries(
    rates.map((_, vault) => [`0xa${vault}`, dice.between(0, dice.pick([total, Math.ceil(total / vaults)]))]),
  )
  const target = dice.between(1, Math.max(1, Math.ceil(total * dice.pick([0.3, 0.6, 1]))))
  return {
    candidates,
    liquidity,
    target,
    ...(dice.chance(0.3) && { maxFace: target + dice.between(0, Math.ceil(target / 5)) }),
    ...(dice.chance(0.3) && { maxCost: dice.between(0, Math.ceil(target / 8)) }),
  }
}

describe(`13 to 16 claims against plain enumeration (seed ${SEED}, ${SMALL} instances)`, () => {
  it('are refused exactly where there is no route, with bounds that hold', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (seed) => {
        const small = drawSmall(diceOf(seededRandom(seed)))
        const input = toOptimizeInput(small)
        const expected = solveByEnumeration(small)
        const result = optimizeRoute(input)
        expect(faultOf(input, result)).toBeUndefined()
        expect(result.executable).toBe(expected.executable)
        if (result.executable || expected.executable) {
          if (!result.executable || !expected.executable) return
          const extraCost = result.totalCost - BigInt(expected.route.cost)
          expect(extraCost >= 0n && extraCost <= result.explanation.provenGap).toBe(true)
          const pairs = result.legs.map(({ claimId, vault }) => `${claimId}@${vault}`)
          if (result.explanation.provenGap === 0n) expect(pairs).toEqual(expected.route.pairs)
          return
        }
        expect(result).toMatchObject({
          reason: expected.reason,
          maxAchievableAdvance: BigInt(expected.most),
          maxAchievableGap: 0n,
        })
        const { bestFeasiblePartial: partial } = result
        const extraCost = (partial?.totalCost ?? 0n) - BigInt(expected.partial?.cost ?? 0)
        expect(extraCost >= 0n && extraCost <= (partial?.provenGap ?? 0n)).toBe(true)
      }),
      { seed: SEED, numRuns: SMALL, endOnFailure: true },
    )
  })
})
