/** Certificates as the client checks them: no route costs less than they prove, whatever their multipliers are. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { certify } from '../../api/optimizer/certificate.ts'
import { type Certificate, type OptimizeInput, optimizeRoute } from '../../api/optimizer/index.ts'
import { buildProblem } from '../../api/optimizer/model/build-problem.ts'
import type { Problem } from '../../api/optimizer/model/problem.ts'
import { families, in18Decimals } from '../../bench/optimizer/families.ts'
import { limitedFamilies } from '../../bench/optimizer/limited-families.ts'
import { leastCostOf, type RouteCertificate } from '../../packages/client/src/certificate.ts'
import { type Dice, diceOf } from '../support/dice.ts'
import { solveByEnumeration } from './oracle.ts'
import { presented } from './presented-certificate.ts'
import { smallInstance, toOptimizeInput } from './small-instances.ts'

const SEED = Number(process.env.OPTIMIZER_SEED ?? 20_261_127)
const RUNS = Number(process.env.OPTIMIZER_RUNS ?? 400)

function certified(input: OptimizeInput) {
  const result = optimizeRoute({ ...input, certify: true })
  if (!result.executable) return undefined
  const { certificate } = result.explanation
  if (!certificate) throw new Error('a route without a certificate')
  return { result, least: leastCostOf(presented(input, certificate), input.targetAdvance) }
}

/** Multipliers of any size, most of them near those that prove something. */
function anyMultipliers(input: OptimizeInput, dice: Dice): Certificate {
  const draw = () =>
    (BigInt(dice.between(0, 1_000_000)) << 60n) / dice.pick([1n, 1_000n, 10_000_000n] as const)
  const vaults = [...input.vaultLiquidity.keys()].map(
    (vault) => [vault, dice.chance(0.5) ? 0n : draw()] as const,
  )
  return { target: draw(), vaults: new Map(vaults) }
}

describe(`a certificate (seed ${SEED}, ${RUNS} instances)`, () => {
  it('proves no more than the least cost of plain enumeration, with any multipliers', () => {
    let routes = 0
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (seed) => {
        const dice = diceOf(seededRandom(seed))
        const small = smallInstance(dice)
        const answer = solveByEnumeration(small)
        if (!answer.executable) return
        routes += 1
        const input = toOptimizeInput(small)
        const cost = BigInt(answer.route.cost)
        expect(certified(input)?.least).toBeLessThanOrEqual(cost)
        for (let i = 0; i < 20; i++) {
          const forged = presented(input, anyMultipliers(input, dice))
          expect(leastCostOf(forged, input.targetAdvance)).toBeLessThanOrEqual(cost)
        }
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    )
    expect(routes).toBeGreaterThan(RUNS / 4)
  })

  it('leaves at most 10 basis points of the advance in most markets, in any number of decimals', () => {
    const names = ['realistic', 'market', 'equal rates', 'tight liquidity', 'shared liquidity']
    const markets = families.filter(({ name }) => names.includes(name))
    let [close, all] = [0, 0]
    for (const family of [...markets, ...markets.map(in18Decimals)]) {
      for (let seed = 1; seed <= 4; seed++) {
        const input = family.make(seed)
        const found = certified(input)
        if (!found) continue
        all += 1
        const { totalCost, totalAdvance } = found.result
        expect(found.least).toBeLessThanOrEqual(totalCost)
        if ((totalCost - found.least) * 1_000n <= totalAdvance) close += 1
      }
    }
    console.log(`${close} of ${all} certificates within 10 basis points`)
    expect(all).toBeGreaterThan(40)
    expect(close / all).toBeGreaterThan(0.8)
  })

  it('refuses a negative multiplier, which would prove any cost', () => {
    const candidates: RouteCertificate['candidates'] = []
    const vaults: RouteCertificate['vaults'] = [{ vault: '0xa1', liquidity: '5', multiplier: '-1' }]
    expect(() => leastCostOf({ multiplier: '1', vaults, candidates }, 5n)).toThrow(RangeError)
    expect(() => leastCostOf({ multiplier: '-1', vaults: [], candidates }, 5n)).toThrow(RangeError)
  })
})

it('a certificate of a market with limits per issuer has one multiplier for each vault, as without them', () => {
  const isDivided = ({ vaults }: Problem) => new Set(vaults).size < vaults.length
  const inputs = limitedFamilies.filter(({ name }) => name.startsWith('market')).map(({ make }) => make(3))
  const divided = inputs.filter((input) => isDivided(buildProblem(input)))
  expect(divided.length).toBeGreaterThan(1)
  for (const input of divided) {
    const found = certified(input)
    if (!found) throw new Error('no route')
    const { totalCost: cost, explanation } = found.result
    expect(explanation.certificate).toEqual(certify({ ...input, issuerLimits: [] }, cost))
    expect(found.least > 0n && found.least <= cost).toBe(true)
  }
})

it.each([
  ['ascending', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['descending', [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
  ['mixed', [5, 10, 1, 9, 3, 7, 2, 8, 4, 6]],
])('a certificate counts the eight largest gains, each of another claim, in %s order', (_, faces) => {
  const quotes = faces.flatMap((face) =>
    [face - 1, face, face - 1].map((maxFaceAmount) => [face, maxFaceAmount]),
  )
  const [vault, other] = [`0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`] as const
  const certificate: RouteCertificate = {
    multiplier: `${1n << 60n}`,
    vaults: [
      { vault, liquidity: '1000', multiplier: '0' },
      { vault: other, liquidity: '0', multiplier: '0' },
    ],
    // Each gains its face, but for the largest one, whose vault has no liquidity.
    candidates: [...quotes, [11, 11]].map(([claim = 0, face = 0]) => ({
      claimId: `0x${String(claim).padStart(64, '0')}`,
      vault: claim > 10 ? other : vault,
      discountBps: 0,
      maxFaceAmount: `${BigInt(face)}`,
    })),
  }
  expect(leastCostOf(certificate, 100n)).toBe(100n - (3n + 4n + 5n + 6n + 7n + 8n + 9n + 10n))
})

it('a certificate rounds the gain of a claim up, so that it proves no unit too much', () => {
  const [claimId, vault] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(40)}`] as const
  const certificate: RouteCertificate = {
    // The bound is exactly 1 with the gain rounded up, and more with the gain rounded down.
    multiplier: '11528062124563862913025',
    vaults: [{ vault, liquidity: '10', multiplier: '0' }],
    candidates: [{ claimId, vault, discountBps: 1, maxFaceAmount: '1' }],
  }
  expect(leastCostOf(certificate, 1n)).toBe(1n)
})
