import { describe, expect, it } from 'vitest'
import { bestOfMany, provenGapOf } from '../../api/optimizer/best-known.ts'
import { optimizeRoute } from '../../api/optimizer/index.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import { boundsOf } from '../../api/optimizer/model/goal.ts'
import type { Best } from '../../api/optimizer/model/route.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { newWorkspace } from '../../api/optimizer/relaxation/workspace.ts'
import { edgeFamilies } from '../../bench/optimizer/edge-families.ts'
import { manyClaims } from '../../bench/optimizer/many-claims.ts'
import { cases } from './cases.ts'

const SEED = 45_450
const INSTANCES = 12
const SMALL = 300
const MAX_LEGS = 8

/** The first run leaves 86 basis points of the cost. */
const SECOND_RUN = 6

/** Its bound comes within 10^-16 of the cost in few steps, and stays there. */
const NEAR_TIE = 2

/** Steps that end within the first nodes of a market, before or after a route is found. */
const STEPS = [1_000_000, 4_000_000]

const seeds = Array.from({ length: INSTANCES }, (_, index) => SEED + index)
const markets = [
  { name: 'random markets', make: manyClaims },
  ...edgeFamilies.filter(({ claims, name }) => claims > 12 && !name.startsWith('subset sums')),
]

describe(`the gap of a route (seeds from ${SEED}, ${INSTANCES} markets of each family)`, () => {
  it.each(markets)('is never the whole cost, however early the search ends: $name', ({ make }) => {
    let open = 0
    for (const seed of seeds) {
      const input = make(seed)
      const [problem, bounds] = [buildProblem(input), boundsOf(input, MAX_LEGS)]
      for (const steps of STEPS) {
        const space = newWorkspace(newWorkBudget(steps))
        const found = bestOfMany(problem, bounds, space)
        if (found.best === undefined || found.proven || found.best.cost < 2n) continue
        open++
        const gap = provenGapOf(problem, bounds, found, found.best, space)
        expect(gap > 0n && gap < found.best.cost, `seed ${seed}: ${gap} of ${found.best.cost}`).toBe(true)
      }
    }
    expect(open).toBeGreaterThan(0)
  })

  it('is closed by a second run that splits on the legs of vaults', () => {
    const family = edgeFamilies.find(({ name, claims }) => name.startsWith('thin liquidity') && claims > 12)
    const result = family && optimizeRoute(family.make(SECOND_RUN))
    expect(result?.executable && result.explanation.provenGap).toBe(0n)
  })

  it.each([1, 11, 13, 14])(
    'is next to nothing where the set of vaults in use decides the cost (seed %i)',
    (seed) => {
      const family = edgeFamilies.find(({ name, claims }) => name.startsWith('thin liquidity') && claims > 12)
      const result = family && optimizeRoute(family.make(seed))
      if (!result?.executable) throw new Error('no route')
      expect(result.explanation.provenGap * 1_000_000n).toBeLessThan(result.totalCost)
    },
  )

  it('stays open, with most of the budget left, below a billionth of a basis point', () => {
    const family = edgeFamilies.find(({ name, claims }) => name.startsWith('near ties') && claims <= 12)
    const input = family?.make(NEAR_TIE) ?? { candidates: [], vaultLiquidity: new Map(), targetAdvance: 1n }
    const [problem, bounds] = [buildProblem(input), boundsOf(input, MAX_LEGS)]
    const space = newWorkspace(newWorkBudget())
    const found = bestOfMany(problem, bounds, space)
    const { cost } = found.best ?? { cost: 0n }
    const gap = found.best && provenGapOf(problem, bounds, found, found.best, space)
    expect(gap !== undefined && gap > 0n && gap < cost / 10n ** 13n).toBe(true)
    expect(space.budget.steps).toBeGreaterThan(newWorkBudget().steps / 2)
  })

  it(`holds for every route where the search knows nothing (seed ${SEED}, ${SMALL} instances)`, () => {
    const space = newWorkspace(newWorkBudget())
    for (const { problem, target, maxLegs, routes } of cases(SEED, SMALL)) {
      const bounds = { target, maxLegs, maxCost: undefined, maxFace: undefined }
      const least = routes[0]?.cost ?? 0n
      for (const route of routes.slice(0, 8)) {
        const nothing: Best = { best: route, proven: false, lowerBound: 0n }
        expect(provenGapOf(problem, bounds, nothing, route, space) >= route.cost - least).toBe(true)
      }
    }
  })
})
