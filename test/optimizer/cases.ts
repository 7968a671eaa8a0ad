import type { Address } from 'viem'
import { advanceOf, faceForAdvance } from '../../api/domain/discount.ts'
import { seededRandom } from '../../api/domain/random.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import { type Domain, keepsRanges, wholeDomain, withLegs } from '../../api/optimizer/model/domain.ts'
import type { Problem } from '../../api/optimizer/model/problem.ts'
import { compareRoutes, type Route } from '../../api/optimizer/model/route.ts'
import type { Candidate } from '../../api/optimizer/model/types.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { visitAssignments } from '../../api/optimizer/search/enumerate.ts'
import { cheapestSplit } from '../../api/optimizer/split/split.ts'
import { type Dice, diceOf } from '../support/dice.ts'
import { limitedInstance } from './limited-instances.ts'
import type { OracleInput } from './oracle.ts'
import { seriesInstance } from './series-instances.ts'
import { smallInstance, toOptimizeInput } from './small-instances.ts'

export const NO_CAPS = { maxCost: undefined, maxFace: undefined }

export type Case = { problem: Problem; target: bigint; maxLegs: number; routes: Route[] }
/** A case as a node of the search sees it: some claims must be used, and `routes` are those that do. */
export type NodeCase = Case & { domain: Domain; least: bigint }

/** All cheapest routes, one per assignment, without any pruning: what each rule is held against. */
export function cases(seed: number, instances: number): Case[] {
  const dice = diceOf(seededRandom(seed))
  const small = Array.from({ length: instances }, () => drawCase(dice))
  const shared = Array.from({ length: instances / 4 }, () => drawShared(dice))
  return [...small, ...shared].filter(({ routes }) => routes.length > 0)
}

/**
 * The whole domain, one in which some claims of some route are required, and one in which some vault's legs are
 * counted.
 */
export function nodesOf({ routes, ...rest }: Case): NodeCase[] {
  const whole = wholeDomain(rest.problem)
  const some = routes[routes.length >> 1]
  const required = whole.required.map((_, claim) =>
    (some?.options ?? []).some((option) => option.claim === claim && option.hi % 3n !== 0n),
  )
  return [whole, { ...whole, required }, counted(whole, some)].flatMap((domain) => {
    const inside = routes.filter((route) => within(domain, route))
    return inside[0] === undefined ? [] : [{ ...rest, routes: inside, domain, least: inside[0].cost }]
  })
}

/** About as many legs in one vault as some route has there: exactly as many, more, or fewer. */
function counted(whole: Domain, route: Route | undefined): Domain {
  const [first] = route?.options ?? []
  if (route === undefined || first === undefined) return whole
  const count = route.options.filter(({ vault }) => vault === first.vault).length
  const kind = Number((first.hi + route.cost) % 4n)
  const range = [
    { least: count, most: count },
    { least: count, most: count + 1 },
    { least: count + 1, most: count + 2 },
    { least: 0, most: count - 1 },
  ][kind]
  return range === undefined ? whole : withLegs(whole, first.vault, range)
}

export function within(domain: Domain, route: Route): boolean {
  const uses = (claim: number): boolean => route.options.some((option) => option.claim === claim)
  return (
    keepsRanges(domain.legs, route.options) &&
    route.options.every((option) => (domain.options[option.claim] ?? []).includes(option)) &&
    domain.required.every((required, claim) => !required || uses(claim))
  )
}

export const drawCase = (dice: Dice): Case => caseOf(dice, smallInstance(dice))

/** A series of alike claims, of which some differ in a lot or a rate. */
export const drawSeries = (dice: Dice): Case => caseOf(dice, seriesInstance(dice))

/** Issuers with limits in vaults. */
export const drawLimited = (dice: Dice): Case => caseOf(dice, limitedInstance(dice))

function caseOf(dice: Dice, instance: OracleInput): Case {
  const input = toOptimizeInput(instance)
  const problem = buildProblem({ ...input, candidates: input.candidates.slice(0, 14) })
  const maxLegs = dice.between(1, 4)
  return {
    problem,
    target: input.targetAdvance,
    maxLegs,
    routes: routesOf(problem, input.targetAdvance, maxLegs),
  }
}

/** The cheapest route of every assignment, best first. */
export function routesOf(problem: Problem, target: bigint, maxLegs: number): Route[] {
  const routes: Route[] = []
  const everything = () => ({ maxLegs, target: 0n, ...NO_CAPS })
  visitAssignments(wholeDomain(problem), everything, (options) => {
    const split = cheapestSplit(problem, options, { target, ...NO_CAPS }, newWorkBudget())
    if (split.kind === 'route') routes.push(split.route)
  })
  return routes.sort(compareRoutes)
}

/**
 * Four claims that crowd two cheap vaults, one of them at one rate for all; an expensive vault has room for every
 * claim.
 */
export function drawShared(dice: Dice): Case {
  const faces = Array.from({ length: 4 }, () => BigInt(dice.between(40, 900)))
  const flat = BigInt(dice.pick([0, 51, 333, 500]))
  const candidates = faces.flatMap((maxFace, claim) => {
    const rates = {
      '0xa0': flat,
      '0xa1': BigInt(dice.between(300, 700)),
      '0xa2': BigInt(dice.between(900, 2_500)),
    }
    return (['0xa0', '0xa1', '0xa2'] as const).map((vault) => ({
      claimId: `0xc${claim}` as const,
      vault,
      rateBps: rates[vault],
      minFace: BigInt(dice.between(1, dice.chance(0.3) ? 200 : 2)),
      maxFace,
    }))
  })
  const reach = faces.reduce((sum, face) => sum + face, 0n)
  const some = () => (reach * BigInt(dice.between(10, 60))) / 100n
  const targetAdvance = (reach * BigInt(dice.between(30, 80))) / 100n
  const vaultLiquidity = new Map([
    ['0xa0', some()] as const,
    ['0xa1', some()] as const,
    ['0xa2', reach] as const,
  ])
  const problem = buildProblem({ candidates, vaultLiquidity, targetAdvance })
  return { problem, target: targetAdvance, maxLegs: 4, routes: routesOf(problem, targetAdvance, 4) }
}

/**
 * Vaults that are alike, or all but for one thing: their liquidity, or a rate or a lot here and there. Reduced costs
 * are as often equal as they nearly are.
 */
export function drawTwins(dice: Dice): Case {
  const differ = dice.pick(['liquidity', 'rate', 'least', 'most', 'nothing'] as const)
  const off = (what: typeof differ, most: number) =>
    differ === what && dice.chance(0.3) ? dice.between(1, most) : 0
  const vaults = (['0xa0', '0xa1', '0xa2', '0xa3'] as const).slice(0, dice.between(2, 4))
  const [rate, least] = [dice.pick([0, 1, 368, dice.between(100, 3_000)]), dice.between(1, 30)]
  const liquidity = dice.between(20, 160)
  const candidates = Array.from({ length: dice.between(3, 5) }, (_, claim) => {
    const face = dice.between(30, 90)
    return vaults.map((vault) => ({
      claimId: `0xc${claim}` as const,
      vault,
      rateBps: BigInt(rate + off('rate', 9)),
      minFace: BigInt(least + off('least', 10)),
      maxFace: BigInt(face + off('most', 9)),
    }))
  }).flat()
  const vaultLiquidity = new Map(
    vaults.map((vault) => [vault, BigInt(liquidity + off('liquidity', 40))] as const),
  )
  const all = [...vaultLiquidity.values()].reduce((sum, amount) => sum + amount, 0n)
  const targetAdvance = dice.chance(0.5)
    ? BigInt(dice.between(30, 200))
    : (all * BigInt(dice.between(70, 99))) / 100n
  const problem = buildProblem({ candidates, vaultLiquidity, targetAdvance })
  const maxLegs = dice.between(2, 8)
  return { problem, target: targetAdvance, maxLegs, routes: routesOf(problem, targetAdvance, maxLegs) }
}

/**
 * Vaults nearly filled by cheap claims, of which the least lot of a more expensive one displaces some: then a unit that
 * rounding costs or saves decides who goes there. At high rates a least lot may cost much more than its advance alone
 * would.
 */
export function drawDisplacing(dice: Dice): Case {
  const base = dice.pick([500, 1_000, 3_000, 6_000, 9_800])
  const loss = dice.chance(0.5) ? 0 : base === 9_800 ? 90 : 3
  const [most, spread] = [dice.pick([6, 15, 40, 100]), dice.pick([1, 10, 200, 600])]
  const crowded = dice.chance(0.4) ? (['0xa0', '0xa1'] as const) : (['0xa0'] as const)
  const candidates: Candidate[] = Array.from({ length: dice.between(2, 4) }, (_, claim) => {
    const claimId = `0xc${claim}` as const
    const cheap = crowded.map((vault): Candidate => {
      const rateBps = BigInt(Math.min(9_900, base + dice.between(0, spread)))
      const least = dice.between(1, most)
      const wide = dice.between(0, dice.pick([0, 2, most]))
      const minFace = faceForAdvance(BigInt(least), rateBps) + BigInt(dice.between(0, loss))
      return { claimId, vault, rateBps, minFace, maxFace: minFace + faceForAdvance(BigInt(wide), rateBps) }
    })
    if (dice.chance(0.5)) return cheap
    const rateBps = BigInt(Math.min(9_950, base + spread + dice.between(0, 50)))
    return [
      ...cheap,
      {
        claimId,
        vault: '0xaf' as const,
        rateBps,
        minFace: 1n,
        maxFace: faceForAdvance(BigInt(2 * most), rateBps),
      },
    ]
  }).flat()
  const reachOf = (vault?: string): bigint =>
    candidates.reduce((sum, one) => {
      return vault === undefined || one.vault === vault ? sum + advanceOf(one.maxFace, one.rateBps) : sum
    }, 0n)
  const share = (amount: bigint, least: number, most: number) =>
    (amount * BigInt(dice.between(least, most))) / 100n
  const vaultLiquidity = new Map<Address, bigint>(
    crowded.map((vault) => [vault, 1n + share(reachOf(vault), 30, 95)]),
  )
  vaultLiquidity.set('0xaf', reachOf('0xaf'))
  const target = 1n + share(reachOf(), 10, 70) / BigInt(crowded.length)
  const problem = buildProblem({ candidates, vaultLiquidity, targetAdvance: target })
  const maxLegs = dice.between(1, 5)
  return { problem, target, maxLegs, routes: routesOf(problem, target, maxLegs) }
}
