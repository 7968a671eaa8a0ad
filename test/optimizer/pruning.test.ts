import { describe, expect, it } from 'vitest'
import { wholeDomain } from '../../api/optimizer/domain.ts'
import { dropDominated } from '../../api/optimizer/dominance.ts'
import { visitAssignments } from '../../api/optimizer/enumerate.ts'
import { fixByWeight } from '../../api/optimizer/fixing.ts'
import { newFuse } from '../../api/optimizer/fuse.ts'
import { relaxedCost } from '../../api/optimizer/greedy.ts'
import { boundNode } from '../../api/optimizer/node-bound.ts'
import type { Option, Problem } from '../../api/optimizer/problem.ts'
import { relax } from '../../api/optimizer/relaxation.ts'
import { shapeOf } from '../../api/optimizer/shape.ts'
import { newWorkspace } from '../../api/optimizer/subsets.ts'
import { cases, nodesOf, within } from './cases.ts'

const SEED = 4_711
const INSTANCES = 600

const drawn = cases(SEED, INSTANCES)
const nodes = drawn.flatMap(nodesOf)
const allOptions = (problem: Problem): Option[] => problem.options.flat()

describe(`pruning rules against unpruned enumeration (seed ${SEED}, ${drawn.length} instances)`, () => {
  it('dominance keeps a route of the least cost, and with vault order the best-ranked one', () => {
    let dropped = 0
    for (const { problem, maxLegs, routes } of drawn) {
      const [best] = routes
      const loose = dropDominated(problem, wholeDomain(problem), maxLegs, false)
      const strict = dropDominated(problem, wholeDomain(problem), maxLegs, true)
      expect(routes.find((route) => within(loose, route))?.cost).toBe(best?.cost)
      expect(best !== undefined && within(strict, best)).toBe(true)
      dropped += allOptions(problem).length - loose.options.flat().length
    }
    expect(dropped).toBeGreaterThan(50)
  })

  it('the relaxation, its patterns included, never overestimates', () => {
    let reached = 0
    for (const { problem, target, maxLegs, domain, least } of nodes) {
      const shape = shapeOf(problem, domain, maxLegs)
      for (const worth of [0, 0.01, 0.0526, 0.2, 0.5, 3]) {
        const relaxed = relax(shape, worth, 'cost', newWorkspace(newFuse()))
        const bound = (relaxed?.weight ?? Number.NaN) + worth * Number(target)
        expect(bound).toBeLessThanOrEqual(Number(least) + 1e-6)
        if (bound > Number(least) - 2) reached++
      }
      const bound = boundNode(shape, Number(target), Number.POSITIVE_INFINITY, 0.05, newWorkspace(newFuse()))
      expect(bound?.value).toBeLessThanOrEqual(Number(least) + 1e-6)
    }
    expect(reached).toBeGreaterThan(200)
  })

  it('fixing by weight keeps every route within the allowance and drops options', () => {
    let dropped = 0
    for (const { problem, target, maxLegs, domain, least, routes } of nodes) {
      const ceiling = Number(least) + 1e-6
      const space = newWorkspace(newFuse())
      const shape = shapeOf(problem, domain, maxLegs)
      const bound = boundNode(shape, Number(target), Number.POSITIVE_INFINITY, 0.05, space)
      if (bound === undefined) continue
      for (const worth of [bound.worth, 0.01, 0.2]) {
        const relaxed = relax(shape, worth, 'cost', space)
        if (relaxed === undefined) continue
        const allowance = ceiling - worth * Number(target)
        const fixed = fixByWeight(shape, domain, relaxed, worth, allowance, space)
        for (const route of routes) if (Number(route.cost) <= ceiling) expect(within(fixed, route)).toBe(true)
        dropped += allOptions(problem).length - fixed.options.flat().length
      }
    }
    expect(dropped).toBeGreaterThan(1_000)
  })

  it('enumeration offers every assignment that reaches the target within the ceiling', () => {
    for (const { problem, target, maxLegs, routes } of drawn) {
      const ceiling = routes[Math.floor(routes.length / 2)]?.cost ?? 0n
      const offered = new Set<string>()
      const bounds = { maxLegs, target: () => target, ceiling: () => ceiling }
      visitAssignments(wholeDomain(problem), bounds, (options) => offered.add(nameOf(options)))
      for (const route of routes)
        if (route.cost <= ceiling) expect(offered.has(nameOf(route.options))).toBe(true)
    }
  })

  it('the bound above twelve claims never overestimates', () => {
    for (const { problem, target, maxLegs, routes } of drawn) {
      const floor = relaxedCost(problem, { target, maxLegs, maxCost: undefined, maxFace: undefined })
      expect(floor !== undefined && floor <= (routes[0]?.cost ?? -1n)).toBe(true)
    }
  })
})

const nameOf = (options: readonly Option[]): string =>
  options.map(({ claim, vault }) => `${claim}@${vault}`).join()
