import { describe, expect, it } from 'vitest'
import { relaxedCost } from '../../api/optimizer/greedy.ts'
import { wholeDomain } from '../../api/optimizer/model/domain.ts'
import { newFuse } from '../../api/optimizer/model/fuse.ts'
import type { Goal } from '../../api/optimizer/model/goal.ts'
import type { Option, Problem } from '../../api/optimizer/model/problem.ts'
import { boundNode, type Hints, NO_HINTS } from '../../api/optimizer/relaxation/node-bound.ts'
import { relax } from '../../api/optimizer/relaxation/relaxation.ts'
import { shapeOf } from '../../api/optimizer/relaxation/shape.ts'
import { newWorkspace } from '../../api/optimizer/relaxation/workspace.ts'
import { dropDominated } from '../../api/optimizer/search/dominance.ts'
import { visitAssignments } from '../../api/optimizer/search/enumerate.ts'
import { limitLegs } from '../../api/optimizer/search/face-cap.ts'
import { fixByWeight } from '../../api/optimizer/search/fixing.ts'
import { isTooDearAtAnyVault } from '../../api/optimizer/search/terms.ts'
import { cases, drawTwins, nodesOf, within } from './cases.ts'
import { diceOf, seededRandom } from './small-instances.ts'

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

  it('limits on legs keep every route within a cap on the face, and cut vaults short', () => {
    let limited = 0
    for (const { problem, routes } of drawn) {
      for (const { face: cap } of routes.slice(0, 40)) {
        const domain = limitLegs(wholeDomain(problem), cap)
        for (const route of routes) if (route.face <= cap) expect(within(domain, route)).toBe(true)
        limited += domain.legs.size
      }
    }
    expect(limited).toBeGreaterThan(500)
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
      const bound = boundNode(
        shape,
        Number(target),
        Number.POSITIVE_INFINITY,
        NO_HINTS,
        newWorkspace(newFuse()),
      )
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
      const bound = boundNode(shape, Number(target), Number.POSITIVE_INFINITY, NO_HINTS, space)
      if (bound === undefined) continue
      for (const [worth, isLimited] of [bound.worth, 0.01, 0.2].flatMap(eitherWay)) {
        const allowance = ceiling - worth * Number(target)
        const relaxed = relax(shape, worth, 'cost', space, isLimited ? allowance : undefined)
        expect(relaxed).toBeDefined()
        if (relaxed === undefined) continue
        const fixed = fixByWeight(shape, domain, relaxed, worth, allowance, space)
        for (const route of routes) if (Number(route.cost) <= ceiling) expect(within(fixed, route)).toBe(true)
        dropped += allOptions(problem).length - fixed.options.flat().length
      }
    }
    expect(dropped).toBeGreaterThan(1_000)
  })

  it('a limit on the weight leaves what is lightest, and drops patterns', () => {
    let [all, left] = [0, 0]
    for (const { problem, target, maxLegs, domain, least } of nodes) {
      const shape = shapeOf(problem, domain, maxLegs)
      for (const worth of [0, 0.01, 0.0526, 0.2, 0.5, 3]) {
        const within = Number(least) + 1e-6 - worth * Number(target)
        const whole = relax(shape, worth, 'cost', newWorkspace(newFuse()))
        const limited = relax(shape, worth, 'cost', newWorkspace(newFuse()), within)
        expect(limited?.weight).toBeCloseTo(whole?.weight ?? Number.NaN, 6)
        all += whole?.weights.patterns.flat().length ?? 0
        left += limited?.weights.patterns.flat().length ?? 0
        const weight = whole?.weight ?? 0
        expect(relax(shape, worth, 'cost', newWorkspace(newFuse()), weight - 1)).toBeUndefined()
      }
    }
    expect(left).toBeLessThan(all - 500)
  })

  it('what another node has seen changes nothing about how high the bound is', () => {
    for (const { problem, target, maxLegs, domain } of nodes) {
      const shape = shapeOf(problem, domain, maxLegs)
      const bound = (ceiling: number, hints: Hints) =>
        boundNode(shape, Number(target), ceiling, hints, newWorkspace(newFuse()))
      const fresh = bound(Number.POSITIVE_INFINITY, NO_HINTS)
      if (fresh === undefined) continue
      for (const worth of [0, 0.01, 0.3, 5]) {
        for (const lines of [[], fresh.lines, fresh.lines.slice(1), fresh.lines.slice(0, 1)]) {
          for (const ceiling of [Number.POSITIVE_INFINITY, fresh.value + 1])
            expect(bound(ceiling, { worth, lines })?.value).toBeCloseTo(fresh.value, 6)
        }
      }
    }
  })

  it('a node is only too dear at any vault when each of its routes costs more than the ceiling', () => {
    const dice = diceOf(seededRandom(SEED))
    const twins = Array.from({ length: INSTANCES }, () => drawTwins(dice)).filter(
      ({ routes }) => routes.length > 0,
    )
    let ruledOut = 0
    for (const { problem, target, maxLegs, domain, least } of [...twins.flatMap(nodesOf), ...nodes]) {
      const isTooDear = (ceiling: bigint) =>
        isTooDearAtAnyVault(problem, domain, goalWithin(target, maxLegs, ceiling), newWorkspace(newFuse()))
      expect(isTooDear(least)).toBe(false)
      if (isTooDear(least - 1n)) ruledOut++
    }
    expect(ruledOut).toBeGreaterThan(nodes.length / 2)
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

const eitherWay = (worth: number) => [[worth, false] as const, [worth, true] as const]

const goalWithin = (target: bigint, maxLegs: number, ceiling: bigint): Goal => ({
  target,
  ceiling,
  maxFace: undefined,
  maxLegs,
  cheapest: true,
  accept: () => 'continue',
})

const nameOf = (options: readonly Option[]): string =>
  options.map(({ claim, vault }) => `${claim}@${vault}`).join()
