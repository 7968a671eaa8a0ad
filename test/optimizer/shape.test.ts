import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import { wholeDomain } from '../../api/optimizer/model/domain.ts'
import { type Shape, shapeOf } from '../../api/optimizer/relaxation/shape.ts'

const VAULT = '0xa0'

/** Free of discount, so that a lot of 10 advances 10; a claim named twice has two lots. */
function shapeWith(lots: readonly [Hex, bigint][], liquidity: bigint, maxLegs: number): Shape {
  const problem = buildProblem({
    candidates: lots.map(([claimId, maxFace]) => ({
      claimId,
      vault: VAULT,
      rateBps: 0n,
      minFace: 1n,
      maxFace,
    })),
    vaultLiquidity: new Map([[VAULT, liquidity]]),
    targetAdvance: 1n,
  })
  return shapeOf(wholeDomain(problem), maxLegs)
}

describe('a vault is shared', () => {
  it('when its claims together may ask for one unit more than it has, and not before', () => {
    const lots: [Hex, bigint][] = [
      ['0xc0', 10n],
      ['0xc1', 20n],
    ]
    expect(shapeWith(lots, 30n, 8).vaults).toHaveLength(0)
    expect(shapeWith(lots, 29n, 8).vaults).toHaveLength(1)
  })

  it('not by two lots of one claim, of which a route uses one', () => {
    const lots: [Hex, bigint][] = [
      ['0xc0', 10n],
      ['0xc0', 20n],
    ]
    expect(shapeWith(lots, 20n, 8).vaults).toHaveLength(0)
  })

  it('only if as many claims as a route has legs can overrun it', () => {
    const lots: [Hex, bigint][] = [
      ['0xc0', 10n],
      ['0xc1', 20n],
      ['0xc2', 30n],
    ]
    expect(shapeWith(lots, 50n, 2).vaults).toHaveLength(0)
    expect(shapeWith(lots, 50n, 3).vaults).toHaveLength(1)
    expect(shapeWith(lots, 49n, 2).vaults).toHaveLength(1)
  })

  it('and counts how many other legs it takes to keep a claim out', () => {
    const [vault] = shapeWith(
      [
        ['0xc0', 10n],
        ['0xc1', 20n],
        ['0xc2', 30n],
      ],
      45n,
      8,
    ).vaults
    // 45 less its own 10 is 35: one leg of 30 leaves room, two do not. 45 less 20 is 25: the leg of 30 is enough.
    expect(vault?.members.map(({ blockers }) => blockers)).toEqual([2, 1, 1])
  })
})
