import { seededRandom } from '../../api/domain/random.ts'
import type { Candidate, OptimizeInput } from '../../api/optimizer/index.ts'
import { type Dice, diceOf } from '../../test/support/dice.ts'
import type { Family } from './families.ts'
import { candidate, liquidityOf, times } from './market.ts'

/**
 * Markets at the edges of the proofs: lots and liquidity that the relaxations do not see, amounts of very different
 * size, and routes whose costs differ in the last digits of 128-bit amounts.
 */
const DOLLAR = 1_000_000
const MAX_LEGS = 8

const between = (dice: Dice, low: number, high: number): number =>
  Math.round(low * (high / low) ** dice.unit())
const largest = (amounts: readonly number[], count: number): number =>
  [...amounts]
    .sort((a, b) => b - a)
    .slice(0, count)
    .reduce((sum, amount) => sum + amount, 0)

function inputOf(
  candidates: readonly Candidate[],
  liquidity: readonly number[],
  target: number,
): OptimizeInput {
  return {
    candidates,
    vaultLiquidity: liquidityOf(liquidity.length, (vault) => liquidity[vault] ?? 0),
    targetAdvance: BigInt(Math.max(1, Math.round(target))),
  }
}

/** Each vault has liquidity for a part of one claim, and the target takes most of the eight largest of them. */
function thinLiquidity(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const faces = times(claims, () => between(dice, 30_000, 300_000) * DOLLAR)
  const bases = times(vaults, () => dice.between(80, 500))
  const liquidity = times(vaults, () => between(dice, 3_000, 30_000) * DOLLAR + dice.between(0, DOLLAR))
  const least = times(vaults, () => (dice.chance(0.5) ? 1 : between(dice, 500, 4_000) * DOLLAR))
  const candidates = faces.flatMap((face, c) =>
    bases.map((base, v) => candidate(c, v, base + dice.between(0, 40), least[v] ?? 1, face)),
  )
  return inputOf(candidates, liquidity, largest(liquidity, MAX_LEGS) * (0.7 + 0.28 * dice.unit()))
}

/** Lots of a few sizes into vaults that hold two or three of them, and a target that takes nearly all that fits. */
function binPacking(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const mean = dice.between(20_000, 60_000) * DOLLAR
  const faces = times(claims, () => Math.round(mean * (0.6 + 0.8 * dice.unit())))
  const bases = times(vaults, () => dice.between(80, 400))
  const liquidity = times(vaults, () => Math.round(mean * (1.2 + 1.6 * dice.unit())))
  const candidates = faces.flatMap((face, c) =>
    bases.map((base, v) => candidate(c, v, base, Math.round(face * 0.97), face)),
  )
  const reach = Math.min(largest(faces, MAX_LEGS), largest(liquidity, MAX_LEGS))
  return inputOf(candidates, liquidity, reach * (0.55 + 0.4 * dice.unit()))
}

/** Rates of a claim and a vault add up, but for a few basis points. */
function correlatedRates(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const faces = times(claims, () => between(dice, 10_000, 200_000) * DOLLAR + dice.between(0, DOLLAR))
  const ofClaim = times(claims, () => dice.between(0, 300))
  const ofVault = times(vaults, () => dice.between(50, 150))
  const liquidity = times(vaults, () => between(dice, 5_000, 80_000) * DOLLAR)
  const candidates = faces.flatMap((face, c) =>
    ofVault.map((base, v) =>
      candidate(c, v, base + (ofClaim[c] ?? 0) + dice.between(0, 4), dice.between(1, 2_000) * DOLLAR, face),
    ),
  )
  const reach = Math.min(largest(faces, MAX_LEGS), largest(liquidity, MAX_LEGS))
  return inputOf(candidates, liquidity, reach * (0.3 + 0.65 * dice.unit()))
}

/** Faces, lots and liquidity from one unit to 10^15, with a target of a few units up to most of what there is. */
function mixedMagnitudes(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const amount = () => between(dice, 1, 10 ** dice.between(1, 15))
  const faces = times(claims, amount)
  const liquidity = times(vaults, amount)
  const candidates = faces.flatMap((face, c) =>
    times(vaults, (v) => {
      const max = Math.min(face, amount() * 10)
      const min = dice.chance(0.5) ? 1 : between(dice, 1, max)
      return candidate(c, v, dice.pick([1, 100, 333, 3_333, 9_000] as const) + dice.between(0, 9), min, max)
    }),
  )
  const target = dice.chance(0.7) ? dice.between(1, 500) : largest(liquidity, 3) * dice.unit()
  return inputOf(candidates, liquidity, target)
}

/** Amounts at 2^128 and rates a basis point apart: relaxation and routes agree in all but the last digits. */
function nearTies(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const digits = (): bigint => {
    let value = 0n
    for (let part = 0; part < 4; part++) value = (value << 32n) + BigInt(dice.between(0, 2 ** 32 - 1))
    return value
  }
  const base = dice.between(100, 400)
  const mean = (1n << 127n) + digits() / 2n
  const faces = times(claims, () => mean + digits() / 1_024n)
  const few = times(vaults, () => base + dice.between(0, 1))
  const candidates = faces.flatMap((face, c) =>
    few.map((rate, v) => ({ ...candidate(c, v, rate, 1, 1), minFace: face / 4n, maxFace: face })),
  )
  const input = inputOf(candidates, few, 1)
  const liquidity = [...input.vaultLiquidity.keys()].map(
    (vault) => [vault, (mean * BigInt(dice.between(60, 260))) / 100n + digits() / 64n] as const,
  )
  const all = liquidity.reduce((sum, [, own]) => sum + own, 0n)
  const most = all < 8n * mean ? all : 8n * mean
  const targetAdvance = (most * BigInt(dice.between(40, 92))) / 100n + digits() / 64n
  return { ...input, vaultLiquidity: new Map(liquidity), targetAdvance }
}

/** Fixed lots at one rate, one claim of them flexible, and a face cap that only an exact sum meets. */
function subsetSums(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const rate = dice.between(100, 900)
  const candidates = times(claims, (c) =>
    times(vaults, (v) => {
      const lot = between(dice, 1_000, 100_000) * DOLLAR + dice.between(0, DOLLAR)
      return candidate(c, v, rate, c === 0 && dice.chance(0.5) ? lot - 1 : lot, lot)
    }),
  ).flat()
  const lots = times(claims, (c) => Number(candidates[c * vaults]?.maxFace ?? 0n))
  const target = (largest(lots, MAX_LEGS) * (0.3 + 0.5 * dice.unit()) * (10_000 - rate)) / 10_000
  const cost = Math.round((target * rate) / (10_000 - rate))
  const input = inputOf(
    candidates,
    times(vaults, () => 1_000_000 * DOLLAR),
    target,
  )
  return { ...input, maxTotalFace: input.targetAdvance + BigInt(cost + dice.pick([0, 4, 40] as const)) }
}

const MANY = { least: 13, most: 20 }

function edge(
  name: string,
  claims: number | typeof MANY,
  vaults: number,
  make: (dice: Dice, claims: number, vaults: number) => OptimizeInput,
): Family {
  const most = typeof claims === 'number' ? claims : claims.most
  return {
    name: typeof claims === 'number' ? name : `${name}, 13 to 20 claims`,
    claims: most,
    vaults,
    make: (seed) => {
      const dice = diceOf(seededRandom(seed))
      return make(dice, typeof claims === 'number' ? claims : dice.between(claims.least, claims.most), vaults)
    },
  }
}

export const edgeFamilies: readonly Family[] = [
  edge('thin liquidity', 12, 30, thinLiquidity),
  edge('thin liquidity', MANY, 30, thinLiquidity),
  edge('bin packing', 12, 6, binPacking),
  edge('bin packing', MANY, 6, binPacking),
  edge('correlated rates', 12, 100, correlatedRates),
  edge('correlated rates', MANY, 100, correlatedRates),
  edge('mixed magnitudes', 12, 12, mixedMagnitudes),
  edge('mixed magnitudes', MANY, 12, mixedMagnitudes),
  edge('near ties at 2^128', 12, 8, nearTies),
  edge('near ties at 2^128', MANY, 8, nearTies),
  edge('subset sums under a face cap', 12, 8, subsetSums),
  edge('subset sums under a face cap', MANY, 8, subsetSums),
]
