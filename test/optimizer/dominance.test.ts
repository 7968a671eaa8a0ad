/** An option that costs more is needed where the vault of a better one cannot take all of its advance. */
import { describe, expect, it } from 'vitest'
import { optimizeRoute } from '../../api/optimizer/index.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import { wholeDomain } from '../../api/optimizer/model/domain.ts'
import { dropDominated } from '../../api/optimizer/search/dominance.ts'

const [CHEAP, EXPENSIVE] = ['0xa0', '0xa1'] as const

/** A claim of 99 in two vaults, beside claims of 99 each that only the cheaper one takes. */
function market(liquidity: bigint, others = 1, targetAdvance = 198n) {
  const lot = { minFace: 10n, maxFace: 100n, rateBps: 100n }
  const candidates = [
    { ...lot, claimId: '0xc0' as const, vault: CHEAP },
    { ...lot, claimId: '0xc0' as const, vault: EXPENSIVE, rateBps: 200n, maxFace: 101n },
    ...(['0xc1', '0xc2'] as const).slice(0, others).map((claimId) => ({ ...lot, claimId, vault: CHEAP })),
  ]
  const vaultLiquidity = new Map<`0x${string}`, bigint>([
    [CHEAP, liquidity],
    [EXPENSIVE, 98n],
  ])
  return { candidates, vaultLiquidity, targetAdvance }
}

const keptOf = (...asked: Parameters<typeof market>) =>
  dropDominated(wholeDomain(buildProblem(market(...asked))), 8, false).options[0]?.map(({ vault }) => vault)

describe('an option that costs more in another vault', () => {
  it('is dropped where the other claims leave the better vault room for all of its advance, and only there', () => {
    expect(keptOf(99n + 98n)).toEqual([0])
    expect(keptOf(99n + 97n)).toEqual([0, 1])
    expect(keptOf(2n * 99n + 98n, 2)).toEqual([0])
    expect(keptOf(2n * 99n + 97n, 2)).toEqual([0, 1])
  })

  it('is used where the better vault has room for its least lot, and for no more', () => {
    expect(optimizeRoute(market(150n, 1, 190n))).toMatchObject({
      executable: true,
      legs: [{ vault: EXPENSIVE }, { vault: CHEAP }],
    })
  })
})
