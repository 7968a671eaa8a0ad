import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { type OptimizeInput, optimizeRoute } from '../../api/optimizer/index.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
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

/** Two claims of one issuer and one of another, each of a face of 100, at 10 % in a vault. */
const shared = (bounds: Partial<OptimizeInput>): OptimizeInput => ({
  candidates: (['0xc0', '0xc1', '0xc2'] as const).map((claimId) => {
    return { claimId, vault: '0xa0', rateBps: 1_000n, minFace: 10n, maxFace: 100n }
  }),
  vaultLiquidity: new Map([['0xa0', 1_000n]]),
  targetAdvance: 200n,
  issuerLimits: [{ vault: '0xa0', claimIds: ['0xc0', '0xc1'], maxFace: 150n }],
  ...bounds,
})

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

describe('a limit per issuer', () => {
  it('bounds the face that claims of the issuer take together', () => {
    expect(optimizeRoute(shared({ targetAdvance: 225n }))).toMatchObject({
      executable: true,
      totalFace: 250n,
      totalAdvance: 225n,
    })
    expect(optimizeRoute(shared({ targetAdvance: 226n }))).toMatchObject({
      executable: false,
      reason: 'TARGET_UNSATISFIABLE',
      maxAchievableAdvance: 225n,
      maxAchievableGap: 0n,
    })
  })

  it('sends a claim to a vault that costs more, where another claim has used up the limit', () => {
    const claims = ['0xc0', '0xc1'] as const
    const candidates = claims.flatMap((claimId) =>
      (['0xa0', '0xa1'] as const).map((place, index) => {
        return { claimId, vault: place, rateBps: 100n * BigInt(index + 1), minFace: 100n, maxFace: 100n }
      }),
    )
    const input = {
      candidates,
      vaultLiquidity: new Map([['0xa0', 1_000n] as const, ['0xa1', 1_000n] as const]),
      issuerLimits: [{ vault: '0xa0', claimIds: claims, maxFace: 100n } as const],
      targetAdvance: 197n,
    }
    expect(optimizeRoute(input)).toMatchObject({ executable: true, totalCost: 3n, totalFace: 200n })
  })

  it('keeps a vault that costs more for a claim whose cheaper one another leg alone can block', () => {
    const claimIds = ['0xc0', '0xc1', '0xc2', '0xc3'] as const
    const candidates = claimIds.flatMap((claimId) =>
      (['0xa0', '0xa1'] as const)
        .map((place, index) => {
          return { claimId, vault: place, rateBps: 100n * BigInt(index + 1), minFace: 10n, maxFace: 100n }
        })
        .filter((one) => one.vault === '0xa0' || claimId < '0xc2'),
    )
    // The liquidity of the vault binds together with the limit, so its claims stay in one vault.
    const vaultLiquidity = new Map([['0xa0', 250n] as const, ['0xa1', 1_000n] as const])
    const issuerLimits = [{ vault: '0xa0', claimIds: ['0xc0', '0xc1'], maxFace: 100n }] as const
    const problem = buildProblem({ candidates, vaultLiquidity, issuerLimits, targetAdvance: 197n })
    const kept = dropDominated(wholeDomain(problem), 2, false).options
    // One other leg takes the limit of the issuer, and two are needed to take the liquidity.
    expect(kept.map((options) => options.length)).toEqual([2, 2, 1, 1])
  })

  it('bounds the face of a single claim', () => {
    const issuerLimits = [{ vault: '0xa0', claimIds: ['0xc0'], maxFace: 40n }] as const
    expect(optimizeRoute(shared({ issuerLimits, targetAdvance: 217n }))).toMatchObject({ executable: false })
    expect(optimizeRoute(shared({ issuerLimits, targetAdvance: 216n }))).toMatchObject({ totalFace: 240n })
  })

  it('of no face excludes the claims of the issuer', () => {
    const issuerLimits = [{ vault: '0xa0', claimIds: ['0xc0', '0xc1'], maxFace: 0n }] as const
    expect(optimizeRoute(shared({ issuerLimits, targetAdvance: 90n }))).toMatchObject({
      legs: [{ claimId: '0xc2', faceAmount: 100n }],
    })
  })

  it('leaves the problem as it is where no route can exceed it', () => {
    const issuerLimits = [{ vault: '0xa0', claimIds: ['0xc0', '0xc1'], maxFace: 200n }] as const
    expect(buildProblem(shared({ issuerLimits }))).toEqual(buildProblem({ ...shared({}), issuerLimits: [] }))
    const byLiquidity = { ...shared({ issuerLimits: [] }), vaultLiquidity: new Map([['0xa0', 99n] as const]) }
    const above = [{ vault: '0xa0', claimIds: ['0xc0', '0xc1'], maxFace: 199n }] as const
    expect(buildProblem({ ...byLiquidity, issuerLimits: above })).toEqual(buildProblem(byLiquidity))
  })

  it('is refused where a claim has two in a vault, or the face is negative', () => {
    const limit = { vault: '0xa0', claimIds: ['0xc0'], maxFace: 40n } as const
    expect(() => optimizeRoute(shared({ issuerLimits: [limit, limit] }))).toThrow('issuerLimits')
    expect(() => optimizeRoute(shared({ issuerLimits: [{ ...limit, maxFace: -1n }] }))).toThrow(
      'issuerLimits',
    )
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
