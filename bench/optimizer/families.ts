import type { Address, Hex } from 'viem'
import { seededRandom } from '../../api/domain/random.ts'
import type { Candidate, OptimizeInput } from '../../api/optimizer/index.ts'
import { type Dice, diceOf } from '../../test/support/dice.ts'
import { type Claim, candidate, liquidityOf, quoteAll, times, type Vault } from './market.ts'
import { series } from './series.ts'

/** Amounts are base units of a token with six decimals: 1_000_000 is one dollar. */
const DOLLAR = 1_000_000

export type Family = {
  readonly name: string
  readonly claims: number
  readonly vaults: number
  make(seed: number): OptimizeInput
}

const dollars = (dice: Dice, low: number, high: number): number =>
  Math.round(low * (high / low) ** dice.unit() * DOLLAR) + dice.between(0, DOLLAR - 1)

function drawClaim(dice: Dice): Claim {
  return { face: dollars(dice, 1_000, 300_000), days: dice.between(7, 120), type: dice.between(0, 3) }
}

function drawVault(dice: Dice): Vault {
  return {
    base: dice.between(80, 400),
    perDay: dice.between(0, 4),
    premium: [0, dice.between(0, 60), dice.between(0, 120), dice.between(0, 200)],
    types: dice.between(0, 15) | (1 << dice.between(0, 3)),
    maxDays: dice.between(45, 365),
    min: dollars(dice, 100, 3_000),
    max: dollars(dice, 20_000, 500_000),
  }
}

/** Roughly what the eight largest claims can advance: the scale on which targets are drawn. */
function reachOf(candidates: readonly Candidate[], liquidity: ReadonlyMap<Address, bigint>): number {
  const best = new Map<Hex, number>()
  for (const { claimId, vault, maxFace, rateBps } of candidates) {
    const advance = (Number(maxFace) * (10_000 - Number(rateBps))) / 10_000
    best.set(claimId, Math.max(best.get(claimId) ?? 0, Math.min(advance, Number(liquidity.get(vault) ?? 0n))))
  }
  const sorted = [...best.values()].sort((a, b) => b - a)
  return sorted.slice(0, 8).reduce((sum, advance) => sum + advance, 0)
}

function withTarget(
  candidates: Candidate[],
  vaultLiquidity: Map<Address, bigint>,
  share: number,
): OptimizeInput {
  return {
    candidates,
    vaultLiquidity,
    targetAdvance: BigInt(Math.max(1, Math.round(reachOf(candidates, vaultLiquidity) * share))),
  }
}

function realistic(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const candidates = quoteAll(
    times(claims, () => drawClaim(dice)),
    times(vaults, () => drawVault(dice)),
  )
  const liquidity = liquidityOf(vaults, () => dollars(dice, 10_000, 2_000_000))
  return withTarget(candidates, liquidity, 0.1 + 0.8 * dice.unit())
}

/**
 * A small market as seeded for a demonstration: no least lot to speak of, a quarter of the vaults at one rate whatever
 * the claim, and liquidity for two to ten claims each. Many claims share a saturated vault at one rate, so that
 * thousands of assignments cost the same but for rounding, and the least cost is a unit or two above the relaxation.
 */
function market(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const candidates = quoteAll(
    times(claims, (index) => ({ face: dice.between(800, 1_500) * DOLLAR + 1, days: 20 + index, type: 0 })),
    times(vaults, (index) => ({
      base: dice.between(50, 250),
      perDay: index % 4,
      premium: [dice.between(0, 6)],
      types: 15,
      maxDays: 365,
      min: 1,
      max: 100_000 * DOLLAR,
    })),
  )
  const liquidity = liquidityOf(vaults, () => dice.between(2_000, 11_000) * DOLLAR - dice.between(0, DOLLAR))
  return withTarget(candidates, liquidity, 0.3 + 0.65 * dice.unit())
}

/** Few distinct rates: most routes cost the same but for rounding. */
function equalRates(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const base = realistic(dice, claims, vaults)
  const rates = [dice.between(100, 500), dice.between(500, 900)]
  const candidates = base.candidates.map((one) => ({
    ...one,
    rateBps: BigInt(rates[dice.between(0, 1)] ?? 300),
  }))
  return { ...base, candidates }
}

function nearEqualRates(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const base = realistic(dice, claims, vaults)
  const rate = dice.between(200, 900)
  const candidates = base.candidates.map((one) => ({ ...one, rateBps: BigInt(rate + dice.between(0, 3)) }))
  return { ...base, candidates }
}

/** One mandate copied to every vault, with the same liquidity: only the ids differ. */
function identicalVaults(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const vault = { ...drawVault(dice), types: 15, maxDays: 365 }
  const liquidity = dollars(dice, 30_000, 300_000)
  const candidates = quoteAll(
    times(claims, () => drawClaim(dice)),
    times(vaults, () => vault),
  )
  return withTarget(
    candidates,
    liquidityOf(vaults, () => liquidity),
    0.2 + 0.7 * dice.unit(),
  )
}

/** Every pair has one lot only, all at one rate: subset sum with alternatives. */
function fixedLots(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const rate = dice.between(100, 900)
  const candidates = times(claims, (c) =>
    times(vaults, (v) => {
      const lot = dollars(dice, 1_000, 100_000)
      return candidate(c, v, rate, lot, lot)
    }),
  ).flat()
  return withTarget(
    candidates,
    liquidityOf(vaults, () => 10_000_000 * DOLLAR),
    0.2 + 0.6 * dice.unit(),
  )
}

/** Each vault has liquidity for a large lot or a few small ones. */
function tightLots(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const { candidates } = fixedLots(dice, claims, vaults)
  return withTarget(
    [...candidates],
    liquidityOf(vaults, () => dollars(dice, 50_000, 200_000)),
    0.3 + 0.5 * dice.unit(),
  )
}

/** One lot size per vault, as a mandate with minFace = maxFace gives. */
function vaultLots(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const rate = dice.between(100, 900)
  const lots = times(vaults, () => dollars(dice, 1_000, 100_000))
  const candidates = times(claims, (c) => {
    const face = dollars(dice, 20_000, 200_000)
    return lots.flatMap((lot, v) => (lot <= face ? [candidate(c, v, rate, lot, lot)] : []))
  }).flat()
  return withTarget(
    candidates,
    liquidityOf(vaults, () => 10_000_000 * DOLLAR),
    0.2 + 0.6 * dice.unit(),
  )
}

/** Each vault's liquidity is about one claim's advance: the assignment of claims to shared vaults decides. */
function tightLiquidity(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const base = realistic(dice, claims, vaults)
  const liquidity = liquidityOf(vaults, () => dollars(dice, 5_000, 60_000))
  return withTarget([...base.candidates], liquidity, 0.3 + 0.65 * dice.unit())
}

/** Realistic claims over vaults whose liquidity several claims can share. */
function sharedLiquidity(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const base = realistic(dice, claims, vaults)
  const liquidity = liquidityOf(vaults, () => dollars(dice, 20_000, 200_000))
  return withTarget([...base.candidates], liquidity, 0.5 + 0.48 * dice.unit())
}

/** Claims of similar size and a target that needs eight nearly full legs. */
function legLimit(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const drawn = times(claims, () => ({ ...drawClaim(dice), face: dollars(dice, 40_000, 60_000) }))
  const candidates = quoteAll(
    drawn,
    times(vaults, () => ({ ...drawVault(dice), max: 100_000 * DOLLAR, types: 15 })),
  )
  return withTarget(
    candidates,
    liquidityOf(vaults, () => dollars(dice, 50_000, 1_000_000)),
    0.93 + 0.065 * dice.unit(),
  )
}

/** The face cap cuts through the range of discounts, so that it is met or missed narrowly. */
function faceCap(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const base = realistic(dice, claims, vaults)
  const bps = BigInt(dice.between(250, 450))
  return { ...base, maxTotalFace: base.targetAdvance + (base.targetAdvance * bps) / 10_000n }
}

function costCap(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const base = tightLiquidity(dice, claims, vaults)
  return { ...base, maxTotalCost: (base.targetAdvance * BigInt(dice.between(250, 450))) / 10_000n }
}

function infeasible(dice: Dice, claims: number, vaults: number): OptimizeInput {
  const base = dice.chance(0.5) ? tightLiquidity(dice, claims, vaults) : realistic(dice, claims, vaults)
  const share = BigInt(dice.between(1010, 1500))
  const reach = BigInt(Math.round(reachOf(base.candidates, base.vaultLiquidity)))
  return { ...base, targetAdvance: (reach * share) / 1000n }
}

function family(
  name: string,
  claims: number,
  vaults: number,
  make: (dice: Dice, claims: number, vaults: number) => OptimizeInput,
): Family {
  return { name, claims, vaults, make: (seed) => make(diceOf(seededRandom(seed)), claims, vaults) }
}

export const families: readonly Family[] = [
  family('realistic', 12, 5, realistic),
  family('realistic', 12, 32, realistic),
  family('realistic', 12, 64, realistic),
  family('market', 12, 20, market),
  family('market', 12, 64, market),
  family('equal rates', 12, 64, equalRates),
  family('near-equal rates', 12, 64, nearEqualRates),
  family('identical vaults', 12, 64, identicalVaults),
  family('leg limit', 12, 64, legLimit),
  family('face cap', 12, 64, faceCap),
  family('tight liquidity', 12, 64, tightLiquidity),
  family('shared liquidity', 12, 64, sharedLiquidity),
  family('cost cap', 12, 64, costCap),
  family('infeasible', 12, 64, infeasible),
  family('fixed lots per vault', 12, 16, vaultLots),
  family('fixed lots', 12, 4, fixedLots),
  family('fixed lots', 12, 8, fixedLots),
  family('fixed lots', 12, 16, fixedLots),
  family('fixed lots', 12, 64, fixedLots),
  family('fixed lots, tight liquidity', 12, 16, tightLots),
  ...[2, 3, 4, 5].flatMap((vaults) => [
    family('equal claims', 12, vaults, series('equal')),
    family('near-equal claims', 12, vaults, series('near-equal')),
    family('near-equal claims, several dates', 12, vaults, series('near-equal, several dates')),
  ]),
]

/** Above the limit of the exact search. */
export const familiesOfMany: readonly Family[] = [16, 20].flatMap((claims) => [
  family('realistic', claims, 5, realistic),
  family('realistic', claims, 32, realistic),
  family('market', claims, 20, market),
  family('leg limit', claims, 32, legLimit),
  family('tight liquidity', claims, 32, tightLiquidity),
  family('equal claims', claims, 3, series('equal')),
  family('near-equal claims', claims, 4, series('near-equal')),
  family('near-equal claims, several dates', claims, 4, series('near-equal, several dates')),
])

/** The claims that a request can have at most, and as many vaults as no market is expected to have. */
export const largestMarket: Family = family('realistic', 20, 1_000, realistic)

const MILLION_MILLION = 10n ** 12n

/** The instances of a family in a token with 18 decimals, each amount with digits of its own down to the last. */
export function in18Decimals({ make, ...family }: Family): Family {
  return { ...family, make: (seed) => withMoreDigits(make(seed), diceOf(seededRandom(seed))) }
}

function withMoreDigits(input: OptimizeInput, dice: Dice): OptimizeInput {
  const known = new Map<bigint, bigint>()
  const grown = (amount: bigint): bigint => {
    const more = known.get(amount) ?? amount * MILLION_MILLION + BigInt(dice.between(0, 999_999_999_999))
    known.set(amount, more)
    return more
  }
  return {
    candidates: input.candidates.map((one) => ({
      ...one,
      minFace: grown(one.minFace),
      maxFace: grown(one.maxFace),
    })),
    vaultLiquidity: new Map([...input.vaultLiquidity].map(([vault, amount]) => [vault, grown(amount)])),
    targetAdvance: grown(input.targetAdvance),
    ...(input.issuerLimits && {
      issuerLimits: input.issuerLimits.map((limit) => ({ ...limit, maxFace: grown(limit.maxFace) })),
    }),
    ...(input.maxTotalFace === undefined ? {} : { maxTotalFace: grown(input.maxTotalFace) }),
    ...(input.maxTotalCost === undefined ? {} : { maxTotalCost: grown(input.maxTotalCost) }),
  }
}
