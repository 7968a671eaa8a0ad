import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { type Domain, wholeDomain, withClaim } from '../../api/optimizer/model/domain.ts'
import type { Goal } from '../../api/optimizer/model/goal.ts'
import { faceOfAdvance, type Option, type Problem } from '../../api/optimizer/model/problem.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { newWorkspace } from '../../api/optimizer/relaxation/workspace.ts'
import { dropOutclassed, withoutExchanges } from '../../api/optimizer/search/claim-order.ts'
import { dropDominated } from '../../api/optimizer/search/dominance.ts'
import { bestBySearch } from '../../api/optimizer/search/phases.ts'
import { search } from '../../api/optimizer/search/search.ts'
import { answerOf } from '../../bench/optimizer/answers.ts'
import { limitedFamilies } from '../../bench/optimizer/limited-families.ts'
import { diceOf } from '../support/dice.ts'
import { disagreement } from './agreement.ts'
import { drawLimited, nodesOf, within } from './cases.ts'
import { faultOf } from './checks.ts'
import { limitedInstance } from './limited-instances.ts'
import { solveByEnumeration } from './oracle.ts'

const SEED = Number(process.env.OPTIMIZER_SEED ?? 38)
const RUNS = Number(process.env.OPTIMIZER_RUNS ?? 300)

describe(`limits per issuer against plain enumeration (seed ${SEED}, ${RUNS} instances)`, () => {
  it('agrees on cost, legs, face, pairs, reason and the most achievable advance', () => {
    let decisive = 0
    const property = fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (instanceSeed) => {
      const instance = limitedInstance(diceOf(seededRandom(instanceSeed)))
      expect(disagreement(instance)).toBeUndefined()
      const { limits: _dropped, ...unlimited } = instance
      const answers = [instance, unlimited].map((one) => JSON.stringify(solveByEnumeration(one)))
      if (answers[0] !== answers[1]) decisive++
    })
    fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
    expect(decisive).toBeGreaterThan(RUNS / 5)
  })
})

const dice = diceOf(seededRandom(SEED))
const drawn = Array.from({ length: 700 }, () => drawLimited(dice)).filter(({ routes }) => routes.length > 0)
const nodes = drawn.flatMap(nodesOf)

/** The least cost by branching and bounding alone: nothing is enumerated. */
function searchLeast(domain: Domain, target: bigint, maxLegs: number, widest?: number) {
  let least: bigint | undefined
  const goal: Goal = {
    target,
    maxCost: undefined,
    maxFace: undefined,
    maxLegs,
    cheapest: true,
    accept(route, own) {
      least = route.cost
      return { ...own, maxCost: route.cost - 1n }
    },
  }
  const { complete } = search(domain, goal, newWorkspace(newWorkBudget(), widest), 1)
  return { complete, least }
}

describe(`the search with limits per issuer (seed ${SEED}, ${drawn.length} instances)`, () => {
  it('divides some vaults among their groups, and not others', () => {
    const grouped = drawn.filter(({ problem }) => problem.groups.length > 0)
    const isDivided = ({ vaults }: Problem): boolean => new Set(vaults).size < vaults.length
    expect(grouped.filter(({ problem }) => isDivided(problem)).length).toBeGreaterThan(10)
    expect(grouped.filter(({ problem }) => !isDivided(problem)).length).toBeGreaterThan(10)
  })

  it('splits faces within every limit', () => {
    for (const { problem, routes } of drawn)
      for (const { options, advances } of routes)
        for (const [group, { maxFace }] of problem.groups.entries()) {
          const faceIn = (option: Option, leg: number): bigint =>
            option.group === group ? faceOfAdvance(option, advances[leg] ?? 0n) : 0n
          expect(options.map(faceIn).reduce((sum, face) => sum + face, 0n) <= maxFace).toBe(true)
        }
  })

  it('finds the least cost by branching and bounding alone, in tables and by multipliers', () => {
    for (const { domain, target, maxLegs, least } of nodes) {
      const expected = { complete: true, least }
      expect(searchLeast(domain, target, maxLegs)).toEqual(expected)
      expect(searchLeast(domain, target, maxLegs, 1)).toEqual(expected)
    }
  })

  it('keeps a route of the least cost where options and claims are dropped, and exchanges left out', () => {
    for (const { problem, domain, maxLegs, least, routes } of nodes) {
      const isKept = (part: Domain): boolean => routes.find((route) => within(part, route))?.cost === least
      expect(isKept(dropOutclassed(domain, maxLegs, false))).toBe(true)
      for (const first of domain.options.flat()) {
        const tried = domain.options[first.claim] ?? []
        const using = routes.filter(({ options }) => options.some(({ claim }) => claim === first.claim))
        if (using[0] === undefined || using[0].cost > least) continue
        const rest = tried.filter((option) => option !== first)
        const parts = [
          withClaim(domain, first.claim, [first], true),
          withClaim(withoutExchanges(domain, tried, first), first.claim, rest, true),
        ]
        expect(using.find((route) => parts.some((part) => within(part, route)))?.cost).toBe(least)
      }
      if (domain.legs.size > 0 || domain.required.includes(true)) continue
      expect(isKept(dropDominated(wholeDomain(problem), maxLegs, false))).toBe(true)
    }
  })

  it('finds the best-ranked route', () => {
    for (const { problem, target, maxLegs, routes } of drawn) {
      const bounds = { target, maxLegs, maxCost: undefined, maxFace: undefined }
      const { best, proven } = bestBySearch(problem, bounds, newWorkspace(newWorkBudget()))
      expect(proven).toBe(true)
      expect(best?.options).toEqual(routes[0]?.options)
    }
  })
})

describe('markets with limits per issuer', () => {
  const few = limitedFamilies.filter(({ name }) => !name.startsWith('fixed lots'))

  it.each(few)('keep to every bound, whatever the order of the input: $name $claims×$vaults', ({ make }) => {
    const input = make(3)
    const result = answerOf(input)
    expect(result && faultOf(input, result)).toBeUndefined()
    const reversed = {
      ...input,
      candidates: [...input.candidates].reverse(),
      issuerLimits: [...(input.issuerLimits ?? [])]
        .reverse()
        .map((limit) => ({ ...limit, claimIds: [...limit.claimIds].reverse() })),
    }
    expect(answerOf(reversed)).toEqual(result)
  })
})
