import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Candidate, type OptimizeInput, optimizeRoute } from '../../api/optimizer/index.ts'
import { bestByLots } from '../../api/optimizer/lots.ts'
import { buildProblem } from '../../api/optimizer/problem.ts'
import { families } from '../../bench/optimizer/families.ts'
import { disagreement } from './agreement.ts'
import type { OracleInput } from './oracle.ts'
import { type Dice, diceOf, seededRandom, toOptimizeInput } from './small-instances.ts'

const SEED = Number(process.env.OPTIMIZER_SEED ?? 20_260_102)
const RUNS = Number(process.env.OPTIMIZER_RUNS ?? 3_000)

/** Runs the property for seeded instances, so that a failing one is named by its seed. */
function forInstances(runs: number, check: (dice: Dice) => void): void {
  const property = fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (seed) => {
    check(diceOf(seededRandom(seed)))
  })
  fc.assert(property, { seed: SEED, numRuns: runs, endOnFailure: true })
}

type Several<T> = readonly [T, ...T[]]
const SIZES: Several<readonly [claims: number, vaults: number]> = [
  [1, 4],
  [3, 8],
  [4, 5],
  [6, 3],
  [9, 1],
  [10, 1],
]
const RATES: Several<Several<number>> = [
  [500],
  [3333],
  [9000],
  [100, 9000],
  [0, 1, 300],
  [499, 500, 501],
  [0],
]
const LOTS: Several<readonly [least: number, most: number]> = [
  [1, 3],
  [5, 9],
  [40, 60],
  [1, 200],
  [900, 2_000],
]

/** Fixed lots only: few sizes or many, equal rates or not, liquidity that binds or not, caps about the optimum. */
function smallLots(dice: Dice): OracleInput {
  const [claims, vaults] = dice.pick(SIZES)
  const rates = dice.pick(RATES)
  const [least, most] = dice.pick(LOTS)
  const candidates = times(claims, (claim) =>
    times(vaults, (vault) => {
      const lot = dice.between(least, most)
      return { claim: `0xc${claim}`, vault: `0xa${vault}`, rate: dice.pick(rates), min: lot, max: lot }
    }).filter(() => dice.chance(0.9)),
  ).flat()
  const wanted = dice.between(1, Math.min(claims, dice.chance(0.1) ? 10 : 8)) * dice.between(least, most)
  const target = Math.max(1, Math.ceil(wanted * (1 - rates[0] / 10_000)))
  const liquidity = Object.fromEntries(
    times(vaults, (vault) => [`0xa${vault}`, dice.chance(0.5) ? 1e6 : dice.between(1, 3 * most)]),
  )
  const input: OracleInput = { candidates, liquidity, target }
  if (dice.chance(0.2)) input.maxFace = target + dice.between(0, Math.ceil(target / 8) + 2)
  if (dice.chance(0.2)) input.maxCost = dice.between(0, Math.ceil((target * rates[0]) / 10_000) + 3)
  return input
}

/** Larger ones, beyond the oracle; `unit` makes the amounts too large for exact sums of doubles. */
function middlingLots(dice: Dice, unit: bigint): OptimizeInput {
  const rates = dice.pick([[500], [100, 120, 900]] as const)
  const noise = () => (unit * BigInt(dice.between(0, 999_999))) / 1_000_000n
  const candidates = times(7, (claim) =>
    times(3, (vault): Candidate => {
      const lot = unit * BigInt(dice.between(100, 400)) + noise()
      const rateBps = BigInt(dice.pick(rates))
      return { claimId: `0xc${claim}`, vault: `0xa${vault}`, rateBps, minFace: lot, maxFace: lot }
    }),
  ).flat()
  const liquidity = () => unit * BigInt(dice.chance(0.5) ? 4_000 : dice.between(300, 900))
  const vaultLiquidity = new Map(times(3, (vault) => [`0xa${vault}` as const, liquidity()]))
  return { candidates, vaultLiquidity, targetAdvance: unit * BigInt(dice.between(300, 1_200)) }
}

/** A claim that no route wants for its cost, and no fixed lot: with it, the general search decides. */
function forGeneralSearch(input: OptimizeInput, unit: bigint): OptimizeInput {
  const [minFace, maxFace] = [unit * 1_000_000n, unit * 1_000_001n]
  const dear: Candidate = { claimId: '0xcf', vault: '0xaf', rateBps: 9_900n, minFace, maxFace }
  const vaultLiquidity = new Map([...input.vaultLiquidity, ['0xaf' as const, maxFace]])
  return { ...input, candidates: [...input.candidates, dear], vaultLiquidity }
}

describe(`fixed lots (seed ${SEED})`, () => {
  it(`agree with plain enumeration (${RUNS} instances)`, () => {
    forInstances(RUNS, (dice) => expect(disagreement(smallLots(dice))).toBeUndefined())
  })

  it('are proved by meeting in the middle alone when they are small', () => {
    forInstances(200, (dice) => {
      const input = toOptimizeInput(smallLots(dice))
      const bounds = { target: input.targetAdvance, maxCost: undefined, maxFace: undefined, maxLegs: 8 }
      expect(bestByLots(buildProblem(input), bounds)?.proven).toBe(true)
    })
  })

  it.each([1n, 10n ** 6n, 10n ** 21n + 7n])('agree with the general search in units of %d', (unit) => {
    let compared = 0
    forInstances(60, (dice) => {
      const input = middlingLots(dice, unit)
      const given = optimizeRoute(input)
      const general = optimizeRoute(forGeneralSearch(input, unit))
      if (!general.executable || general.approximation !== 'exact' || general.totalCost > unit * 900_000n)
        return
      expect(given).toEqual(general)
      compared++
    })
    expect(compared).toBeGreaterThan(30)
  })

  it.each([8, 16])('cost no more than a route planted among 12 claims × %i vaults', (vaults) => {
    const dice = diceOf(seededRandom(SEED))
    const input = fixedLots(vaults, dice.between(1, 1_000))
    const claims = [...new Set(input.candidates.map(({ claimId }) => claimId))].slice(2, 9)
    let [cost, targetAdvance] = [0n, 0n]
    for (const claim of claims) {
      const { maxFace, rateBps } = input.candidates.filter(({ claimId }) => claimId === claim)[
        dice.between(0, vaults - 1)
      ] ?? { maxFace: 0n, rateBps: 0n }
      const discount = (maxFace * rateBps + 9_999n) / 10_000n
      cost += discount
      targetAdvance += maxFace - discount
    }
    const result = optimizeRoute({ ...input, targetAdvance })
    if (!result.executable) throw new Error(result.reason)
    expect(result.approximation).toBe('exact')
    expect(result.totalCost <= cost).toBe(true)
  })

  it('that differ by less than a double can tell are told apart', () => {
    const lot = (vault: Address, face: bigint): Candidate => {
      return { claimId: '0xc0', vault, rateBps: 5_000n, minFace: face, maxFace: face }
    }
    const face = 2n * 10n ** 21n
    const candidates = [lot('0xa0', face), lot('0xa1', face + 2n)]
    const vaultLiquidity = new Map(candidates.map(({ vault }) => [vault, face]))
    const result = optimizeRoute({ candidates, vaultLiquidity, targetAdvance: face / 2n + 1n })
    expect(result).toMatchObject({ approximation: 'exact', totalFace: face + 2n })
  })

  it('with one claim in a vault twice are left to the general search', () => {
    const lot = { claimId: '0xc0', vault: '0xa0', rateBps: 100n, minFace: 50n, maxFace: 50n } as const
    const candidates = [lot, { ...lot, minFace: 70n, maxFace: 70n }]
    const input = { candidates, vaultLiquidity: new Map([['0xa0', 100n] as const]), targetAdvance: 60n }
    const bounds = { target: 60n, maxCost: undefined, maxFace: undefined, maxLegs: 8 }
    expect(bestByLots(buildProblem(input), bounds)).toBeUndefined()
    expect(optimizeRoute(input)).toMatchObject({ approximation: 'exact', totalFace: 70n })
  })

  it('report a bound and no proof when the steps run out', () => {
    const input = fixedLots(16, 3)
    const bounds = { target: input.targetAdvance, maxCost: undefined, maxFace: undefined, maxLegs: 8 }
    const problem = buildProblem(input)
    const cut = bestByLots(problem, bounds, 100_000)
    expect(cut?.proven).toBe(false)
  })
})

function fixedLots(vaults: number, seed: number): OptimizeInput {
  const family = families.find((one) => one.name === 'fixed lots' && one.vaults === vaults)
  if (family === undefined) throw new Error('the benchmark has no such family')
  return family.make(seed)
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
