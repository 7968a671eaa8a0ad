import { advanceOf, faceForAdvance } from '../../api/domain/discount.ts'
import type { Candidate, OptimizeInput } from '../../api/optimizer/index.ts'
import type { Dice } from '../support/dice.ts'
import type { OracleInput } from './oracle.ts'

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
export function smallLots(dice: Dice): OracleInput {
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
export function middlingLots(dice: Dice, unit: bigint): OptimizeInput {
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

/** Few sizes, a unit or two off, of amounts whose units doubles cannot hold; every bound just what some route needs. */
export function hugeLots(dice: Dice): OptimizeInput {
  const unit = 10n ** BigInt(dice.pick([13, 15, 17, 21]))
  const noise = dice.pick([3, 3, 30, 1_000_000])
  const rates = dice.pick<Several<number>>([[5_000], [9_999], [9_990, 9_999], [0, 9_998], [500, 9_999]])
  const vaults = (['0xa0', '0xa1'] as const).slice(0, dice.between(1, 2))
  const candidates = times(dice.between(3, 5), (claim) =>
    vaults.map((vault): Candidate => {
      const rateBps = BigInt(dice.pick(rates))
      const lot = faceForAdvance(unit * BigInt(dice.between(1, 2)), rateBps) + BigInt(dice.between(0, noise))
      return { claimId: `0xc${claim}`, vault, rateBps, minFace: lot, maxFace: lot }
    }),
  ).flat()
  const claims = new Map(
    candidates.filter(() => dice.chance(0.5)).map((candidate) => [candidate.claimId, candidate]),
  )
  const used = (wanted: (candidate: Candidate) => boolean): bigint =>
    [...claims.values()]
      .filter(wanted)
      .reduce((sum, { maxFace, rateBps }) => sum + advanceOf(maxFace, rateBps), 0n)
  const face = [...claims.values()].reduce((sum, { maxFace }) => sum + maxFace, 0n)
  const target = used(() => true) + BigInt(dice.between(-2, 1))
  return {
    candidates,
    vaultLiquidity: new Map(
      vaults.map((vault) => [
        vault,
        dice.chance(0.5) ? 100n * unit : used((candidate) => candidate.vault === vault),
      ]),
    ),
    targetAdvance: target < 1n ? 1n : target,
    ...(dice.chance(0.3) ? { maxTotalFace: face } : {}),
  }
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
