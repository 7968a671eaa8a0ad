import type { Address, Hex } from 'viem'
import { seededRandom } from '../../api/domain/random.ts'
import type { Candidate, OptimizeInput } from '../../api/optimizer/index.ts'
import { type Dice, diceOf } from '../../test/support/dice.ts'

/**
 * Random inputs of 13 to 20 claims. Each property of a market is drawn on its own, so that series of alike claims,
 * scarce liquidity, fixed lots, caps and unreachable targets meet in every combination.
 */
export function manyClaims(seed: number): OptimizeInput {
  const dice = diceOf(seededRandom(seed))
  const market = drawMarket(dice)
  const scale = pick(dice, [1, 1, 10 ** 6])
  const reach = reachOf(market)
  const target = Math.max(1, Math.round(reach * pick(dice, TARGETS)(dice)))
  const cost = Math.max(1, costOf(market, target))
  return {
    candidates: market.quotes.map((quote) => candidateOf(quote, scale, dice)),
    vaultLiquidity: new Map(
      market.liquidity.map((amount, vault) => [vaultOf(vault), grown(amount, scale, dice)]),
    ),
    targetAdvance: grown(target, scale, dice),
    ...(dice.chance(0.35) && { maxTotalCost: grown(cost * pick(dice, CAPS)(dice), scale, dice) }),
    ...(dice.chance(0.35) && { maxTotalFace: grown(target + cost * pick(dice, CAPS)(dice), scale, dice) }),
  }
}

type Quote = { claim: number; vault: number; rate: number; min: number; max: number }
type Market = { readonly quotes: readonly Quote[]; readonly liquidity: readonly number[] }
type Draw = (dice: Dice) => number

/** Multiples of what the market can advance: easy, near the limit on either side, and hopeless. */
const TARGETS: readonly Draw[] = [
  (dice) => 0.05 + 0.9 * dice.unit(),
  (dice) => 0.9 + 0.1 * dice.unit(),
  (dice) => 0.97 + 0.06 * dice.unit(),
  () => 1,
  (dice) => 1 + 0.5 * dice.unit(),
  (dice) => 2 + 1000 * dice.unit(),
]

/** Multiples of what the target costs in order of rate. */
const CAPS: readonly Draw[] = [
  () => 0,
  (dice) => 0.9 * dice.unit(),
  (dice) => 0.9 + 0.2 * dice.unit(),
  (dice) => 0.99 + 0.02 * dice.unit(),
  (dice) => 1 + dice.unit(),
]

/** Half-widths of the range of faces, as shares of the mean: equal claims, nearly equal ones, and any. */
const SPREADS = [0, 0, 0.001, 0.05, 0.2, 0.9] as const
const VAULTS: readonly Draw[] = [
  (dice) => dice.between(1, 5),
  (dice) => dice.between(2, 4),
  (dice) => dice.between(6, 19),
  (dice) => dice.between(20, 64),
]
const FACES = [20, 1_000, 10_000_000, 50_000_000_000] as const
/** Liquidity of a vault in mean faces. */
const DEPTHS: readonly Draw[] = [
  (dice) => 0.1 + dice.unit(),
  (dice) => 0.5 + 3 * dice.unit(),
  (dice) => 2 + 8 * dice.unit(),
  () => 100,
]

function drawMarket(dice: Dice): Market {
  const claims = dice.between(13, 20)
  const vaults = pick(dice, VAULTS)(dice)
  const mean = pick(dice, FACES) * (0.5 + dice.unit())
  const spread = pick(dice, SPREADS)
  const round = dice.chance(0.3) ? Math.max(1, Math.round(mean / 10)) : 1
  const faces = times(
    claims,
    () => Math.max(1, Math.round((mean * (1 + spread * (2 * dice.unit() - 1))) / round)) * round,
  )
  const sameDays = dice.chance(0.5)
  const days = times(claims, (claim) => (sameDays ? 30 : pick(dice, [30, 30 + claim, dice.between(7, 120)])))
  const terms = times(vaults, () => drawTerms(dice, mean))
  const sparse = dice.chance(0.3) ? 0.5 : 1
  const quotes = faces.flatMap((face, claim) =>
    terms.flatMap((vault, number) =>
      dice.chance(sparse) ? quote(dice, vault, face, days[claim] ?? 30, claim, number) : [],
    ),
  )
  const depth = pick(dice, DEPTHS)
  const equal = dice.chance(0.2) ? depth(dice) : undefined
  return { quotes, liquidity: terms.map(() => Math.round(mean * (equal ?? depth(dice)))) }
}

type Terms = {
  base: number
  perDay: number
  lot: 'wide' | 'least' | 'fixed' | 'own'
  min: number
  max: number
}

const RATES = [100, 105, 125, 300] as const

function drawTerms(dice: Dice, mean: number): Terms {
  const max = mean * pick(dice, [0.3, 0.7, 1, 3] as const) * (0.5 + dice.unit())
  return {
    base: dice.chance(0.4) ? pick(dice, RATES) : dice.between(0, 900),
    perDay: pick(dice, [0, 0, 1, 4] as const),
    lot: pick(dice, ['wide', 'wide', 'wide', 'least', 'fixed', 'own'] as const),
    min: mean * 0.6 * dice.unit(),
    max,
  }
}

function quote(dice: Dice, terms: Terms, face: number, days: number, claim: number, vault: number): Quote[] {
  const rate = terms.base + terms.perDay * days
  const max = Math.floor(terms.lot === 'own' ? face * dice.unit() : Math.min(face, terms.max))
  const min = Math.ceil(terms.lot === 'wide' ? 1 : terms.lot === 'least' ? terms.min : max)
  return min > max || max < 1 ? [] : [{ claim, vault, rate, min, max }]
}

/** About what eight claims can advance within the vaults' liquidity. */
function reachOf({ quotes, liquidity }: Market): number {
  const left = [...liquidity]
  const used = new Set<number>()
  let sum = 0
  for (const { claim, vault, rate, max } of [...quotes].sort((a, b) => b.max - a.max)) {
    const advance = Math.min(Math.floor((max * (10_000 - rate)) / 10_000), left[vault] ?? 0)
    if (used.has(claim) || used.size === 8 || advance < 1) continue
    used.add(claim)
    left[vault] = (left[vault] ?? 0) - advance
    sum += advance
  }
  return sum
}

/** About what the target costs at the lowest rates. */
function costOf({ quotes }: Market, target: number): number {
  const used = new Set<number>()
  let [cost, left] = [0, target]
  for (const { claim, rate, max } of [...quotes].sort((a, b) => a.rate - b.rate)) {
    if (used.has(claim)) continue
    used.add(claim)
    const advance = Math.min(left, (max * (10_000 - rate)) / 10_000)
    cost += (advance * rate) / (10_000 - rate)
    left -= advance
  }
  return cost
}

/** With digits of its own below the scale, unless the amount is alike in many places. */
function grown(amount: number, scale: number, dice: Dice): bigint {
  return (
    BigInt(Math.round(amount)) * BigInt(scale) ** 2n + (scale === 1 ? 0n : BigInt(dice.between(0, scale - 1)))
  )
}

function candidateOf({ claim, vault, rate, min, max }: Quote, scale: number, dice: Dice): Candidate {
  const minFace = BigInt(min) * BigInt(scale) ** 2n
  const maxFace =
    min === max ? minFace : BigInt(max) * BigInt(scale) ** 2n + BigInt(dice.between(0, 1) * (scale - 1))
  return { claimId: id('c1', claim, 64), vault: vaultOf(vault), rateBps: BigInt(rate), minFace, maxFace }
}

const id = (prefix: string, index: number, digits: number): Hex =>
  `0x${prefix}${index.toString(16).padStart(digits - 2, '0')}`
const vaultOf = (index: number): Address => id('a1', index, 40)

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const pick = <T>(dice: Dice, from: readonly T[]): T => {
  const one = from[dice.between(0, from.length - 1)]
  if (one === undefined) throw new RangeError('nothing to pick from')
  return one
}
