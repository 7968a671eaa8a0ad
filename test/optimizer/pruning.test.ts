import { describe, expect, it } from 'vitest'
import { wholeDomain } from '../../api/optimizer/model/domain.ts'
import type { Option, Problem } from '../../api/optimizer/model/problem.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { leastByLegs } from '../../api/optimizer/relaxation/by-legs.ts'
import { relax } from '../../api/optimizer/relaxation/lagrangian.ts'
import { boundNode, type Hints, NO_HINTS } from '../../api/optimizer/relaxation/node-bound.ts'
import { shapeOf } from '../../api/optimizer/relaxation/shape.ts'
import { newWorkspace } from '../../api/optimizer/relaxation/workspace.ts'
import { dropDominated } from '../../api/optimizer/search/dominance.ts'
import { visitAssignments } from '../../api/optimizer/search/enumerate.ts'
import { BY_LEGS, BY_SETS, fixByReducedCost } from '../../api/optimizer/search/fixing.ts'
import { cases, nodesOf, within } from './cases.ts'

const SEED = 4_711
/** More of them: `PRUNING_INSTANCES=2000`. */
const INSTANCES = Number(process.env.PRUNING_INSTANCES ?? 120)

const drawn = cases(SEED, INSTANCES)
const nodes = drawn.flatMap(nodesOf)
const allOptions = (problem: Problem): Option[] => problem.options.flat()

describe(`pruning rules against unpruned enumeration (seed ${SEED}, ${drawn.length} instances)`, () => {
  it('dominance keeps a route of the least cost, and with vault order the best-ranked one', () => {
    let dropped = 0
    for (const { problem, maxLegs, routes } of drawn) {
      const [best] = routes
      const loose = dropDominated(wholeDomain(problem), maxLegs, false)
      const strict = dropDominated(wholeDomain(problem), maxLegs, true)
      expect(routes.find((route) => within(loose, route))?.cost).toBe(best?.cost)
      expect(best !== undefined && within(strict, best)).toBe(true)
      dropped += allOptions(problem).length - loose.options.flat().length
    }
    expect(dropped).toBeGreaterThan(INSTANCES / 12)
  })

  it('the relaxation, its patterns included, never overestimates', () => {
    let [reached, equal] = [0, 0]
    for (const { target, maxLegs, domain, least } of nodes) {
      const shape = shapeOf(domain, maxLegs)
      for (const multiplier of [0, 0.01, 0.0526, 0.2, 0.5, 3]) {
        const relaxed = relax(shape, multiplier, 'cost', newWorkspace(newWorkBudget()))
        const bound = (relaxed?.reducedCost ?? Number.NaN) + multiplier * Number(target)
        expect(bound).toBeLessThanOrEqual(Number(least) + 1e-6)
        if (bound > Number(least) - 2) reached++
        const byLegs = relax(shape, multiplier, 'cost', newWorkspace(newWorkBudget()), undefined, leastByLegs)
        const rise = (relaxed?.reducedCost ?? Number.NaN) - (byLegs?.reducedCost ?? Number.NaN)
        expect(rise).toBeGreaterThanOrEqual(-1e-6)
        if (rise < 1e-6) equal++
      }
      const bound = boundNode(
        shape,
        Number(target),
        Number.POSITIVE_INFINITY,
        NO_HINTS,
        newWorkspace(newWorkBudget()),
      )
      expect(bound?.value).toBeLessThanOrEqual(Number(least) + 1e-6)
    }
    expect(reached).toBeGreaterThan(INSTANCES / 3)
    expect(equal).toBeGreaterThan(INSTANCES)
  })

  it('reduced-cost fixing keeps every route within the allowance and drops options', () => {
    let [dropped, droppedByLegs] = [0, 0]
    for (const { problem, target, maxLegs, domain, least, routes } of nodes) {
      const ceiling = Number(least) + 1e-6
      const space = newWorkspace(newWorkBudget())
      const shape = shapeOf(domain, maxLegs)
      const bound = boundNode(shape, Number(target), Number.POSITIVE_INFINITY, NO_HINTS, space)
      if (bound === undefined) continue
      for (const [multiplier, isLimited] of [bound.multiplier, 0.01, 0.2].flatMap(eitherWay)) {
        const allowance = ceiling - multiplier * Number(target)
        const relaxed = relax(shape, multiplier, 'cost', space, isLimited ? allowance : undefined)
        expect(relaxed).toBeDefined()
        if (relaxed === undefined) continue
        const sets = BY_SETS.minimaOf(shape, relaxed, space, allowance)
        const limit = isLimited ? allowance : undefined
        const byLegs = relax(shape, multiplier, 'cost', space, limit, leastByLegs)
        if (byLegs === undefined) throw new Error('a relaxation by legs bounds less')
        const legs = BY_LEGS.minimaOf(shape, byLegs, space, allowance)
        for (const [one, minima] of [
          [relaxed, sets],
          [byLegs, legs],
        ] as const) {
          const fixed = fixByReducedCost(shape, domain, one, allowance, minima)
          for (const route of routes)
            if (Number(route.cost) <= ceiling) expect(within(fixed, route)).toBe(true)
          const count = allOptions(problem).length - fixed.options.flat().length
          if (one === relaxed) dropped += count
          else droppedByLegs += count
        }
      }
    }
    expect(dropped).toBeGreaterThan(INSTANCES * 1.6)
    expect(droppedByLegs).toBeGreaterThan(INSTANCES)
  })

  it('a limit on the reduced cost keeps the least one, and drops patterns', () => {
    let [all, left] = [0, 0]
    for (const { target, maxLegs, domain, least } of nodes) {
      const shape = shapeOf(domain, maxLegs)
      for (const multiplier of [0, 0.01, 0.0526, 0.2, 0.5, 3]) {
        const within = Number(least) + 1e-6 - multiplier * Number(target)
        const whole = relax(shape, multiplier, 'cost', newWorkspace(newWorkBudget()))
        const limited = relax(shape, multiplier, 'cost', newWorkspace(newWorkBudget()), within)
        expect(limited?.reducedCost).toBeCloseTo(whole?.reducedCost ?? Number.NaN, 6)
        all += whole?.reducedCosts.patterns.flat().length ?? 0
        left += limited?.reducedCosts.patterns.flat().length ?? 0
        const reducedCost = whole?.reducedCost ?? 0
        expect(
          relax(shape, multiplier, 'cost', newWorkspace(newWorkBudget()), reducedCost - 1),
        ).toBeUndefined()
      }
    }
    expect(left).toBeLessThan(all - INSTANCES * 0.8)
  })

  it('what another node has seen changes nothing about how high the bound is', () => {
    for (const { target, maxLegs, domain } of nodes) {
      const shape = shapeOf(domain, maxLegs)
      const bound = (ceiling: number, hints: Hints) =>
        boundNode(shape, Number(target), ceiling, hints, newWorkspace(newWorkBudget()))
      const fresh = bound(Number.POSITIVE_INFINITY, NO_HINTS)
      if (fresh === undefined) continue
      for (const multiplier of [0, 0.01, 0.3, 5]) {
        for (const cuts of [[], fresh.cuts, fresh.cuts.slice(1), fresh.cuts.slice(0, 1)]) {
          for (const ceiling of [Number.POSITIVE_INFINITY, fresh.value + 1])
            expect(bound(ceiling, { multiplier, cuts })?.value).toBeCloseTo(fresh.value, 6)
        }
      }
    }
  })

  it('enumeration offers every assignment that reaches the target within the ceiling', () => {
    for (const { problem, target, maxLegs, routes } of drawn) {
      const ceiling = routes[Math.floor(routes.length / 2)]?.cost ?? 0n
      const offered = new Set<string>()
      const bounds = () => ({ maxLegs, target, maxCost: ceiling, maxFace: undefined })
      visitAssignments(wholeDomain(problem), bounds, (options) => offered.add(nameOf(options)))
      for (const route of routes)
        if (route.cost <= ceiling) expect(offered.has(nameOf(route.options))).toBe(true)
    }
  })
})

const eitherWay = (multiplier: number) => [[multiplier, false] as const, [multiplier, true] as const]

const nameOf = (options: readonly Option[]): string =>
  options.map(({ claim, vault }) => `${claim}@${vault}`).join()
