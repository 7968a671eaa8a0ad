import { describe, expect, it } from 'vitest'
import { greedyRoute } from '../../api/optimizer/greedy.ts'
import { type OptimizeInput, optimizeRoute } from '../../api/optimizer/index.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import { boundsOf } from '../../api/optimizer/model/goal.ts'
import { manyClaims } from '../../bench/optimizer/many-claims.ts'

const vault = '0xa0'
const CANDIDATE = { claimId: '0x10', vault, rateBps: 100n, minFace: 10n, maxFace: 100n } as const

/** `count` claims of 100 each at rising rates, one vault with liquidity for all. */
function claimsOfHundred(count: number, targetAdvance: bigint): OptimizeInput {
  const candidates = Array.from({ length: count }, (_, index) => ({
    claimId: `0x${(index + 16).toString(16)}` as const,
    vault: vault as '0xa0',
    rateBps: BigInt(100 * (index + 1)),
    minFace: 10n,
    maxFace: 100n,
  }))
  return { candidates, vaultLiquidity: new Map([[vault, 10_000n]]), targetAdvance }
}

describe('above twelve distinct claims', () => {
  it('fills the cheapest claims first, labels the route greedy and bounds how much more it may cost', () => {
    const result = optimizeRoute(claimsOfHundred(13, 250n))
    if (!result.executable) throw new Error(result.reason)
    expect(result.approximation).toBe('greedy')
    expect(result.explanation.strategy).toBe('greedy-degraded')
    expect(result.legs.map((leg) => leg.claimId)).toEqual(['0x10', '0x11', '0x12'])
    const exact = optimizeRoute(claimsOfHundred(12, 250n))
    if (!exact.executable) throw new Error(exact.reason)
    expect(result.totalCost).toBe(exact.totalCost)
    expect(result.explanation.provenGap).toBe(0n)
  })

  it('proves that a target beyond the eight largest claims cannot be reached', () => {
    // The eight cheapest advance 764, and one more 91.
    for (const target of [765n, 855n, 900n]) {
      const result = optimizeRoute(claimsOfHundred(13, target))
      expect(result).toMatchObject({ executable: false, reason: 'TARGET_UNSATISFIABLE' })
    }
    expect(optimizeRoute(claimsOfHundred(13, 764n))).toMatchObject({ executable: true, totalCost: 36n })
  })

  it('keeps the order of its input out of the result', () => {
    const input = claimsOfHundred(15, 500n)
    expect(optimizeRoute({ ...input, candidates: [...input.candidates].reverse() })).toEqual(
      optimizeRoute(input),
    )
  })
})

describe('the fill of claims of one issuer', () => {
  it('takes no more of them than the limit of the issuer in a vault', () => {
    const input = claimsOfHundred(13, 196n)
    const claimIds = input.candidates.slice(0, 2).map(({ claimId }) => claimId)
    const issuerLimits = [{ vault, claimIds, maxFace: 100n } as const]
    // The liquidity binds together with the limit, so the vault stays one.
    const limited = { ...input, issuerLimits, vaultLiquidity: new Map([[vault, 300n] as const]) }
    const filled = greedyRoute(buildProblem(limited), boundsOf(limited, 8))
    // 99 of the first claim, and 97 of the third: the second has no face left.
    expect(filled).toMatchObject({ advance: 196n, cost: 4n })
  })

  it('counts their faces, not their advances', () => {
    // All cost 20 %: a face of 100 is advanced 80.
    const candidates = claimsOfHundred(13, 0n).candidates.map((each) => ({ ...each, rateBps: 2_000n }))
    const claimIds = candidates.slice(0, 2).map(({ claimId }) => claimId)
    const issuerLimits = [{ vault, claimIds, maxFace: 150n } as const]
    const vaultLiquidity = new Map([[vault, 400n] as const])
    const limited = { candidates, vaultLiquidity, issuerLimits, targetAdvance: 200n }
    const filled = greedyRoute(buildProblem(limited), boundsOf(limited, 8))
    expect(filled).toMatchObject({ advances: [80n, 40n, 80n], face: 250n })
  })
})

describe('a search beyond the fill', () => {
  /** 13 claims that all fit into a vault at 500 bps; the first five are cheaper in one with liquidity for three. */
  const candidates = Array.from({ length: 13 }, (_, index) => {
    const lot = { claimId: `0x${(index + 16).toString(16)}` as const, minFace: 10n, maxFace: 1_000n }
    const expensive = { ...lot, vault: '0xa1' as const, rateBps: 500n }
    return index < 5 ? [{ ...lot, vault: '0xa0' as const, rateBps: 100n }, expensive] : [expensive]
  }).flat()
  const input: OptimizeInput = {
    candidates,
    vaultLiquidity: new Map([
      ['0xa0', 2_970n],
      ['0xa1', 100_000n],
    ]),
    targetAdvance: 7_000n,
  }

  it('costs less than the fill where the fill passes over a vault, and is still called greedy with a gap of 0', () => {
    const problem = buildProblem(input)
    const filled = greedyRoute(problem, boundsOf(input, 8))
    const result = optimizeRoute(input)
    if (!result.executable || filled === undefined) throw new Error('the example has a route')
    expect(result).toMatchObject({
      approximation: 'greedy',
      explanation: { strategy: 'greedy-degraded', provenGap: 0n },
    })
    // 2,970 at 100 bps, 4,030 at 500 bps: 30 and, over five legs of at most 950, 213.
    expect(result.totalCost).toBe(243n)
    expect(result.totalCost <= filled.cost).toBe(true)
  })

  it('never costs more than the fill', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const drawn = manyClaims(seed)
      const filled = greedyRoute(buildProblem(drawn), boundsOf(drawn, 8))
      if (filled === undefined) continue
      const result = optimizeRoute(drawn)
      expect(result.executable && result.totalCost <= filled.cost).toBe(true)
    }
  })
})

describe('the fill', () => {
  const fill = (minFace: bigint, liquidity: bigint, target: bigint) => {
    const candidate = { claimId: '0x10', vault, rateBps: 100n, minFace, maxFace: 100n } as const
    const input: OptimizeInput = {
      candidates: [candidate],
      vaultLiquidity: new Map([[vault, liquidity]]),
      targetAdvance: target,
    }
    return greedyRoute(buildProblem(input), boundsOf(input, 8))?.advance
  }

  it('takes the least lot of a claim, as far as its vault has room for it', () => {
    expect(fill(100n, 99n, 99n)).toBe(99n)
    expect(fill(100n, 99n, 1n)).toBe(99n)
    expect(fill(100n, 98n, 1n)).toBeUndefined()
  })

  it('takes no more than the target, the largest lot and the room', () => {
    expect(fill(10n, 200n, 50n)).toBe(50n)
    expect(fill(10n, 50n, 50n)).toBe(50n)
    expect(fill(10n, 50n, 51n)).toBeUndefined()
    expect(fill(10n, 200n, 99n)).toBe(99n)
    expect(fill(10n, 200n, 100n)).toBeUndefined()
  })
})

it('the legs of a fill are in order of claims, in whichever order of rates they are filled', () => {
  const rates = [300n, 100n, 200n]
  const candidates = rates.map((rateBps, index) => ({
    ...CANDIDATE,
    claimId: `0x${(index + 16).toString(16)}` as const,
    rateBps,
  }))
  const vaultLiquidity = new Map([[vault, 10_000n] as const])
  const fill = (targetAdvance: bigint) => {
    const input: OptimizeInput = { candidates, vaultLiquidity, targetAdvance }
    const filled = greedyRoute(buildProblem(input), boundsOf(input, 8))
    return filled?.options.map(({ claim }, leg) => [claim, filled.advances[leg]])
  }
  // A claim is filled up to 97, 99 or 98 before one of a higher rate.
  const expected = [
    [0, 20n],
    [1, 99n],
    [2, 98n],
  ]
  expect(fill(217n)).toEqual(expected)
  expect(fill(150n)).toEqual([expected[1], [2, 51n]])
})

it('the fill takes a claim to the vault with the widest lot among those of the lowest rate', () => {
  const wide = '0xa1'
  const input: OptimizeInput = {
    candidates: [
      { ...CANDIDATE, maxFace: 50n },
      { ...CANDIDATE, vault: wide },
      { ...CANDIDATE, vault: '0xa2', rateBps: 200n, maxFace: 1_000n },
    ],
    vaultLiquidity: new Map([
      [vault, 10_000n],
      [wide, 10_000n],
      ['0xa2', 10_000n],
    ]),
    targetAdvance: 80n,
  }
  const route = greedyRoute(buildProblem(input), boundsOf(input, 8))
  expect(route?.options.map(({ vault: number, rate }) => [number, rate])).toEqual([[1, 100n]])
})

describe('twelve distinct claims', () => {
  it('is still exact', () => {
    expect(optimizeRoute(claimsOfHundred(12, 250n))).toMatchObject({
      executable: true,
      approximation: 'exact',
    })
  })

  it.each<[string, Partial<OptimizeInput>]>([
    ['targetAdvance', { targetAdvance: 0n }],
    ['maxTotalFace', { maxTotalFace: -1n }],
    ['maxTotalCost', { maxTotalCost: -1n }],
    ['rateBps', { candidates: [{ ...CANDIDATE, rateBps: -1n }] }],
    ['minFace', { candidates: [{ ...CANDIDATE, minFace: -1n }] }],
    ['maxFace', { candidates: [{ ...CANDIDATE, maxFace: -1n }] }],
  ])('is refused when %s breaks its promise', (field, change) => {
    const input = { ...claimsOfHundred(12, 250n), ...change }
    expect(() => optimizeRoute(input)).toThrow(
      expect.objectContaining({ name: 'InvalidOptimizeInput', field }),
    )
  })

  it('is not refused when caps are zero, and a rate of the whole face finances nothing', () => {
    const candidates = [{ ...CANDIDATE, rateBps: 10_000n }]
    const capped = { ...claimsOfHundred(12, 250n), maxTotalFace: 0n, maxTotalCost: 0n }
    expect(optimizeRoute(capped)).toMatchObject({ executable: false, reason: 'TARGET_UNSATISFIABLE' })
    expect(optimizeRoute({ ...capped, candidates })).toMatchObject({
      reason: 'TARGET_UNSATISFIABLE',
      maxAchievableAdvance: 0n,
    })
  })

  it('answers NO_ELIGIBLE_CANDIDATES for an empty input', () => {
    expect(optimizeRoute(claimsOfHundred(0, 5n))).toEqual({
      executable: false,
      reason: 'NO_ELIGIBLE_CANDIDATES',
      shortfallAdvance: 5n,
      maxAchievableAdvance: 0n,
      maxAchievableGap: 0n,
    })
  })
})
