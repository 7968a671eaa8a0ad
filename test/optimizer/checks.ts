import type { Allocation, OptimizeInput, RouteResult } from '../../api/optimizer/index.ts'

/** Undefined when a result is consistent with its input; otherwise what is wrong. Nothing of the optimizer is used. */
export function faultOf(input: OptimizeInput, result: RouteResult): string | undefined {
  if (result.executable) {
    if (result.totalAdvance < input.targetAdvance)
      return `advances ${result.totalAdvance} of ${input.targetAdvance}`
    return faultOfGap(result) ?? faultOfRoute(input, result)
  }
  const {
    shortfallAdvance,
    maxAchievableAdvance: most,
    maxAchievableGap: gap,
    bestFeasiblePartial: partial,
  } = result
  if (shortfallAdvance !== input.targetAdvance - most)
    return `falls ${shortfallAdvance} short of ${input.targetAdvance}`
  if (gap < 0n || gap >= shortfallAdvance)
    return `is not a refusal: shortfall ${shortfallAdvance}, gap ${gap}`
  if (most === 0n) return partial === undefined ? undefined : 'has a partial route that advances nothing'
  if (partial?.totalAdvance !== most) return `has a partial route of ${partial?.totalAdvance}, not ${most}`
  return partial.provenGap < 0n ? `has a negative gap ${partial.provenGap}` : faultOfRoute(input, partial)
}

/** An exact route has no gap, and some bound is known of any other. A gap of one unit can be that of the ranking. */
function faultOfGap({
  approximation,
  totalCost,
  explanation: { provenGap: gap },
}: Extract<RouteResult, { executable: true }>): string | undefined {
  if (gap < 0n || (gap > 1n && gap >= totalCost)) return `has a gap of ${gap} at a cost of ${totalCost}`
  return approximation === 'exact' && gap !== 0n ? `is exact with a gap of ${gap}` : undefined
}

function faultOfRoute(
  input: OptimizeInput,
  { legs, totalCost, totalFace, totalAdvance }: Allocation,
): string | undefined {
  const left = new Map(input.vaultLiquidity)
  const limits = input.issuerLimits ?? []
  const exceeded = limits.find(({ vault, claimIds, maxFace }) => {
    const own = legs.filter((leg) => leg.vault === vault && claimIds.includes(leg.claimId))
    return own.reduce((sum, { faceAmount }) => sum + faceAmount, 0n) > maxFace
  })
  if (exceeded !== undefined) return `takes more than ${exceeded.maxFace} from an issuer in ${exceeded.vault}`
  let [cost, face] = [0n, 0n]
  for (const { claimId, vault, faceAmount } of legs) {
    const quotes = input.candidates.filter((one) => one.claimId === claimId && one.vault === vault)
    const quote = quotes.find(({ minFace, maxFace }) => faceAmount >= minFace && faceAmount <= maxFace)
    if (quote === undefined) return `has a lot that no quote covers: ${faceAmount} of ${claimId} in ${vault}`
    const discount = (faceAmount * quote.rateBps + 9_999n) / 10_000n
    cost += discount
    face += faceAmount
    left.set(vault, (left.get(vault) ?? 0n) - (faceAmount - discount))
  }
  if (legs.length > 8 || new Set(legs.map(({ claimId }) => claimId)).size !== legs.length)
    return 'has too many legs'
  if (legs.some(({ claimId }, leg) => leg > 0 && claimId < (legs[leg - 1]?.claimId ?? claimId)))
    return 'has legs that are not in order of claims'
  if ([...left.values()].some((amount) => amount < 0n)) return 'overruns a vault'
  if (cost > (input.maxTotalCost ?? cost)) return `costs ${cost}, over the cap of ${input.maxTotalCost}`
  if (face > (input.maxTotalFace ?? face))
    return `takes ${face} of face, over the cap of ${input.maxTotalFace}`
  return cost === totalCost && face === totalFace && face - cost === totalAdvance
    ? undefined
    : 'has wrong totals'
}
