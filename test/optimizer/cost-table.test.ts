import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import type { SplitBudget } from '../../api/optimizer/model/work-budget.ts'
import { fitsTable, purchaseByTable } from '../../api/optimizer/split/cost-table.ts'
import { type Curve, constantCurve, legCurve } from '../../api/optimizer/split/curve.ts'
import { purchaseBySearch } from '../../api/optimizer/split/purchase.ts'
import { sum } from '../support/sum.ts'

const SEED = Number(process.env.OPTIMIZER_SEED ?? 31)
const RUNS = 1_000

const lot = fc.record({
  rateBps: fc.constantFrom(1n, 105n, 300n, 3_333n, 5_000n, 9_999n),
  minFace: fc.bigInt(1n, 60n),
  width: fc.bigInt(0n, 120n),
})

/** The curve of one leg alone; undefined where it has no useful lot. */
function curveOf({ rateBps, minFace, width }: { rateBps: bigint; minFace: bigint; width: bigint }) {
  const { options } = buildProblem({
    candidates: [{ claimId: '0xc0', vault: '0xa0', rateBps, minFace, maxFace: minFace + width }],
    vaultLiquidity: new Map([['0xa0', 1_000n]]),
    targetAdvance: 1n,
  })
  const option = options[0]?.[0]
  return option && legCurve(option)
}

const curves = fc
  .array(lot, { minLength: 1, maxLength: 4 })
  .map((lots) => lots.map(curveOf).filter((curve) => curve !== undefined))

/** The least cost at which some choice of costs buys the need. */
function leastByEnumeration(curves: readonly Curve[], need: bigint, ceiling: bigint): bigint | undefined {
  const [first, ...rest] = curves
  if (first === undefined) return need <= 0n && ceiling >= 0n ? 0n : undefined
  let least: bigint | undefined
  for (let cost = first.costLo; cost <= first.costHi && cost <= ceiling; cost++) {
    const others = leastByEnumeration(rest, need - first.at(cost), ceiling - cost)
    if (others !== undefined && (least === undefined || cost + others < least)) least = cost + others
  }
  return least
}

const plenty = (): SplitBudget => ({ steps: 10_000_000, inconclusive: false })

it(`finds the cheapest purchase that enumeration and the search find (seed ${SEED})`, () => {
  let bought = 0
  fc.assert(
    fc.property(curves, fc.bigInt(0n, 420n), fc.bigInt(0n, 120n), (curves, need, ceiling) => {
      if (!fitsTable(curves, ceiling)) return
      const found = purchaseByTable(curves, need, ceiling, plenty())
      const searched = purchaseBySearch(curves, need, { floor: 0n, ceiling }, plenty()).purchase
      expect(found && sum(found.costs)).toBe(leastByEnumeration(curves, need, ceiling))
      expect(searched && sum(searched.costs)).toBe(found && sum(found.costs))
      if (found === undefined) return
      bought++
      expect(sum(found.costs.map((cost, index) => curves[index]?.at(cost) ?? 0n))).toBe(found.advance)
      expect(found.advance).toBeGreaterThanOrEqual(need)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  expect(bought).toBeGreaterThan(RUNS / 10)
})

it('leaves many costs, and advances above 2^53, to the search', () => {
  const wide: Curve = { ...constantCurve(0n, 0n), costHi: 1_000_000n, at: (cost) => cost }
  expect(fitsTable([wide], 1_000_000n)).toBe(false)
  expect(fitsTable([wide], 100n)).toBe(true)
  expect(fitsTable([constantCurve(1n, 2n ** 53n)], 100n)).toBe(false)
  expect(fitsTable([constantCurve(101n, 1n)], 100n)).toBe(false)
})
