import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import {
  type Candidate,
  type OptimizeInput,
  optimizeRoute,
  type RouteResult,
} from '../../api/optimizer/index.ts'
import { families, in18Decimals } from '../../bench/optimizer/families.ts'
import { createMilpSolver } from '../../bench/optimizer/milp.ts'
import { diceOf } from '../support/dice.ts'

const SEED = 7
const subjects = families.filter(({ name }) => !name.startsWith('fixed lots'))

const text = (result: RouteResult): string =>
  JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

function costOf(result: RouteResult): bigint {
  if (!result.executable) throw new Error(`no route: ${result.reason}`)
  return result.totalCost
}

function shuffled(input: OptimizeInput): OptimizeInput {
  const random = seededRandom(SEED)
  const keyed = input.candidates.map((candidate) => ({ candidate, key: random() }))
  keyed.sort((a, b) => a.key - b.key)
  const vaultLiquidity = new Map([...input.vaultLiquidity].reverse())
  return { ...input, candidates: keyed.map(({ candidate }) => candidate), vaultLiquidity }
}

function expectConstraints(input: OptimizeInput, result: RouteResult): void {
  const allocation = result.executable ? result : result.bestFeasiblePartial
  if (allocation === undefined) return
  const left = new Map(input.vaultLiquidity)
  let [cost, face] = [0n, 0n]
  for (const { claimId, vault, faceAmount } of allocation.legs) {
    const candidate = input.candidates.find((one) => one.claimId === claimId && one.vault === vault)
    if (candidate === undefined) throw new Error('a leg without a candidate')
    expect(faceAmount >= candidate.minFace && faceAmount <= candidate.maxFace).toBe(true)
    const discount = (faceAmount * candidate.rateBps + 9_999n) / 10_000n
    left.set(vault, (left.get(vault) ?? 0n) - (faceAmount - discount))
    cost += discount
    face += faceAmount
  }
  expect([...left.values()].every((amount) => amount >= 0n)).toBe(true)
  expect(new Set(allocation.legs.map((leg) => leg.claimId)).size).toBe(allocation.legs.length)
  expect(allocation.legs.length).toBeLessThanOrEqual(8)
  expect([allocation.totalCost, allocation.totalFace, allocation.totalAdvance]).toEqual([
    cost,
    face,
    face - cost,
  ])
  if (input.maxTotalCost !== undefined) expect(cost <= input.maxTotalCost).toBe(true)
  if (input.maxTotalFace !== undefined) expect(face <= input.maxTotalFace).toBe(true)
  if (result.executable) expect(face - cost >= input.targetAdvance).toBe(true)
}

/** Seeds at which markets stay open when reduced costs are known to 49 bits only. */
const KNOWN_SEEDS = [6, 12, 16]

describe.each(subjects)(`large instances (seed ${SEED}): $name $claims × $vaults`, (family) => {
  const { make } = family
  const input = make(SEED)
  const result = optimizeRoute(input)

  it('keeps every constraint', () => expectConstraints(input, result))

  it('does not depend on the order of its input', () => {
    expect(text(optimizeRoute(shuffled(input)))).toBe(text(result))
  })

  it('ignores a vault without liquidity', () => {
    const [first] = input.candidates
    if (first === undefined) return
    const candidates = [{ ...first, vault: '0x00' as const, rateBps: 0n }, ...input.candidates]
    expect(text(optimizeRoute({ ...input, candidates }))).toBe(text(result))
  })

  it('does not depend, down to the faces, on candidates that it leaves out', () => {
    for (const seed of [SEED, SEED + 1, SEED + 2]) {
      const whole = make(seed)
      const best = optimizeRoute(whole)
      if (!best.executable || best.approximation !== 'exact') continue
      const isChosen = (one: Candidate) =>
        best.legs.some(({ claimId, vault }) => claimId === one.claimId && vault === one.vault)
      expect(text(optimizeRoute({ ...whole, candidates: whole.candidates.filter(isChosen) }))).toBe(
        text(best),
      )
    }
  })

  it('never costs more when liquidity or a cap is raised', () => {
    if (!result.executable || result.approximation !== 'exact') return
    const vaultLiquidity = new Map(
      [...input.vaultLiquidity].map(([vault, amount]) => [vault, amount + amount / 7n]),
    )
    expect(costOf(optimizeRoute({ ...input, vaultLiquidity })) <= result.totalCost).toBe(true)
    const capped = optimizeRoute({ ...input, maxTotalCost: result.totalCost })
    expect(costOf(capped)).toBe(result.totalCost)
    const below = optimizeRoute({ ...input, maxTotalCost: result.totalCost - 1n })
    expect(below.executable).toBe(false)
  })

  it('is proved exact in a token of 18 decimals too, whatever the last twelve are', () => {
    for (const seed of [SEED, ...KNOWN_SEEDS]) {
      const grown = in18Decimals(family).make(seed)
      const answer = optimizeRoute(grown)
      expectConstraints(grown, answer)
      expect(answer.executable ? answer.approximation : 'exact').toBe('exact')
    }
  })

  it('costs at most 10000 times as much when every amount is 10000 times as large', () => {
    if (!result.executable || result.approximation !== 'exact') return
    const scale = 10_000n
    const scaled: OptimizeInput = {
      candidates: input.candidates.map((one) => ({
        ...one,
        minFace: one.minFace * scale,
        maxFace: one.maxFace * scale,
      })),
      vaultLiquidity: new Map([...input.vaultLiquidity].map(([vault, amount]) => [vault, amount * scale])),
      targetAdvance: input.targetAdvance * scale,
      ...(input.maxTotalFace === undefined ? {} : { maxTotalFace: input.maxTotalFace * scale }),
      ...(input.maxTotalCost === undefined ? {} : { maxTotalCost: input.maxTotalCost * scale }),
    }
    expect(costOf(optimizeRoute(scaled)) <= result.totalCost * scale).toBe(true)
  })

  it('reaches what it says is achievable and not one unit more', () => {
    if (result.executable) return
    const reached = optimizeRoute({ ...input, targetAdvance: result.maxAchievableAdvance })
    expect(reached.executable).toBe(true)
    expect(optimizeRoute({ ...input, targetAdvance: result.maxAchievableAdvance + 1n }).executable).toBe(
      false,
    )
  })
})

describe('a market of fixed lots only', () => {
  it.each([
    [4, 8_798_397_331n],
    [8, 17_621_694_995n],
  ])('keeps a gap below a basis point of the cost that the optimum lies in: %i vaults', (vaults, least) => {
    const family = families.find((one) => one.name === 'fixed lots' && one.vaults === vaults)
    if (family === undefined) throw new Error('the benchmark has no such family')
    const input = family.make(1)
    const result = optimizeRoute(input)
    expectConstraints(input, result)
    if (!result.executable) throw new Error('the example has a route')
    const { provenGap } = result.explanation
    expect(result.totalCost >= least && result.totalCost - provenGap <= least).toBe(true)
    expect(provenGap * 10_000n <= result.totalCost).toBe(true)
  })
})

describe('large instances against a mixed-integer solver', () => {
  it('agrees within the solver’s tolerance', async () => {
    const solve = await createMilpSolver()
    const dice = diceOf(seededRandom(SEED))
    for (const family of families.filter(({ vaults, name }) => vaults === 5 || name === 'equal rates')) {
      const input = family.make(dice.between(1, 1_000))
      const answer = solve(input, 20)
      if (answer.status !== 'Optimal') continue
      const cost = Number(costOf(optimizeRoute(input)))
      expect(Math.abs(cost - answer.cost)).toBeLessThanOrEqual(16 + cost * 1e-6)
    }
  })
})
