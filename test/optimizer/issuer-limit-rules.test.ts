/** Limits of the face that the claims of an issuer take from a vault together, in small markets. */
import { describe, expect, it } from 'vitest'
import { type OptimizeInput, optimizeRoute } from '../../api/optimizer/index.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import { wholeDomain } from '../../api/optimizer/model/domain.ts'
import { dropDominated } from '../../api/optimizer/search/dominance.ts'
import { disagreement } from './agreement.ts'
import { solveByEnumeration } from './oracle.ts'

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

  const fixed = (claim: string, rate: number, face: number) => {
    return { claim, vault: '0xa0', rate, min: face, max: face }
  }

  it.each([
    // 2 at 33.33 % are a face of 3 in one leg, and of 4 in two.
    ['rounding alone', [fixed('0xc0', 3_333, 2), fixed('0xc1', 3_333, 2)], 2, 3],
    // A face of 10 advances 1 too, at 90 %.
    ['least lots alone', [fixed('0xc0', 9_000, 19), fixed('0xc1', 9_000, 19)], 2, 30],
    // 2 of the liquidity of 8 are a face of 20.
    ['the most expensive claim alone', [fixed('0xc0', 9_000, 20), fixed('0xc1', 0, 6)], 8, 24],
  ])('binds where %s exceeds it within the liquidity of the vault', (_, candidates, target, max) => {
    const claims = candidates.map(({ claim }) => claim)
    const unlimited = { candidates, liquidity: { '0xa0': target }, target }
    const limited = { ...unlimited, limits: [{ vault: '0xa0', claims, max }] }
    expect([unlimited, limited].map((input) => solveByEnumeration(input).executable)).toEqual([true, false])
    expect([unlimited, limited].map((input) => disagreement(input))).toEqual([undefined, undefined])
  })

  it('is refused where a claim has two in a vault, or the face is negative', () => {
    const limit = { vault: '0xa0', claimIds: ['0xc0'], maxFace: 40n } as const
    expect(() => optimizeRoute(shared({ issuerLimits: [limit, limit] }))).toThrow('issuerLimits')
    expect(() => optimizeRoute(shared({ issuerLimits: [{ ...limit, maxFace: -1n }] }))).toThrow(
      'issuerLimits',
    )
  })
})
