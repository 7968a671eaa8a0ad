import type { Address, Hex } from 'viem'
import type { OptimizeInput } from '../../api/optimizer/index.ts'
import { MAX_ROUTES, RATE_SETS, withBounds } from './instance-bounds.ts'
import type { OracleCandidate, OracleInput } from './oracle.ts'
import { seriesInstance } from './series-instances.ts'

/** mulberry32: a small seeded generator, so that a failing instance can be named by two numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export type Dice = {
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
}

export function diceOf(random: () => number): Dice {
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
  return {
    between,
    chance: (probability) => random() < probability,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
  }
}

/** A small random instance: tight and loose liquidity, fixed lots, ties, odd roundings, caps near the optimum. */
export function smallInstance(dice: Dice): OracleInput {
  const shape = dice.pick([
    'general',
    'general',
    'general',
    'lots',
    'manyClaims',
    'shared',
    'series',
  ] as const)
  if (shape === 'series') return seriesInstance(dice)
  const claims = shape === 'manyClaims' ? dice.between(8, 10) : dice.between(1, shape === 'lots' ? 6 : 4)
  const vaults =
    shape === 'manyClaims' ? dice.between(1, 2) : shape === 'shared' ? dice.between(1, 2) : dice.between(1, 4)
  const rates = dice.pick(RATE_SETS)
  const span = dice.pick([1, 3, 8, 20, 60] as const)
  const scale = dice.pick([3, 12, 40, 150, 2000] as const)
  const fixed = shape === 'lots' || shape === 'manyClaims'
  const candidates: OracleCandidate[] = []
  let routes = 1
  for (let claim = 0; claim < claims; claim++) {
    let lots = 1
    for (let vault = 0; vault < vaults; vault++) {
      if (!dice.chance(0.8)) continue
      const min = dice.between(0, scale)
      const max = fixed && dice.chance(0.9) ? min : min + dice.between(0, span)
      const width = Math.max(0, max - min + 1)
      if (routes * (lots + width) > MAX_ROUTES) continue
      lots += width
      candidates.push({
        claim: `0xc${claim.toString(16)}`,
        vault: `0xa${vault}`,
        rate: dice.pick(rates),
        min,
        max,
      })
    }
    routes *= lots
  }
  return withBounds(dice, candidates, vaults, shape === 'shared')
}

export function toOptimizeInput(input: OracleInput): OptimizeInput {
  return {
    candidates: input.candidates.map(({ claim, vault, rate, min, max }) => ({
      claimId: claim as Hex,
      vault: vault as Address,
      rateBps: BigInt(rate),
      minFace: BigInt(min),
      maxFace: BigInt(max),
    })),
    vaultLiquidity: new Map(
      Object.entries(input.liquidity).map(([vault, amount]) => [vault as Address, BigInt(amount)]),
    ),
    targetAdvance: BigInt(input.target),
    ...(input.maxFace === undefined ? {} : { maxTotalFace: BigInt(input.maxFace) }),
    ...(input.maxCost === undefined ? {} : { maxTotalCost: BigInt(input.maxCost) }),
  }
}
