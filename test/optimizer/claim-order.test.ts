import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { type Domain, wholeDomain, withClaim } from '../../api/optimizer/model/domain.ts'
import type { Option } from '../../api/optimizer/model/problem.ts'
import { newWorkBudget } from '../../api/optimizer/model/work-budget.ts'
import { newWorkspace } from '../../api/optimizer/relaxation/workspace.ts'
import { branch } from '../../api/optimizer/search/branch.ts'
import { dropOutclassed, withoutExchanges } from '../../api/optimizer/search/claim-order.ts'
import { bestBySearch } from '../../api/optimizer/search/phases.ts'
import { diceOf } from '../support/dice.ts'
import { type Case, cases, drawSeries, drawTwins, nodesOf, within } from './cases.ts'

const SEED = 1_919
const dice = diceOf(seededRandom(SEED))
const drawn: Case[] = [
  ...cases(SEED, 200),
  ...Array.from({ length: 300 }, () => drawSeries(dice)),
  ...Array.from({ length: 60 }, () => drawTwins(dice)),
].filter(({ routes }) => routes.length > 0)
const nodes = drawn.flatMap(nodesOf)

const countOf = ({ options }: Domain): number => options.flat().length

/** A bound that states nothing but the option to branch on. */
const preferring = (option: Option) => ({
  value: 0,
  multiplier: 0,
  margin: 0,
  relaxed: undefined,
  below: undefined,
  above: { chosen: [option], advance: 0, cost: 0 },
  cuts: [],
})

describe(`alike claims against unpruned enumeration (seed ${SEED}, ${drawn.length} instances)`, () => {
  it('keeps a route of the least cost when claims are dropped, in the order of claims the best-ranked one', () => {
    let dropped = 0
    for (const { problem, maxLegs, routes } of drawn) {
      const whole = wholeDomain(problem)
      const [best] = routes
      const loose = dropOutclassed(whole, maxLegs, false)
      const strict = dropOutclassed(whole, maxLegs, true)
      expect(routes.find((route) => within(loose, route))?.cost).toBe(best?.cost)
      expect(best !== undefined && within(strict, best)).toBe(true)
      dropped += countOf(whole) - countOf(strict)
    }
    expect(dropped).toBeGreaterThan(200)
  })

  it('keeps one where some claims are required', () => {
    let dropped = 0
    for (const { domain, maxLegs, least, routes } of nodes) {
      const kept = dropOutclassed(domain, maxLegs, false)
      expect(routes.find((route) => within(kept, route))?.cost).toBe(least)
      dropped += countOf(domain) - countOf(kept)
    }
    expect(dropped).toBeGreaterThan(500)
  })

  it('keeps one in either part when exchanges are left out', () => {
    let dropped = 0
    for (const { domain, least, routes } of nodes) {
      for (const first of domain.options.flat()) {
        const tried = domain.options[first.claim] ?? []
        const rest = tried.filter((option) => option !== first)
        const other = withClaim(withoutExchanges(domain, tried, first), first.claim, rest, true)
        const parts = [withClaim(domain, first.claim, [first], true), other]
        const using = routes.filter(({ options }) => options.some(({ claim }) => claim === first.claim))
        const [cheapest] = using
        if (cheapest === undefined || cheapest.cost > least) continue
        expect(using.find((route) => parts.some((part) => within(part, route)))?.cost).toBe(least)
        dropped += countOf(domain) - 1 - countOf(other)
      }
    }
    expect(dropped).toBeGreaterThan(500)
  })

  it('keeps one among the branches of a node', () => {
    for (const { domain, least, routes } of nodes) {
      for (const option of domain.options.flat()) {
        const children = branch({ domain, wide: undefined }, preferring(option), {
          legsFirst: false,
          byLegs: false,
        })
        const left = routes.find((route) => children.some((child) => within(child.domain, route)))
        expect(left?.cost).toBe(least)
      }
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
