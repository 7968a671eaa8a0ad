import { ceilDiv, compare, larger, smaller } from '../../domain/bigint.ts'
import { advanceOf, faceForAdvance } from '../../domain/discount.ts'
import { BPS_DENOMINATOR } from '../../domain/limits.ts'
import { InvalidOptimizeInput } from './errors.ts'
import { withGroups, withinLimits } from './groups.ts'
import type { Option, Problem } from './problem.ts'
import type { Candidate, OptimizeInput } from './types.ts'

export function buildProblem(input: OptimizeInput): Problem {
  assertInput(input)
  const candidates = withinLimits(input)
  const claims = [...new Set(candidates.map((candidate) => candidate.claimId))].sort(compare)
  const vaults = [...new Set(candidates.map((candidate) => candidate.vault))].sort(compare)
  const liquidity = vaults.map((vault) => input.vaultLiquidity.get(vault) ?? 0n)
  const claimNumber = new Map(claims.map((claimId, index) => [claimId, index]))
  const vaultNumber = new Map(vaults.map((vault, index) => [vault, index]))
  const options: Option[][] = claims.map(() => [])
  for (const candidate of candidates) {
    const claim = claimNumber.get(candidate.claimId) ?? 0
    const vault = vaultNumber.get(candidate.vault) ?? 0
    const option = toOption(candidate, claim, vault, liquidity[vault] ?? 0n)
    if (option !== undefined) options[claim]?.push(option)
  }
  const liquidityFloat = liquidity.map(Number)
  const sorted = options.map((list) => list.sort(compareOptions))
  const problem = { claims, vaults, liquidity, liquidityFloat, options: sorted, groups: [] }
  return input.issuerLimits === undefined ? problem : withGroups(problem, input.issuerLimits)
}

/**
 * Undefined when no useful lot exists: the mandate's bounds cross, the least lot overruns the vault, or nothing is
 * ever advanced. A leg that advances nothing is never part of a best route: without it the route has fewer legs and
 * costs no more.
 */
function toOption(candidate: Candidate, claim: number, vault: number, liquidity: bigint): Option | undefined {
  const { rateBps: rate, maxFace } = candidate
  if (rate >= BPS_DENOMINATOR) return undefined
  const leastUsefulFace = faceForAdvance(1n, rate)
  const minFace = larger(candidate.minFace, leastUsefulFace)
  if (minFace > maxFace) return undefined
  const lo = advanceOf(minFace, rate)
  const hi = smaller(advanceOf(maxFace, rate), liquidity)
  if (lo > hi) return undefined
  const keep = BPS_DENOMINATOR - rate
  const costLo = minFace - lo
  const costHi = larger(ceilDiv(hi * rate, keep), costLo)
  const floats = {
    slope: Number(rate) / Number(keep),
    loFloat: Number(lo),
    hiFloat: Number(hi),
    costHiFloat: Number(costHi),
  }
  return { claim, vault, group: undefined, rate, keep, minFace, lo, hi, costLo, costHi, ...floats }
}

function compareOptions(a: Option, b: Option): number {
  return a.vault - b.vault || compare(a.rate, b.rate) || compare(a.minFace, b.minFace) || compare(a.hi, b.hi)
}

function assertInput(input: OptimizeInput): void {
  if (input.targetAdvance <= 0n)
    throw new InvalidOptimizeInput('targetAdvance', input.targetAdvance, 'at least 1')
  assertNotNegative('maxTotalFace', input.maxTotalFace ?? 0n)
  assertNotNegative('maxTotalCost', input.maxTotalCost ?? 0n)
  for (const candidate of input.candidates) {
    assertNotNegative('rateBps', candidate.rateBps)
    assertNotNegative('minFace', candidate.minFace)
    assertNotNegative('maxFace', candidate.maxFace)
  }
}

function assertNotNegative(field: string, given: bigint): void {
  if (given < 0n) throw new InvalidOptimizeInput(field, given, 'at least 0')
}
