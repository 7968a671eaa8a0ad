import { describe, expect, it } from 'vitest'
import { larger } from '../../api/domain/bigint.ts'
import { seededRandom } from '../../api/domain/random.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import { wholeDomain, withClaim } from '../../api/optimizer/model/domain.ts'
import type { Goal } from '../../api/optimizer/model/goal.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { reachOf } from '../../api/optimizer/relaxation/advance-bound.ts'
import { construct } from '../../api/optimizer/relaxation/construct.ts'
import { costAscents, fillMultipliers } from '../../api/optimizer/relaxation/cost-ascents.ts'
import { leastCostAt, mostAdvanceAt } from '../../api/optimizer/relaxation/exact-multiplier-bound.ts'
import { ascend, type Multipliers, noMultipliers } from '../../api/optimizer/relaxation/multipliers.ts'
import { mostByLegs } from '../../api/optimizer/relaxation/vault-legs.ts'
import { newWorkspace } from '../../api/optimizer/relaxation/workspace.ts'
import { outclassed } from '../../api/optimizer/search/claim-order.ts'
import { search } from '../../api/optimizer/search/search.ts'
import { diceOf } from '../support/dice.ts'
import { cases, drawShared, drawTwins, type NodeCase, nodesOf, routesOf, within } from './cases.ts'

const SEED = 90_210
const dice = diceOf(seededRandom(SEED))
const drawn = [
  ...cases(SEED, 400),
  ...Array.from({ length: 30 }, () => drawTwins(dice)),
  ...Array.from({ length: 30 }, () => drawShared(dice)),
].filter(({ routes }) => routes.length > 0)
const nodes = drawn.flatMap(nodesOf)

/** A node with more than one claim that competes for a vault is bounded by multipliers; nothing is enumerated. */
const WIDEST = 1
const FEW = 1

const anyMultipliers = ({ problem }: NodeCase): Multipliers => ({
  target: dice.between(0, 3) === 0 ? dice.between(0, 4000) / 1000 : dice.between(0, 2000) / 10_000,
  vaults: Float64Array.from(problem.vaults, () => (dice.chance(0.5) ? 0 : dice.between(0, 2000) / 10_000)),
  legs: Float64Array.from(problem.vaults, () => (dice.chance(0.3) ? 0 : dice.between(-400, 400) / 10)),
})

function goalOf(
  { target, maxLegs }: NodeCase,
  accept: (goal: Goal, cost: bigint, advance: bigint) => Goal,
): Goal {
  return {
    target,
    maxCost: undefined,
    maxFace: undefined,
    maxLegs,
    cheapest: true,
    accept: (route, goal) => accept(goal, route.cost, route.advance),
  }
}

/** The largest advance of any assignment, whatever it costs. */
function mostOf({ problem, maxLegs, domain }: NodeCase): bigint {
  let most = 0n
  for (const step of [1n << 20n, 1n << 12n, 1n << 6n, 8n, 1n]) {
    while (routesOf(problem, most + step, maxLegs).some((route) => within(domain, route))) most += step
  }
  return most
}

describe(`nodes wider than the tables (seed ${SEED}, ${drawn.length} instances)`, () => {
  it('are bounded from below by any multipliers, in whole numbers', () => {
    for (const node of nodes) {
      const { domain, least } = node
      const bound = leastCostAt(domain, node, anyMultipliers(node))
      expect(bound).toBeDefined()
      expect((bound ?? 0n) <= least).toBe(true)
    }
  })

  it('are bounded from below after an ascent too, mostly by more than half of the least cost', () => {
    let near = 0
    for (const { domain, target, maxLegs, least } of nodes) {
      const aim = { target, level: least, objective: 'cost' as const, maxLegs }
      const from = noMultipliers(domain, 0.05)
      const { multipliers } = ascend(domain, aim, from, newWorkBudget())
      const bound = leastCostAt(domain, { target, maxLegs }, multipliers) ?? 0n
      expect(bound <= least).toBe(true)
      if (2n * bound >= least) near++
    }
    expect(near / nodes.length).toBeGreaterThan(0.5)
  })

  it('are bounded from below by each ascent of the cost, the better one first', () => {
    let second = 0
    for (const { domain, target, maxLegs, least } of nodes) {
      const aim = { target, level: least, maxLegs }
      const [first, other] = costAscents(domain, aim, newWorkBudget())
      expect(first.value).toBeGreaterThanOrEqual(other.value)
      for (const { multipliers } of [first, other]) {
        const bound = leastCostAt(domain, { target, maxLegs }, multipliers) ?? 0n
        expect(bound <= least).toBe(true)
      }
      if (first.multipliers.target !== other.multipliers.target) second++
    }
    expect(second).toBeGreaterThan(100)
  })

  it('are bounded to within the rounding of the legs by the multipliers of a fill where only liquidity binds', () => {
    const rates = [90n, 105n, 356n]
    const liquidity = [2_500_000n, 40_000_000n, 40_000_000n]
    const problem = buildProblem({
      candidates: Array.from({ length: 14 }, (_, claim) =>
        rates.map((rateBps, vault) => ({
          claimId: `0xc${claim.toString(16)}` as const,
          vault: `0xa${vault}` as const,
          rateBps,
          minFace: 1n,
          maxFace: 1_000_000n + BigInt(claim),
        })),
      ).flat(),
      vaultLiquidity: new Map(liquidity.map((amount, vault) => [`0xa${vault}`, amount])),
      targetAdvance: 6_000_000n,
    })
    const domain = wholeDomain(problem)
    const bounds = { target: 6_000_000n, maxLegs: 8 }
    const least = (2_500_000n * 90n) / 9_910n + (3_500_000n * 105n) / 9_895n
    const bound = leastCostAt(domain, bounds, fillMultipliers(domain, 6_000_000)) ?? 0n
    expect(bound <= least + 2n).toBe(true)
    expect(bound >= least - 8n).toBe(true)
  })

  it('are bounded in how far they reach, under caps as without', () => {
    for (const node of nodes.slice(0, 250)) {
      const { domain, maxLegs, routes } = node
      const most = mostOf(node)
      const uncapped = { maxCost: undefined, maxFace: undefined, maxLegs, target: most + 1n }
      expect(reachOf(domain, uncapped, newWorkBudget(), most + 1n).most >= most).toBe(true)
      expect(mostByLegs(domain, maxLegs, newWorkBudget()) >= most).toBe(true)
      const route = routes[dice.between(0, routes.length - 1)]
      if (route === undefined) continue
      const caps = [
        { maxCost: route.cost, maxFace: undefined },
        { maxCost: undefined, maxFace: route.face },
        { maxCost: route.cost, maxFace: route.face },
      ]
      for (const cap of caps) {
        const bounds = { ...cap, maxLegs, target: route.advance }
        expect(reachOf(domain, bounds, newWorkBudget(), route.advance + 1n).most >= route.advance).toBe(true)
        const atAny = mostAdvanceAt(domain, bounds, anyMultipliers(node), 'cost')
        expect(atAny === undefined || atAny >= route.advance).toBe(true)
      }
    }
  })

  it('are searched to the least cost, by splits on claims, and on the legs of vaults in a second run', () => {
    for (const [index, node] of nodes.entries()) {
      let least: bigint | undefined
      const goal = goalOf(node, (own, cost) => {
        least = cost
        return { ...own, maxCost: cost - 1n }
      })
      const space = newWorkspace(newWorkBudget(), WIDEST, index % 2 === 0 ? 0 : undefined)
      const outcome = search(node.domain, goal, space, FEW)
      expect(outcome.complete).toBe(true)
      expect(least).toBe(node.least)
    }
  })

  it('are searched to the largest advance', () => {
    for (const node of nodes.slice(0, 200)) {
      let most = 0n
      const anyCost = goalOf(node, (own, _, advance) => {
        most = larger(most, advance)
        return { ...own, target: most + 1n }
      })
      const goal = { ...anyCost, target: 1n, cheapest: false }
      expect(search(node.domain, goal, newWorkspace(newWorkBudget(), WIDEST), FEW).complete).toBe(true)
      expect(most).toBe(mostOf(node))
    }
  })

  it('report what a budget that ends leaves open, so that no route costs less or reaches further', () => {
    let unfinished = 0
    for (const node of nodes) {
      for (const steps of [3_000, 30_000, 120_000]) {
        let best: bigint | undefined
        const goal = goalOf(node, (own, cost) => {
          best = cost
          return { ...own, maxCost: cost - 1n }
        })
        const { complete, lowerBound, open } = search(
          node.domain,
          goal,
          newWorkspace(newWorkBudget(steps), WIDEST),
          FEW,
        )
        if (complete) continue
        unfinished++
        expect((best !== undefined && best < lowerBound ? best : lowerBound) <= node.least).toBe(true)
        if (best === undefined && open !== undefined)
          expect(node.routes.some((route) => open.some((part) => within(part, route)))).toBe(true)
      }
    }
    expect(unfinished).toBeGreaterThan(100)
  })

  it('keep a route of the least cost when a claim is left out and those that it outclasses with it', () => {
    for (const { domain, least, routes } of nodes) {
      for (const [claim, list] of domain.options.entries()) {
        if (domain.required[claim] === true || list.length === 0) continue
        const children = [
          withClaim(domain, claim, list, true),
          outclassed(withClaim(domain, claim, [], false), list),
        ]
        const left = routes.find((route) => children.some((child) => within(child, route)))
        expect(left?.cost).toBe(least)
      }
    }
  })

  it('offer assignments that keep to the leg limit, use a claim once and overrun no vault with least lots', () => {
    for (const { problem, domain, maxLegs } of nodes) {
      const legs = construct(domain, maxLegs, ({ slope }) => 1 - slope, newWorkBudget())
      expect(legs.length).toBeLessThanOrEqual(maxLegs)
      expect(new Set(legs.map(({ claim }) => claim)).size).toBe(legs.length)
      problem.liquidity.forEach((liquidity, vault) => {
        const least = legs.filter((leg) => leg.vault === vault).reduce((sum, { lo }) => sum + lo, 0n)
        expect(least <= liquidity).toBe(true)
      })
    }
  })
})
