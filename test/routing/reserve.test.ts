import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advanceOf } from '../../api/domain/discount.ts'
import { rateOf } from '../../api/eligibility/pricing.ts'
import { type Exposure, plannableLiquidity } from '../../api/routing/reserve.ts'

const exposures = fc
  .record({
    maxFace: fc.oneof(fc.bigInt({ min: 1n, max: 30_000n }), fc.bigInt({ min: 30_000n, max: 10n ** 12n })),
    bps: fc.bigInt({ min: 0n, max: 4_000n }),
    /** How much cheaper the claim may get until the deadline. */
    drop: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 200n })),
  })
  .map(({ maxFace, bps, drop }): Exposure => {
    const rateBps = rateOf(maxFace - advanceOf(maxFace, bps), maxFace)
    return { maxFace, rateBps, lowestBps: bps > drop ? bps - drop : 0n }
  })
  .filter(({ rateBps }) => rateBps < 10_000n)

/** The largest face up to `maxFace` whose planned advance is at most `advance`. */
function largestFaceWithin(advance: bigint, { rateBps, maxFace }: Exposure): bigint {
  const face = ((advance + 1n) * 10_000n - 1n) / (10_000n - rateBps)
  return face < maxFace ? face : maxFace
}

describe('the liquidity that a plan may use', () => {
  it('is never overdrawn when the legs are paid, however they share it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ exposure: exposures, share: fc.integer({ min: 0, max: 1000 }) }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.integer({ min: 1, max: 1200 }),
        (legs, permille) => {
          const most = legs.reduce((sum, { exposure }) => sum + exposure.maxFace, 0n)
          const liquidity = (most * BigInt(permille)) / 1000n
          let left = plannableLiquidity(
            liquidity,
            legs.map(({ exposure }) => exposure),
          )
          // Nothing to plan with: the vault is left out altogether, legs without an advance included.
          fc.pre(left > 0n)
          let paid = 0n
          for (const { exposure, share } of legs.slice(0, 8)) {
            const wanted = share > 700 ? left : (left * BigInt(share)) / 1000n
            const face = largestFaceWithin(wanted, exposure)
            left -= advanceOf(face, exposure.rateBps)
            paid += advanceOf(face, exposure.lowestBps)
          }
          expect(left).toBeGreaterThanOrEqual(0n)
          expect(paid).toBeLessThanOrEqual(liquidity)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it('is all of it when the rate is exact and holds until the deadline', () => {
    fc.assert(
      fc.property(
        fc.array(exposures, { minLength: 1, maxLength: 9 }),
        fc.bigInt({ min: 0n, max: 10n ** 13n }),
        (all, liquidity) => {
          const exact = all.map((exposure) => ({ ...exposure, lowestBps: exposure.rateBps }))
          expect(plannableLiquidity(liquidity, exact)).toBe(liquidity)
        },
      ),
    )
  })

  it('is all of it when even the largest legs together stay within it', () => {
    const exposure = { rateBps: 151n, lowestBps: 100n, maxFace: 1_000_000n }
    expect(plannableLiquidity(1_980_000n, [exposure, exposure])).toBe(1_980_000n)
    expect(plannableLiquidity(1_979_999n, [exposure, exposure])).toBeLessThan(1_979_999n)
  })

  it('counts the eight largest legs of any number', () => {
    const exposure = { rateBps: 151n, lowestBps: 100n, maxFace: 1_000_000n }
    const smaller = { ...exposure, maxFace: 10n }
    const all = [smaller, ...Array(8).fill(exposure), smaller, exposure]
    expect(plannableLiquidity(7_920_000n, all)).toBe(7_920_000n)
    expect(plannableLiquidity(7_919_999n, all)).toBeLessThan(7_919_999n)
  })

  it('leaves out what the largest legs can be paid more than planned', () => {
    const exposure = { rateBps: 151n, lowestBps: 100n, maxFace: 1_000_000n }
    // 51 basis points of a million, twice.
    expect(plannableLiquidity(1_979_999n, [exposure, exposure])).toBe(1_979_999n - 10_200n)
  })

  it('leaves out no unit for a leg whose rate holds', () => {
    const maxFace = 10n ** 12n
    const falling = { rateBps: 101n, lowestBps: 100n, maxFace }
    const holding = { rateBps: 4_000n, lowestBps: 4_000n, maxFace }
    // (10^11 + 1) * 9899 / 9900, rounded down, less one.
    expect(plannableLiquidity(10n ** 11n, [falling, holding])).toBe(99_989_898_989n)
  })

  it('leaves out no more than what the price can drop, and a unit for each leg', () => {
    const exposure = { rateBps: 101n, lowestBps: 100n, maxFace: 10n ** 12n }
    const liquidity = 10n ** 11n
    const loss = liquidity - plannableLiquidity(liquidity, [exposure, exposure])
    expect(loss).toBeLessThanOrEqual(liquidity / 9_900n + 3n)
  })

  it('reserves the most that eight legs can be paid above the plan, however many claims there are', () => {
    const small = { rateBps: 151n, lowestBps: 100n, maxFace: 1_000_000n }
    // 51 basis points of a million, eight times.
    expect(plannableLiquidity(7_919_999n, Array(10).fill(small))).toBe(7_919_999n - 40_800n)
    const large = { rateBps: 101n, lowestBps: 100n, maxFace: 10n ** 12n }
    // (10^11 + 1) * 9899 / 9900, rounded down, less eight.
    expect(plannableLiquidity(10n ** 11n, Array(10).fill(large))).toBe(99_989_898_982n)
  })
})
