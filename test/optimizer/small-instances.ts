import type { Address, Hex } from 'viem'
import type { OptimizeInput } from '../../api/optimizer/index.ts'
import type { Dice } from '../support/dice.ts'
import { MAX_ROUTES, RATE_SETS, withBounds } from './instance-bounds.ts'
import type { OracleCandidate, OracleInput } from './oracle.ts'
import { seriesInstance } from './series-instances.ts'

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
    ...(input.limits && {
      issuerLimits: input.limits.map(({ vault, claims, max }) => ({
        vault: vault as Address,
        claimIds: claims as Hex[],
        maxFace: BigInt(max),
      })),
    }),
    ...(input.maxFace === undefined ? {} : { maxTotalFace: BigInt(input.maxFace) }),
    ...(input.maxCost === undefined ? {} : { maxTotalCost: BigInt(input.maxCost) }),
  }
}
