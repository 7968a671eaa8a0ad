import { describe, expect, it } from 'vitest'
import { certifiedAdvance, certifiedCost } from '../../api/optimizer/certificate.ts'
import { type Domain, wholeDomain } from '../../api/optimizer/domain.ts'
import { dropDominated } from '../../api/optimizer/dominance.ts'
import { visitAssignments } from '../../api/optimizer/enumerate.ts'
import { fixByWeight } from '../../api/optimizer/fixing.ts'
import { newFuse } from '../../api/optimizer/fuse.ts'
import type { Goal } from '../../api/optimizer/goal.ts'
import { relaxedCost } from '../../api/optimizer/greedy.ts'
import { boundNode } from '../../api/optimizer/node-bound.ts'
import { buildProblem, type Option, type Problem } from '../../api/optimizer/problem.ts'
import { relax } from '../../api/optimizer/relaxation.ts'
import { compareRoutes, type Route } from '../../api/optimizer/route.ts'
import { search } from '../../api/optimizer/search.ts'
import { shapeOf } from '../../api/optimizer/shape.ts'
import { cheapestSplit } from '../../api/optimizer/split.ts'
import { newWorkspace } from '../../api/optimizer/subsets.ts'
import { type Dice, diceOf, seededRandom, smallInstance, toOptimizeInput } from './small-instances.ts'

const SEED = 4_711
const INSTANCES = 600
const UNBOUNDED = 1n << 200n

type Case = { problem: Problem; target: bigint; maxLegs: number; routes: Route[] }
/** A case as a node of the search sees it: some claims must be used, and `routes` are those that do. */
type NodeCase = Case & { domain: Domain; least: bigint }

/** All cheapest routes, one per assignment, without any pruning: what each rule is held against. */
function cases(): Case[] {
  const dice = diceOf(seededRandom(SEED))
  const small = Array.from({ length: INSTANCES }, () => drawCase(dice))
  const shared = Array.from({ length: INSTANCES / 4 }, () => drawShared(dice))
  return [...small, ...shared].filter(({ routes }) => routes.length > 0)
}

/** The whole domain, and one in which some claims of some route are required. */
function nodesOf({ routes, ...rest }: Case): NodeCase[] {
  const whole = wholeDomain(rest.problem)
  const some = routes[routes.length >> 1]
  const required = whole.required.map((_, claim) =>
    (some?.options ?? []).some((option) => option.claim === claim && option.hi % 3n !== 0n),
  )
  return [whole, { ...whole, required }].flatMap((domain) => {
    const inside = routes.filter((route) => within(domain, route))
    return inside[0] === undefined ? [] : [{ ...rest, routes: inside, domain, least: inside[0].cost }]
  })
}

function within(domain: Domain, route: Route): boolean {
  const uses = (claim: number): boolean => route.options.some((option) => option.claim === claim)
  return (
    route.options.every((option) => (domain.options[option.claim] ?? []).includes(option)) &&
    domain.required.every((required, claim) => !required || uses(claim))
  )
}

function drawCase(dice: Dice): Case {
  const input = toOptimizeInput(smallInstance(dice))
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
function routesOf(problem: Problem, target: bigint, maxLegs: number): Route[] {
  const routes: Route[] = []
  const everything = { maxLegs, target: () => 0n, ceiling: () => undefined }
  visitAssignments(wholeDomain(problem), everything, (options) => {
    const split = cheapestSplit(problem, options, target, UNBOUNDED, newFuse())
    if (split.kind === 'route') routes.push(split.route)
  })
  return routes.sort(compareRoutes)
}

const drawn = cases()
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

  it('the certificate never exceeds the least cost and often meets it', () => {
    let met = 0
    for (const { problem, target, maxLegs, domain, least } of nodes) {
      const shape = shapeOf(problem, domain, maxLegs)
      let best = 0n
      for (const option of allOptions(problem)) {
        const certified = certifiedCost(shape, option, target, newWorkspace(newFuse()))
        expect(certified).not.toBe('no route')
        if (certified !== 'no route' && certified > best) best = certified
      }
      expect(best <= least).toBe(true)
      if (best === least) met++
    }
    expect(met).toBeGreaterThan(nodes.length / 4)
  })

  it('the certificate does not credit a shared vault with liquidity that its legs leave unused', () => {
    const [vault, liquidity] = ['0xa0', 100n] as const
    const lot = { vault, minFace: 20n, maxFace: 61n }
    const problem = buildProblem({
      candidates: [
        { ...lot, claimId: '0xc0', rateBps: 100n },
        { ...lot, claimId: '0xc1', rateBps: 5_000n, maxFace: 120n },
      ],
      vaultLiquidity: new Map([[vault, liquidity]]),
      targetAdvance: 70n,
    })
    const shape = shapeOf(problem, { options: problem.options, required: [true, true] }, 2)
    const [cheap] = allOptions(problem)
    const split = cheapestSplit(problem, allOptions(problem), 70n, UNBOUNDED, newFuse())
    if (cheap === undefined || split.kind !== 'route') throw new Error('the example has a route')
    const certified = certifiedCost(shape, cheap, 70n, newWorkspace(newFuse()))
    expect(certified !== 'no route' && certified <= split.route.cost).toBe(true)
  })

  it('the certified advance is at least what any route advances in its largest lots', () => {
    for (const { problem, maxLegs, domain, routes } of nodes) {
      const most = certifiedAdvance(shapeOf(problem, domain, maxLegs), newWorkspace(newFuse()))
      for (const route of routes) expect(route.advance <= most).toBe(true)
    }
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

  it('the search, twins left out, finds the least cost among many identical vaults', () => {
    const dice = diceOf(seededRandom(SEED + 1))
    for (let run = 0; run < 40; run++) {
      const { problem, target, maxLegs, routes } = drawTwins(dice)
      let least: bigint | undefined
      const goal: Goal = {
        target,
        ceiling: undefined,
        maxFace: undefined,
        maxLegs,
        cheapest: true,
        accept(route) {
          least = route.cost
          goal.ceiling = route.cost - 1n
          return 'continue'
        },
      }
      expect(search(problem, wholeDomain(problem), goal, newWorkspace(newFuse())).complete).toBe(true)
      expect(least).toBe(routes[0]?.cost)
    }
  })

  it('a search whose fuse blows bounds from below whatever it left open', () => {
    let blown = 0
    for (const { problem, target, maxLegs, routes } of drawn) {
      let found: bigint | undefined
      const goal: Goal = {
        target,
        ceiling: undefined,
        maxFace: undefined,
        maxLegs,
        cheapest: true,
        accept(route) {
          found = route.cost
          goal.ceiling = route.cost - 1n
          return 'continue'
        },
      }
      const space = newWorkspace(newFuse(20_000 + (routes.length % 7) * 10_000))
      const { complete, lowerBound } = search(problem, wholeDomain(problem), goal, space)
      if (complete) continue
      blown++
      const bound = found !== undefined && found < lowerBound ? found : lowerBound
      expect(bound <= (routes[0]?.cost ?? -1n)).toBe(true)
    }
    expect(blown).toBeGreaterThan(20)
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

/** Four claims that crowd two cheap vaults, one of them at one rate for all; a dear vault has room for every claim. */
function drawShared(dice: Dice): Case {
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

/** Five claims and four vaults that differ in nothing but their ids, with room for one or two claims each. */
function drawTwins(dice: Dice): Case {
  const rate = BigInt(dice.between(100, 3_000))
  const faces = Array.from({ length: 5 }, () => BigInt(dice.between(20, 90)))
  const liquidity = BigInt(dice.between(40, 120))
  const vaults = ['0xa0', '0xa1', '0xa2', '0xa3'] as const
  const candidates = faces.flatMap((maxFace, claim) =>
    vaults.map((vault) => ({ claimId: `0xc${claim}` as const, vault, rateBps: rate, minFace: 15n, maxFace })),
  )
  const targetAdvance = BigInt(dice.between(30, 90))
  const problem = buildProblem({
    candidates,
    vaultLiquidity: new Map(vaults.map((vault) => [vault, liquidity])),
    targetAdvance,
  })
  return { problem, target: targetAdvance, maxLegs: 4, routes: routesOf(problem, targetAdvance, 4) }
}
