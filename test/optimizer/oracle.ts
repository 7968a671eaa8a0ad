/**
 * Plain enumeration over every assignment and every face, in JavaScript numbers, for amounts far below 2^53 / 10^4.
 * It shares no code with the optimizer, on purpose.
 */
export type OracleCandidate = { claim: string; vault: string; rate: number; min: number; max: number }
export type OracleInput = {
  candidates: OracleCandidate[]
  liquidity: Record<string, number>
  /** The most face that claims take from a vault together; a claim is in at most one limit of a vault. */
  limits?: { vault: string; claims: string[]; max: number }[]
  target: number
  maxFace?: number
  maxCost?: number
}
export type OracleRoute = { cost: number; legs: number; face: number; advance: number; pairs: string[] }
export type OracleAnswer =
  | { executable: true; route: OracleRoute }
  | { executable: false; reason: string; most: number; partial: OracleRoute | undefined }

const MAX_LEGS = 8

export function solveByEnumeration(input: OracleInput): OracleAnswer {
  const best = bestReaching(input, input.target)
  if (best !== undefined) return { executable: true, route: best }
  const most = mostAdvance(input)
  return {
    executable: false,
    reason: reasonFor(input),
    most,
    partial: most > 0 ? bestReaching(input, most) : undefined,
  }
}

function reasonFor(input: OracleInput): string {
  if (input.candidates.length === 0) return 'NO_ELIGIBLE_CANDIDATES'
  const { maxCost: _dropped, ...uncapped } = input
  return bestReaching(uncapped, input.target) === undefined ? 'TARGET_UNSATISFIABLE' : 'MAX_COST_EXCEEDED'
}

function bestReaching(input: OracleInput, target: number): OracleRoute | undefined {
  let best: OracleRoute | undefined
  visitRoutes(input, (cost, legs, face, advance, pairs) => {
    if (advance < target) return
    if (best !== undefined && !ranksBefore(cost, legs, face, pairs, best)) return
    best = { cost, legs, face, advance, pairs: [...pairs].sort() }
  })
  return best
}

function mostAdvance(input: OracleInput): number {
  let most = 0
  visitRoutes(input, (_cost, _legs, _face, advance) => {
    if (advance > most) most = advance
  })
  return most
}

function ranksBefore(
  cost: number,
  legs: number,
  face: number,
  pairs: readonly string[],
  best: OracleRoute,
): boolean {
  if (cost !== best.cost) return cost < best.cost
  if (legs !== best.legs) return legs < best.legs
  if (face !== best.face) return face < best.face
  const mine = [...pairs].sort().join(' ')
  return mine < best.pairs.join(' ')
}

type Visit = (cost: number, legs: number, face: number, advance: number, pairs: readonly string[]) => void

/** Calls `visit` for every route within liquidity, leg limit and caps; ids must have equal length. */
function visitRoutes(input: OracleInput, visit: Visit): void {
  const claims = [...new Set(input.candidates.map((candidate) => candidate.claim))].sort()
  const left = { ...input.liquidity }
  const taken = (input.limits ?? []).map(() => 0)
  const pairs: string[] = []
  const maxFace = input.maxFace ?? Number.POSITIVE_INFINITY
  const maxCost = input.maxCost ?? Number.POSITIVE_INFINITY
  const step = (index: number, cost: number, face: number): void => {
    const claim = claims[index]
    if (claim === undefined) {
      visit(cost, pairs.length, face, face - cost, pairs)
      return
    }
    step(index + 1, cost, face)
    if (pairs.length === MAX_LEGS) return
    for (const { vault, rate, min, max } of input.candidates.filter(
      (candidate) => candidate.claim === claim,
    )) {
      pairs.push(`${claim}@${vault}`)
      const limit = (input.limits ?? []).findIndex((one) => one.vault === vault && one.claims.includes(claim))
      const before = taken[limit] ?? 0
      const most = input.limits?.[limit]?.max ?? Number.POSITIVE_INFINITY
      for (let lot = Math.max(min, 1); lot <= max; lot++) {
        const discount = Math.ceil((lot * rate) / 10_000)
        const advance = lot - discount
        const room = left[vault] ?? 0
        if (cost + discount > maxCost || face + lot > maxFace || advance > room || before + lot > most) break
        if (advance < 1) continue
        left[vault] = room - advance
        if (limit >= 0) taken[limit] = before + lot
        step(index + 1, cost + discount, face + lot)
        left[vault] = room
        if (limit >= 0) taken[limit] = before
      }
      pairs.pop()
    }
  }
  step(0, 0, 0)
}
