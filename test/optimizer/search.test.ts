import { describe, expect, it } from 'vitest'
import { larger, smaller } from '../../api/domain/bigint.ts'
import { seededRandom } from '../../api/domain/random.ts'
import { type Domain, wholeDomain } from '../../api/optimizer/model/domain.ts'
import type { Goal } from '../../api/optimizer/model/goal.ts'
import type { Option, Problem } from '../../api/optimizer/model/problem.ts'
import { gapOf } from '../../api/optimizer/model/route.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { relax } from '../../api/optimizer/relaxation/lagrangian.ts'
import { shapeOf } from '../../api/optimizer/relaxation/shape.ts'
import { newWorkspace } from '../../api/optimizer/relaxation/workspace.ts'
import { branch } from '../../api/optimizer/search/branch.ts'
import { bestBySearch } from '../../api/optimizer/search/phases.ts'
import { type SearchOutcome, search } from '../../api/optimizer/search/search.ts'
import { diceOf } from '../support/dice.ts'
import { type Case, cases, drawTwins, nodesOf, within } from './cases.ts'

const SEED = 4_712
const drawn = cases(SEED, 240)
const TWINS = 60
const nodes = drawn.flatMap(nodesOf)

/** A bound that says nothing. */
const NOTHING_KNOWN = {
  value: 0,
  multiplier: 0,
  margin: 0,
  relaxed: undefined,
  below: undefined,
  above: undefined,
  cuts: [],
}

/** So few that branch and bound decides everything, down to single assignments. */
const FEW = 1

/** Domains of at most this many assignments are enumerated: nothing is bounded. */
const MANY = 1_000_000

type Searched = SearchOutcome & { readonly least: bigint | undefined }

function searchLeast(
  { target, maxLegs }: Case,
  domain: Domain,
  steps?: number,
  few = FEW,
  maxCost?: bigint,
): Searched {
  let least: bigint | undefined
  const goal: Goal = {
    target,
    maxCost,
    maxFace: undefined,
    maxLegs,
    cheapest: true,
    accept(route, own) {
      least = route.cost
      return { ...own, maxCost: route.cost - 1n }
    },
  }
  return { ...search(domain, goal, newWorkspace(newWorkBudget(steps)), few), least }
}

/** No route advances more than the answer, as far as the search proves. */
function searchMost({ maxLegs }: Case, domain: Domain): bigint {
  let most = 0n
  const goal: Goal = {
    target: 1n,
    maxCost: undefined,
    maxFace: undefined,
    maxLegs,
    cheapest: false,
    accept(route, own) {
      most = route.advance
      return { ...own, target: most + 1n }
    },
  }
  expect(search(domain, goal, newWorkspace(newWorkBudget()), FEW).complete).toBe(true)
  return most
}

/** Sums the advance of the legs in their largest lots, as far as each vault's liquidity goes. */
function reachOf(problem: Problem, options: readonly Option[]): bigint {
  return [...new Set(options.map(({ vault }) => vault))].reduce((sum, vault) => {
    const asked = options.reduce((all, option) => (option.vault === vault ? all + option.hi : all), 0n)
    return sum + smaller(asked, problem.liquidity[vault] ?? 0n)
  }, 0n)
}

describe(`the search against unpruned enumeration (seed ${SEED}, ${drawn.length} instances)`, () => {
  it('finds the least cost by branching and bounding alone', () => {
    for (const node of nodes)
      expect(searchLeast(node, node.domain)).toMatchObject({ complete: true, least: node.least })
  })

  it('finds how far routes reach by branching and bounding alone', () => {
    for (const node of nodes.slice(0, 300)) {
      const most = node.routes.reduce((far, { options }) => larger(far, reachOf(node.problem, options)), 0n)
      expect(searchMost(node, node.domain)).toBe(most)
    }
  })

  it('finds the least cost and ranks ties among vaults that are alike or nearly', () => {
    const dice = diceOf(seededRandom(SEED + 1))
    const twins = Array.from({ length: TWINS }, () => drawTwins(dice)).filter(
      ({ routes }) => routes.length > 0,
    )
    for (const node of twins.flatMap(nodesOf)) {
      expect(searchLeast(node, node.domain)).toMatchObject({ complete: true, least: node.least })
    }
    for (const { problem, target, maxLegs, routes } of twins) {
      const bounds = { target, maxLegs, maxCost: undefined, maxFace: undefined }
      const { best } = bestBySearch(problem, bounds, newWorkspace(newWorkBudget()))
      expect(best?.options).toEqual(routes[0]?.options)
    }
  })

  it('leaves a gap of one where its budget ends after the least cost is proven, among equals', () => {
    const dice = diceOf(seededRandom(SEED + 3))
    let open = 0
    for (const { problem, target, maxLegs, routes } of Array.from({ length: TWINS }, () => drawTwins(dice))) {
      const bounds = { target, maxLegs, maxCost: undefined, maxFace: undefined }
      for (const steps of [2_000, 8_000, 20_000, 50_000]) {
        const space = { ...newWorkspace(newWorkBudget(steps)), rankSteps: 0 }
        const found = bestBySearch(problem, bounds, space)
        if (found.best === undefined) continue
        const gap = gapOf(found, found.best)
        const least = routes[0]?.cost ?? 0n
        expect(found.best.cost - least <= gap).toBe(true)
        if (found.proven) expect(gap).toBe(0n)
        else if (found.best.cost === found.lowerBound) open++
        if (!found.proven) expect(gap >= 1n).toBe(true)
      }
    }
    expect(open).toBeGreaterThan(10)
  })

  it('keeps a route of the least cost among the branches of a node, whichever vault it tries first', () => {
    const dice = diceOf(seededRandom(SEED + 2))
    const twins = Array.from({ length: 4 * TWINS }, () => drawTwins(dice))
    for (const { problem, domain, maxLegs, least, routes } of twins.flatMap(nodesOf)) {
      const relaxed = relax(shapeOf(domain, maxLegs), 0.05, 'cost', newWorkspace(newWorkBudget()))
      if (relaxed === undefined) continue
      const node = { domain, wide: undefined }
      for (const option of problem.options.flat()) {
        const bound = { ...NOTHING_KNOWN, above: { ...relaxed, chosen: [option] } }
        for (const byLegs of [false, true]) {
          const children = branch(node, bound, { legsFirst: false, byLegs })
          const left = routes.find((route) => children.some((child) => within(child.domain, route)))
          expect(left?.cost).toBe(least)
        }
      }
    }
  })

  it('bounds from below whatever it left open when its budget ended, in the middle of a node or between two', () => {
    let blown = 0
    for (const node of nodes) {
      for (const steps of [2_000, 8_000, 20_000, 50_000]) {
        const { complete, lowerBound, least } = searchLeast(node, node.domain, steps)
        if (complete) {
          expect(least).toBe(node.least)
          continue
        }
        blown++
        const bound = least !== undefined && least < lowerBound ? least : lowerBound
        expect(bound <= node.least).toBe(true)
      }
    }
    expect(blown).toBeGreaterThan(200)
  })

  it('leaves an assignment open whose split takes more steps than the budget has', () => {
    const undecided = { withRoute: 0, without: 0 }
    for (const node of drawn) {
      const { problem, routes } = node
      const [best] = routes
      if (best === undefined) continue
      const options = problem.options.map((_, claim) => best.options.filter((one) => one.claim === claim))
      const required = options.map((list) => list.length > 0)
      const alone = { ...wholeDomain(problem), options, required }
      for (const steps of [200, 6_600, 7_000, 7_800, 9_400, 12_600])
        for (const maxCost of [undefined, best.cost])
          for (const domain of [alone, wholeDomain(problem)]) {
            const { complete, lowerBound, least } = searchLeast(node, domain, steps, MANY, maxCost)
            if (complete) expect(least).toBe(best.cost)
            else expect(smaller(least ?? lowerBound, lowerBound) <= best.cost).toBe(true)
            if (domain === alone && !complete) undecided[least === undefined ? 'without' : 'withRoute']++
          }
    }
    expect(undecided.withRoute).toBeGreaterThan(20)
    expect(undecided.without).toBeGreaterThan(20)
  })
})
